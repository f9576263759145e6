import type { LimitMs } from '../model/chain.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addDead, addNote } from './facts.js'
import { limitFact } from './limit-fact.js'
import type { SpringApplication } from './spring.js'

/** Hystrix's limit around all tries of a client; undefined where Hystrix is not on for it. */
export function hystrixLimit(application: SpringApplication, command: string, isFeign: boolean, at: Spot): Sourced<LimitMs> | undefined {
  const { settings, draft } = application
  if (isFeign && settings.get('feign.hystrix.enabled')?.text !== 'true') return undefined
  const isZuul = settings.has('zuul')
  if (!isFeign && !isZuul) return undefined
  misplaced(application)
  // Feign names a command Interface#method(types), which is in the code; only the default holds for sure.
  const names = isFeign ? ['default'] : [command, 'default']
  const get = (property: string) => names.map((name) => settings.get(`hystrix.command.${name}.${property}`)).find((written) => written)
  const enabled = get('execution.timeout.enabled')
  if (enabled?.text === 'false') {
    addNote(draft, 'ignored', enabled.spot, 'hystrix execution.timeout.enabled false: Hystrix ends no call')
    return undefined
  }
  return limitFact(
    {
      draft,
      system: 'hystrix',
      version: null,
      key: 'execution.isolation.thread.timeoutInMilliseconds',
      shown: 'timeoutInMilliseconds',
      at,
    },
    get('execution.isolation.thread.timeout-in-milliseconds'),
    'int-ms',
  )
}

/** Two places where people put the limit and Hystrix does not look. */
function misplaced({ settings, draft }: SpringApplication): void {
  for (const { key, written } of settings.entries) {
    if (!/^hystrix\.command\..+\.(execution\.timeout\.isolation\.|timeout\.enabled$|execution\.isolation\.timeout)/i.test(key)) continue
    if (/\.execution\.timeout\.enabled$/i.test(key) || draft.dead.some(({ spot }) => spot === written.spot)) continue
    addDead(draft, {
      setting: key,
      written: written.text,
      spot: written.spot,
      because: 'Hystrix looks for execution.isolation.thread.timeoutInMilliseconds and execution.timeout.enabled',
      effective: 'the value there, or the default',
    })
  }
}
