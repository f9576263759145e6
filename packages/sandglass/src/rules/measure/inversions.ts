import { formatDuration } from '@sandglass/runtime/core'
import type { Call, Operation } from '../../model/chain.js'
import { anyOf, changeLimit } from '../../model/change.js'
import type { Consequence, Diagnostic, Suggestion } from '../../model/diagnostic.js'
import { boundInWords, layerFactors } from '../../model/factors.js'
import { roomMs } from '../../model/room.js'
import { findingAt } from '../../model/rule.js'
import { type Arrival, type Layer, pathOf, type Visit } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { exceeds } from './exceeds.js'
import { ladderOf, type Rung } from './ladder.js'
import { boundSpot, heldFactors, layerSpot } from './limit-spot.js'
import { oncePerView } from './once-per-view.js'
import { lengthening, shortenings } from './shorten.js'
import { tightArrivals } from './tight.js'

/** A call that may take longer than the layer that waits for it. */
export interface Inversion {
  readonly visit: Visit
  readonly boundMs: number
  /** The layer right outside, and the tightest of all outside: the same one, or one further out. */
  readonly caller: Layer
  readonly tightest: Layer
  /** How long work may go on after the tightest layer has given up. */
  readonly orphanedMs: number
}

/** The inversion of a call in a situation: bound(c) > its immediate callerBound, both known; null where there is none. */
export function inversionOf(visit: Visit): Inversion | null {
  const { call, bound, arrival } = visit
  const { caller, tightest } = arrival
  if (call.async.value || bound.state !== 'bounded' || arrival.callerBound.state !== 'bounded' || !caller || !tightest) return null
  if (!exceeds(bound.ms, caller.ms)) return null
  return { visit, boundMs: bound.ms, caller, tightest, orphanedMs: bound.ms - tightest.ms }
}

/** True where the layer that gives up is a client: a person leaves, not a program. */
function isClient({ caller }: Inversion): boolean {
  return caller.operation.service.kind.value === 'client'
}

/** The inversion of each call that has one, in the situation with the most orphaned time. */
const worstInversions: (view: View) => ReadonlyMap<Call, Inversion> = oncePerView((view) => {
  const worst = new Map<Call, Inversion>()
  for (const { visits } of tightArrivals(view)) for (const visit of visits) keepWorst(worst, visit)
  return worst
})

function keepWorst(worst: Map<Call, Inversion>, visit: Visit): void {
  const inversion = inversionOf(visit)
  if (!inversion) return
  const before = worst.get(visit.call)
  if (!before || inversion.orphanedMs > before.orphanedMs) worst.set(visit.call, inversion)
}

/**
 * Calls that outlive the tightest layer outside but not their own caller, by the nearest call above them that is inverted or has no
 * bound: they follow from that one.
 */
export const followersOf: (view: View) => ReadonlyMap<Call, readonly Consequence[]> = oncePerView((view) => {
  const roots = new Map<Arrival, Visit | null>()
  const followers = new Map<Call, Map<Call, { over: number; visit: Visit; tightest: Layer }>>()
  const inverted = worstInversions(view)
  for (const visit of view.situations.visits) {
    const { call, bound, arrival } = visit
    if (!roots.has(arrival)) roots.set(arrival, rootOf(arrival, roots))
    const root = roots.get(arrival)
    const { tightest } = arrival
    if (!root || !tightest || bound.state !== 'bounded' || call.async.value || inverted.has(call)) continue
    const over = bound.ms - tightest.ms
    if (!exceeds(over, 0)) continue
    const known = followers.get(root.call) ?? new Map<Call, { over: number; visit: Visit; tightest: Layer }>()
    if (over > (known.get(call)?.over ?? 0)) known.set(call, { over, visit, tightest })
    followers.set(root.call, known)
  }
  return new Map(
    [...followers].map(([root, known]) => [root, [...known.values()].map(({ visit, tightest }) => followerOf(visit, tightest))]),
  )
})

function rootOf({ via }: Arrival, roots: ReadonlyMap<Arrival, Visit | null>): Visit | null {
  if (!via || via.call.async.value) return null
  return via.bound.state === 'unbounded' || inversionOf(via) ? via : (roots.get(via.arrival) ?? null)
}

function followerOf(visit: Visit, tightest: Layer): Consequence {
  const { call, bound } = visit
  const boundMs = bound.state === 'bounded' ? bound.ms : 0
  const orphanedMs = boundMs - tightest.ms
  return {
    message: `${call.from.id} may wait ${formatDuration(boundMs)} for ${call.to.value}, ${formatDuration(orphanedMs)} longer than ${tightest.operation.id} waits`,
    path: pathOf(visit),
    values: { boundMs, callerBoundMs: tightest.ms, orphanedMs },
    spot: boundSpot(visit).spot,
  }
}

