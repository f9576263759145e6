import { formatDuration, fullAfterMs, largestBoundMs, saturatesAtPerS, slotsHeld } from '@sandglass/runtime/core'
import { boundMs, ownBounds } from '../model/arithmetic.js'
import { breakerOpensAfterMs } from '../model/breaker-opens.js'
import type { Call } from '../model/chain.js'
import { advice, anyOf, type Change } from '../model/change.js'
import type { Diagnostic, Factor, Severity } from '../model/diagnostic.js'
import { boundFactors, boundInWords, factor } from '../model/factors.js'
import { findingAt, type Rule, visitsWhere, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import { type Slots, slotsOf } from '../model/slots.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { decidingLimit } from './measure/limit-spot.js'
import { shortenings } from './measure/shorten.js'
import { tailOf } from './measure/tail.js'

/** Above this share of its slots a pool has nothing left for a bad minute. */
const WARN_FROM = 0.8

/** One pool under hanging calls; rates are those of one instance. */
interface Hold {
  readonly slots: number
  readonly pool: Slots
  readonly ratePerS: number
  readonly totalPerS: number
  readonly boundMs: number
  readonly heldSlots: number
}

function holdOf(view: View, { call, bound }: Visit): Hold | null {
  return holdWith(view, call, boundMs(bound))
}

function holdWith(view: View, call: Call, held: number | null): Hold | null {
  const pool = slotsOf(call)
  const slots = pool?.size.value
  const totalPerS = view.flow.callRatePerS(call)
  const instances = call.from.service.instances.value
  if (held === null || call.async.value || !pool || typeof slots !== 'number' || typeof instances !== 'number' || !totalPerS) return null
  const ratePerS = totalPerS / instances
  return { slots, pool, ratePerS, totalPerS, boundMs: held, heldSlots: slotsHeld(ratePerS, held) }
}

function severityOf(call: Call, hold: Hold): Severity | null {
  if (hold.heldSlots < WARN_FROM * hold.slots) return null
  if (call.breaker || (call.bulkhead && call.bulkhead.value !== 'none')) return 'info'
  return hold.heldSlots > hold.slots ? 'error' : 'warning'
}

function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}

const poolWords: Readonly<Record<Slots['kind'], string>> = {
  bulkhead: 'slots of its bulkhead',
  pool: 'slots of its pool',
  concurrency: 'slots',
}

/** What the breaker and the bulkhead on a call change: the severity is lower, and this is why. */
function mitigation(visit: Visit, hold: Hold): string {
  const { call } = visit
  const walls = hold.pool.kind === 'bulkhead' ? 'only this call is affected, because it has a bulkhead' : ''
  if (!call.breaker) return walls
  const opensMs = breakerOpensAfterMs(visit, hold.ratePerS, hold.slots)
  if (opensMs === null) return walls
  const fullMs = hold.heldSlots > hold.slots ? Math.max(0, opensMs - fullAfterMs(hold.slots, hold.ratePerS)) : 0
  const open = `the breaker opens ${formatDuration(Math.round(opensMs))} after the callee hangs; until then the pool is full for ${formatDuration(Math.round(fullMs))}`
  return walls ? `${walls}; ${open}` : open
}

function message(visit: Visit, hold: Hold): string {
  const { call } = visit
  const who = call.from.service.name
  const each = hold.totalPerS === hold.ratePerS ? '' : ' of an instance'
  if (hold.heldSlots > hold.slots) {
    return `a hanging ${call.to.value} fills all ${hold.slots} ${poolWords[hold.pool.kind]}${each} of ${who} after ${formatDuration(Math.round(fullAfterMs(hold.slots, hold.ratePerS)))}, because each call holds one for ${formatDuration(hold.boundMs)}`
  }
  return `a hanging ${call.to.value} holds ${rounded(hold.heldSlots)} of ${hold.slots} ${poolWords[hold.pool.kind]}${each} of ${who}`
}

