import type { LimitMs } from '../model/chain.js'
import { declared, type Sourced, type Spot } from '../model/sourced.js'
import { addDead, addNote } from './facts.js'
import { limitFact, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'
import { isWithoutNetflix } from './spring-superseded.js'

/** Hystrix's limit around all tries of a client; undefined where Hystrix is not on for it. */
export function hystrixLimit(application: SpringApplication, command: string, isFeign: boolean, at: Spot): Sourced<LimitMs> | undefined {
  const { settings, draft } = application
  if (isWithoutNetflix(application)) return undefined
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
  if (isFeign) sayOfMethods(application)
  return limitFact(
    {
      draft,
      system: 'hystrix',
      version: null,
      key: 'execution.isolation.thread.timeoutInMilliseconds',
      shown: 'timeoutInMilliseconds',
      at,
    },
    literal(application, names, 'execution.isolation.thread.timeoutInMilliseconds'),
    'int-ms',
  )
}

/** Archaius reads keys letter by letter: `timeout-in-milliseconds` is no key of Hystrix. */
function literal({ settings, draft }: SpringApplication, names: readonly string[], property: string): Written | undefined {
  for (const name of names) {
    const key = `hystrix.command.${name}.${property}`
    const exact = settings.entries.find((entry) => entry.key === key)
    if (exact) return exact.written
    const near = settings.find(key)
    if (near)
      addDead(draft, {
        setting: near.key,
        written: near.written.text,
        spot: near.written.spot,
        because: `Hystrix reads its keys letter by letter: ${property}`,
        effective: 'the next outer value, or the default',
      })
  }
  return undefined
}

/** `StockClient#find(Long)` is one method of a client: what it sets does not hold for the others. */
function sayOfMethods({ settings, draft }: SpringApplication): void {
  for (const { key, written } of settings.entries) {
    const method = /^hystrix\.command\.\[?([\w$]+#\w+\([^)]*\))\]?\.execution\.isolation\.thread\.timeoutInMilliseconds$/.exec(key)?.[1]
    if (method !== undefined)
      addNote(
        draft,
        'unknown',
        written.spot,
        `${written.text} ms holds for ${method} alone; the chain has what holds for the other methods`,
      )
  }
}

/** The threads that Hystrix gives the calls of a client, where they are written. */
export function hystrixThreads({ settings }: SpringApplication, name: string): Sourced<number> | undefined {
  const written = settings.get(`hystrix.threadpool.${name}.core-size`) ?? settings.get(`hystrix.threadpool.default.core-size`)
  return written && /^[1-9]\d{0,5}$/.test(written.text) ? declared(Number(written.text), written.spot) : undefined
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
