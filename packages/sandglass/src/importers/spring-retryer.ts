import type { CallFields } from '../model/chain.js'
import { declared, type Spot } from '../model/sourced.js'
import { addNote } from './facts.js'
import type { CodeRetryer } from './java-retryer.js'
import { countFact, defaultText, limitFact, type Setting, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'

type Tries = Pick<Partial<CallFields>, 'attempts' | 'backoff' | 'retryOn'>

/** What a retryer of Feign does, from a setting or from code; nothing where neither is there, because Spring's default never tries again. */
export function retryerFields(
  application: SpringApplication,
  written: Written | undefined,
  code: CodeRetryer | null,
  client: string,
): Tries {
  if (written) {
    if (/Retryer[.$]Default$/.test(written.text)) return defaultRetryer(application, [], written.spot)
    if (/NEVER_RETRY|Retryer[.$]1$|NeverRetry/i.test(written.text)) return {}
    return unknownRetryer(application, written, client)
  }
  if (!code || code.kind === 'never') return {}
  return code.kind === 'unknown' ? unknownRetryer(application, code.at, client) : defaultRetryer(application, code.arguments, code.at.spot)
}

function unknownRetryer({ draft }: SpringApplication, { spot }: Written, client: string): Tries {
  addNote(draft, 'unknown', spot, `how often calls of ${client} are tried is in this class alone`)
  return { attempts: declared('unknown', spot) }
}

/** `Retryer.Default(period, maxPeriod, maxAttempts)`: the first try counts, and every method is tried again. */
function defaultRetryer({ draft, cloud }: SpringApplication, [period, maxPeriod, maxAttempts]: readonly Written[], at: Spot): Tries {
  const setting = (key: string): Setting => ({ draft, system: 'openfeign', version: null, key: `Retryer.Default ${key}`, shown: key, at })
  const attempts = countFact(setting('maxAttempts'), maxAttempts)
  if (attempts.value === 1) return {}
  const [baseMs, maxMs] = [limitFact(setting('period'), period, 'int-ms'), limitFact(setting('maxPeriod'), maxPeriod, 'int-ms')]
  const factor = defaultText({ ...setting('factor'), version: cloud })
  return {
    attempts,
    retryOn: { value: ['connect', 'reset', 'timeout'], origin: attempts.origin },
    ...(baseMs
      ? {
          backoff: {
            kind: 'law' as const,
            baseMs,
            ...(maxMs ? { maxMs } : {}),
            factor: { ...factor, value: Number(factor.value) },
            jitter: { ...factor, value: 'none' as const },
          },
        }
      : {}),
  }
}