/** A bound that keeps below 80 % of the slots (at 80 % it is reported again); none where that would end healthy answers. */
function shorter(view: View, visit: Visit, hold: Hold): Change | null {
  const { callee } = visit.call
  const targetMs = Math.ceil(largestBoundMs(hold.slots, hold.ratePerS)) - 1
  const healthyMs = tailOf(callee)?.p99Ms ?? (callee ? view.typicalMs(callee) : 0)
  if (targetMs < 1 || healthyMs > targetMs || decidingLimit(visit)?.limit.fixed) return null
  return shortenings(visit, targetMs)[0] ?? advice(`a bound of at most ${formatDuration(targetMs)}`)
}

/** More instances spread the calls; a bulkhead is there to be filled, and needs none. */
function moreInstances(call: Call, hold: Hold): Change | null {
  const now = call.from.service.instances.value
  const needed = Math.floor((hold.totalPerS * hold.boundMs) / (WARN_FROM * 1000 * hold.slots) + 1e-9) + 1
  return hold.pool.kind !== 'bulkhead' && typeof now === 'number' && needed > now ? advice(`instances ${now} -> ${needed}`) : null
}

function rateFactor(view: View, call: Call): Factor[] {
  const rates = view.journeys.flatMap(({ journey }) =>
    typeof journey.ratePerS?.value === 'number' ? [{ name: `${journey.name} rate`, sourced: journey.ratePerS as Sourced<number> }] : [],
  )
  const share = call.share.value === 1 ? [] : [factor('share', call.share, 'share')]
  return [...rates.map(({ name, sourced }) => factor(name, sourced, 'perS')), ...share]
}

function finding(view: View, visit: Visit, hold: Hold, severity: Severity): Diagnostic {
  const { call } = visit
  const note = mitigation(visit, hold)
  const limit = call.timeoutMs ?? call.attemptMs ?? call.silenceMs ?? call.to
  return findingAt(visit, {
    rule: 'pool-exhausted',
    severity,
    message: `${message(visit, hold)}${note ? `; ${note}` : ''}`,
    arithmetic: `${rounded(hold.ratePerS)}/s x ${boundInWords(visit)} = ${rounded(hold.heldSlots)} slots, of ${hold.slots}; full, it completes ${rounded(saturatesAtPerS(hold.slots, hold.boundMs))}/s`,
    why: 'Once the pool is full every other request waits as well: one slow callee becomes an outage of its caller.',
    spot: limit.origin.spot,
    label: 'a hung call holds its slot so long',
    related: [{ spot: hold.pool.size.origin.spot, label: `${hold.slots} slots` }],
    values: {
      slots: hold.slots,
      ratePerS: hold.ratePerS,
      boundMs: hold.boundMs,
      heldSlots: hold.heldSlots,
      saturatesAtPerS: saturatesAtPerS(hold.slots, hold.boundMs),
      fullAfterMs: fullAfterMs(hold.slots, hold.ratePerS),
      largestBoundMs: largestBoundMs(hold.slots, hold.ratePerS),
    },
    factors: [
      ...rateFactor(view, call),
      factor('instances', call.from.service.instances, 'count'),
      factor(hold.pool.kind, hold.pool.size, 'count'),
      ...boundFactors(call),
    ],
    suggestion: anyOf([shorter(view, visit, hold), moreInstances(call, hold)]),
  })
}

/** A budget only shortens a call: with its own bound it holds as many slots as it ever does. */
function mayFill(view: View, call: Call): boolean {
  const { total } = ownBounds(call)
  if (total.state !== 'bounded') return true
  const hold = holdWith(view, call, total.ms)
  return hold !== null && severityOf(call, hold) !== null
}

function* check(view: View): Iterable<Diagnostic> {
  const visits = visitsWhere(view, (call) => mayFill(view, call))
  for (const visit of worstVisits(visits, (candidate) => holdOf(view, candidate)?.heldSlots ?? null)) {
    const hold = holdOf(view, visit)
    const severity = hold && severityOf(visit.call, hold)
    if (hold && severity) yield finding(view, visit, hold, severity)
  }
}

/** A hanging callee fills the slots of its caller. */
export const poolExhausted: Rule = {
  id: 'pool-exhausted',
  severity: 'error',
  summary: 'a hanging callee fills the pool',
  check,
}
