import { longestDurationMs } from '@sandglass/runtime/core'
import type { Backoff, CallFields, LimitMs } from '../model/chain.js'
import type { Origin, Sourced, Spot } from '../model/sourced.js'
import { addDead, type FactsDraft } from './facts.js'
import { formatLimit } from './limit-fact.js'

/** Envoy's retry conditions in the words of a chain file. A try that ran into its own limit is repeated under 5xx, gateway-error and reset alone. */
const CAUSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['5xx', ['5xx', 'timeout', 'reset', 'connect']],
  ['gateway-error', ['502', '503', '504', 'timeout', 'connect']],
  ['reset', ['reset', 'timeout', 'connect']],
  ['reset-before-request', ['connect']],
  ['connect-failure', ['connect']],
  ['refused-stream', ['connect']],
  ['http3-post-connect-failure', ['connect']],
  ['retriable-4xx', ['409']],
  ['envoy-ratelimited', ['429']],
  ['cancelled', ['499']],
  ['deadline-exceeded', ['504']],
  ['internal', ['500']],
  ['resource-exhausted', ['429']],
  ['unavailable', ['503']],
])

/** What a comma-separated list of conditions repeats; a bare status is one too. Without a limit for each try no timeout is repeated. */
export function envoyCauses(list: string, hasPerTry: boolean, statuses: readonly string[] = []): readonly string[] {
  const words = list.split(',').map((word) => word.trim())
  const causes = words.flatMap((word) => CAUSES.get(word) ?? (/^[1-5]\d\d$/.test(word) ? [word] : []))
  return [...new Set([...causes, ...(words.includes('retriable-status-codes') ? statuses : [])])].filter(
    (cause) => hasPerTry || cause !== 'timeout',
  )
}

/** Envoy draws each wait between 0 and (2^n - 1) x base, at most ten times the base unless a maximum is given. */
export function envoyBackoff(baseMs: number, maxMs: number, retries: number, origin: Origin): Backoff | undefined {
  if (retries < 1 || retries > MAX_WAITS || baseMs <= 0) return undefined
  const waits = Array.from({ length: retries }, (_, index) => Math.min((2 ** (index + 1) - 1) * baseMs, maxMs, longestDurationMs))
  return { kind: 'list', largestMs: { value: waits, origin } }
}

const MAX_WAITS = 100

/** What is asked for and cannot happen: a limit of one try that the whole call ends first, or one that no condition repeats. */
export function warnOfPerTry(
  draft: FactsDraft,
  names: { readonly perTry: string; readonly retries: string },
  fields: Pick<Partial<CallFields>, 'attemptMs' | 'timeoutMs' | 'attempts' | 'retryOn'>,
  conditions: { readonly text: string; readonly spot: Spot },
): void {
  const { attemptMs, timeoutMs, attempts, retryOn } = fields
  if (attemptMs?.origin.kind !== 'declared' || !attempts || attempts.value === 1) return
  if (isNotLess(attemptMs, timeoutMs)) {
    const isDefault = timeoutMs?.origin.kind === 'default'
    addDead(draft, {
      setting: names.perTry,
      written: formatLimit(attemptMs),
      spot: attemptMs.origin.spot,
      because: `the whole call ends after ${formatLimit(timeoutMs)}${isDefault ? ', the default,' : ''} before one try does, so no slow try is repeated`,
      effective: `${formatLimit(timeoutMs)} for all tries`,
    })
  } else if (retryOn && !retryOn.value.includes('timeout')) {
    addDead(draft, {
      setting: names.retries,
      written: String(attempts.value),
      spot: attempts.origin.spot,
      because: `a try that is too slow is repeated only under 5xx, gateway-error or reset, not under "${conditions.text}"`,
      effective: `${names.perTry} acts as the request timeout: a slow answer fails after ${formatLimit(attemptMs)}, with 0 retries`,
    })
  }
}

function isNotLess(a: Sourced<LimitMs>, b: Sourced<LimitMs> | undefined): boolean {
  return typeof a.value === 'number' && typeof b?.value === 'number' && a.value >= b.value
}