/** The findings of one of the two rules about inversions: where a client gives up first, and everywhere else. */
export function* inversionFindings(view: View, rule: 'inverted' | 'client-gives-up-first'): Iterable<Diagnostic> {
  const found = [...worstInversions(view).values()].filter((inversion) => isClient(inversion) === (rule === 'client-gives-up-first'))
  if (found.length === 0) return
  const followers = followersOf(view)
  const ladder = ladderOf(view)
  for (const { inversion, same } of byCause(found)) {
    const alike = same.map(({ visit, tightest }) => followerOf(visit, tightest))
    yield findingOf(view, inversion, rule, [...alike, ...(followers.get(inversion.visit.call) ?? [])], ladder.get(inversion.visit))
  }
}

interface Cause {
  readonly inversion: Inversion
  /** Other calls of the same operation that outlive its caller for the same reason. */
  readonly same: Inversion[]
}

/** Calls cut by one budget that their operation starts itself have one cause, its length: the first of them speaks for all. */
function byCause(found: readonly Inversion[]): readonly Cause[] {
  const started = new Map<Operation, Cause>()
  const causes: Cause[] = []
  for (const inversion of found) {
    const { inherited, arrival } = inversion.visit
    const known = inherited ? started.get(arrival.operation) : undefined
    if (known) {
      known.same.push(inversion)
      continue
    }
    const cause = { inversion, same: [] }
    if (inherited) started.set(arrival.operation, cause)
    causes.push(cause)
  }
  return causes
}

function findingOf(
  view: View,
  inversion: Inversion,
  rule: 'inverted' | 'client-gives-up-first',
  consequences: readonly Consequence[],
  rung: Rung | undefined,
): Diagnostic {
  const { visit, boundMs, caller, tightest, orphanedMs } = inversion
  const related = caller === tightest || caller.ms === tightest.ms ? [layerSpot(caller)] : [layerSpot(caller), layerSpot(tightest)]
  const outer = caller.ms === tightest.ms ? [] : layerFactors(tightest)
  return findingAt(visit, {
    rule,
    severity: 'error',
    message: rule === 'inverted' ? sentence(inversion) : clientSentence(inversion),
    arithmetic: `${boundInWords(visit)} > ${formatDuration(tightest.ms)}, by ${formatDuration(orphanedMs)}`,
    why:
      rule === 'inverted'
        ? 'The caller has given up and nobody takes the answer, while the work goes on and holds its slots.'
        : 'The user sees a failure, while the servers go on working for nobody and hold their slots.',
    ...boundSpot(visit),
    related,
    values: { boundMs, callerBoundMs: tightest.ms, orphanedMs, tightest: tightest.operation.id },
    factors: [...heldFactors(visit), ...layerFactors(caller), ...outer],
    consequences,
    suggestion: suggest(view, inversion, rung),
  })
}

function sentence({ visit, boundMs, caller, tightest }: Inversion): string {
  const { from, to } = visit.call
  const also = caller.ms === tightest.ms ? '' : `, and ${tightest.operation.id} already after ${formatDuration(tightest.ms)}`
  if (caller.operation === from)
    return `${from.id} gives up after ${formatDuration(caller.ms)}${also}, but lets its call to ${to.value} take ${formatDuration(boundMs)}`
  return `${from.id} can outlive its caller: it may wait ${formatDuration(boundMs)} for ${to.value}, ${caller.operation.id} gives up after ${formatDuration(caller.ms)}${also}`
}

function clientSentence({ visit, boundMs, caller, tightest, orphanedMs }: Inversion): string {
  const { from, to } = visit.call
  const already = caller.ms === tightest.ms ? '' : ` (${tightest.operation.id} already after ${formatDuration(tightest.ms)})`
  return `the client leaves before the answer: ${caller.operation.id} waits ${formatDuration(caller.ms)}${already}, ${from.id} may wait ${formatDuration(boundMs)} for ${to.value}, ${formatDuration(orphanedMs)} longer`
}

/** The call's new bound is what its caller has after its own change, minus network, reserve and the other steps where they leave something; a fixed one needs a longer caller. */
function suggest(view: View, { visit, boundMs, caller }: Inversion, rung: Rung | undefined): Suggestion | null {
  const outerMs = rung?.outerMs ?? caller.ms
  const marginMs = rung?.marginMs ?? 0
  const { budget, operation } = visit.arrival
  if (visit.inherited && budget?.source === 'request')
    return anyOf([changeLimit(`${operation.id} limits.request`, operation.limits?.requestMs, outerMs - marginMs)])
  const room = Math.floor(roomMs(view, visit) ?? 0)
  const ways = shortenings(visit, room >= 1 ? Math.min(room, outerMs - marginMs) : outerMs - marginMs)
  if (ways.length === 0) return anyOf([lengthening(visit, caller, boundMs + marginMs)])
  const whole = anyOf(ways)
  return whole && marginMs === 0 ? { ...whole, text: `${whole.text} (the most that fits: no network or reserve is declared)` } : whole
}
