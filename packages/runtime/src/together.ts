import { now } from './clock.js'
import { currentScope } from './context.js'
import { reserveMs } from './core/reserve.js'
import type { DeadlineContext } from './deadline-api.js'
import { ConfigError } from './errors.js'
import { entryFacts } from './request-facts.js'
import { Scope } from './scope.js'
import { settleIn } from './settle-in.js'

/** Names a result cannot go by: ours, the one that would make a promise of the results, the one that is no property. */
const LOST: readonly string[] = ['missing', 'then', '__proto__']

/** Work by name. */
export type Members = Readonly<Record<string, (context: DeadlineContext) => unknown>>

/** What must be there, and what may be missing. */
export interface Together<Required extends Members, Optional extends Members> {
  readonly required: Required
  readonly optional?: Optional
}

/** The results by name; an optional one that failed is absent and named in `missing`. */
export type TogetherResult<Required extends Members, Optional extends Members> = {
  [Name in keyof Required]: Awaited<ReturnType<Required[Name]>>
} & {
  [Name in keyof Optional]?: Awaited<ReturnType<Optional[Name]>>
} & { readonly missing: string[] }

/**
 * Runs all members at once under the present deadline. When a required one fails all others are cancelled at once and its error is thrown;
 * when an optional one fails, or is not there when only the reserve is left, the rest go on. Throws `ConfigError` for a name used twice, and for `missing` and `then`.
 */
export function together<Required extends Members, Optional extends Members>(members: {
  readonly required: Required
  readonly optional: Optional
}): Promise<TogetherResult<Required, Optional>>
export function together<Required extends Members>(members: {
  readonly required: Required
}): Promise<TogetherResult<Required, Record<never, never>>>
export function together(members: Together<Members, Members>): Promise<TogetherResult<Members, Members>> {
  const required = Object.entries(members.required)
  const optional = Object.entries(members.optional ?? {})
  checkNames([...required, ...optional].map(([name]) => name))
  const parent = currentScope()
  const nowAt = now()
  // What is optional must not cost the answer: it ends while there is still time to answer without it.
  const leftMs = parent?.remainingAt(nowAt) ?? Infinity
  const optionalEndsAt = nowAt + leftMs - reserveMs(leftMs, parent?.facts?.reserveMs)
  const group = new Scope(parent, 'together', nowAt, Infinity, undefined, parent?.facts ?? entryFacts(nowAt))
  let failed: { readonly error: unknown } | undefined
  return settleIn(group, async () => {
    const results: Record<string, unknown> = {}
    const missing: string[] = []
    const put =
      (name: string) =>
      (value: unknown): void =>
        void (results[name] = value)
    const waits = [
      ...required.map(([name, fn]) =>
        member(group, name, fn).then(put(name), (error: unknown) => {
          failed ??= { error }
          group.cancel('own', error)
          throw error
        }),
      ),
      ...optional.map(([name, fn]) => member(group, name, fn, optionalEndsAt).then(put(name), () => void missing.push(name))),
    ]
    await Promise.all(waits)
    return Object.assign(results, { missing })
  }).catch((error: unknown) => {
    // The group was cancelled because of this error: it is what happened, the cancellation only followed from it.
    throw group.ending?.whose === 'own' && group.ending.kind === 'cancelled' && failed !== undefined ? failed.error : error
  })
}

function member(group: Scope, name: string, fn: Members[string], endsAt = Infinity): Promise<unknown> {
  const scope = new Scope(group, name, now(), endsAt)
  return settleIn(scope, () => fn(scope))
}

function checkNames(names: readonly string[]): void {
  if (new Set(names).size < names.length) throw new ConfigError('together: a name is used twice')
  const lost = names.find((name) => LOST.includes(name))
  if (lost !== undefined) throw new ConfigError(`together: no member may be called "${lost}"`)
}
