import { formatDuration } from '@sandglass/runtime/core'
import { boundMs } from '../model/arithmetic.js'
import type { Call, Operation, Step } from '../model/chain.js'
import { advice, type Change } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundFactors, layerFactors, ownTimeFactors } from '../model/factors.js'
import { findingIn, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { boundSpot, layerSpot } from './measure/limit-spot.js'
import { lengthening, shortenings } from './measure/shorten.js'
import { listed, overflows, type Sum, type SummedStep, sumInWords, sumOf } from './measure/sums.js'
import { tightArrivals } from './measure/tight.js'

function* check(view: View): Iterable<Diagnostic> {
  for (const sum of worstOverflows(view)) yield findingOf(view, sum)
}

/** One sum for each operation and caller, the one that is furthest over. */
function worstOverflows(view: View): Sum[] {
  const worst = new Map<Call | Operation, Sum>()
  for (const arrival of tightArrivals(view)) {
    const sum = sumOf(view, arrival)
    if (!sum || !overflows(sum)) continue
    const key = arrival.via?.call ?? arrival.operation
    const before = worst.get(key)
    if (!before || sum.worstMs - sum.caller.ms > before.worstMs - before.caller.ms) worst.set(key, sum)
  }
  return [...worst.values()]
}

function findingOf(view: View, sum: Sum): Diagnostic {
  const { arrival, caller, worstMs } = sum
  const { operation } = arrival
  const overByMs = worstMs - caller.ms
  const has = caller.operation === operation ? 'it has' : `${caller.operation.id} waits`
  const longest = longestOf(view, sum)
  return findingIn(arrival, {
    rule: 'does-not-fit',
    severity: 'error',
    message: `the steps of ${operation.id} add up to ${formatDuration(worstMs)}, ${formatDuration(overByMs)} more than the ${formatDuration(caller.ms)} ${has}`,
    arithmetic: `${sumInWords(sum)} > ${formatDuration(caller.ms)}`,
    why: 'When the steps before are slow, the last ones run for a caller that has already given up.',
    spot: longest ? boundSpot(longest).spot : operation.spot,
    label: 'the longest of its steps',
    related: [layerSpot(caller)],
    values: { worstMs, callerBoundMs: caller.ms, overByMs },
    factors: [
      ...ownTimeFactors(operation),
      ...view
        .visitsIn(arrival)
        .flatMap(({ call }) => boundFactors(call).map((part) => ({ ...part, name: `${call.to.value} ${part.name}` }))),
      ...layerFactors(caller),
    ],
    suggestion: suggest(view, sum, longest),
  })
}

function longestOf(view: View, sum: Sum): Visit | null {
  const longest = sum.steps.reduce<SummedStep | null>((best, step) => (best && best.ms >= step.ms ? best : step), null)
  if (!longest) return null
  const calls = callsOf(longest.step)
  const visits = view.visitsIn(sum.arrival).filter((visit) => calls.includes(visit.call))
  return visits.find((visit) => boundMs(visit.bound) === longest.ms) ?? null
}

function callsOf(step: Step): readonly Call[] {
  return step.kind === 'call' ? [step.call] : step.calls
}

/** What a change leads to: `12 s in all, fits`. */
function resultText(resultMs: number, { caller, marginMs }: Sum): string {
  const spare = caller.ms - resultMs
  const verdict = exceeds(resultMs, caller.ms)
    ? `still ${formatDuration(-spare)} too much`
    : exceeds(resultMs + marginMs, caller.ms) || marginMs + spare === 0
      ? 'fits with nothing to spare'
      : 'fits'
  return `${formatDuration(resultMs)} in all, ${verdict}`
}

function fits(resultMs: number, { caller, marginMs }: Sum): boolean {
  return !exceeds(resultMs + marginMs, caller.ms)
}

function suggest(view: View, sum: Sum, longest: Visit | null): Suggestion | null {
  const ways = [inParallel(sum), fewerTries(view, sum), shorter(sum, longest)].filter((way) => way !== null)
  if (ways.length === 0) return null
  const edits = ways.find((way) => way.edits.length > 0)?.edits ?? []
  return { text: ways.map(({ text }) => text).join('; or '), edits }
}

/** The fewest of the longest steps that have to run together; all of them where even that is too much. */
function inParallel(sum: Sum): Change | null {
  const longestFirst = [...sum.steps].sort((a, b) => b.ms - a.ms)
  const serial = sum.worstMs
  let tightest: { steps: readonly SummedStep[]; ms: number } | null = null
  for (let count = 2; count <= longestFirst.length; count++) {
    const together = longestFirst.slice(0, count)
    const ms = serial - together.slice(1).reduce((saved, step) => saved + step.ms, 0)
    tightest = { steps: together, ms }
    if (fits(ms, sum)) break
  }
  if (!tightest || sum.isCut) return null
  const inOrder = sum.steps.filter((step) => tightest.steps.includes(step))
  return advice(
    `run ${listed(inOrder.flatMap(({ step }) => callsOf(step).map((call) => call.to.value)))} in parallel if none needs another's answer (${resultText(tightest.ms, sum)})`,
  )
}

/** One attempt instead of several, first where that alone is enough, else everywhere. */
function fewerTries(view: View, sum: Sum): Change | null {
  const retried = view.visitsIn(sum.arrival).filter((visit) => triesSavedMs(visit) > 0)
  if (retried.length === 0 || sum.isCut) return null
  const alone = retried.find((visit) => fits(worstWith(view, sum, [visit]), sum))
  const dropped = alone ? [alone] : retried
  const names = listed(dropped.map((visit) => `${visit.call.to.value} attempts ${visit.call.attempts.value} -> 1`))
  return advice(`${names} (${resultText(worstWith(view, sum, dropped), sum)})`)
}

function triesSavedMs({ call, own, bound }: Visit): number {
  if (call.attempts.value === 1 || call.async.value || bound.state !== 'bounded' || own.attempt.state !== 'bounded') return 0
  return Math.max(0, bound.ms - own.attempt.ms)
}

function worstWith(view: View, sum: Sum, dropped: readonly Visit[]): number {
  const bounds = new Map(
    view
      .visitsIn(sum.arrival)
      .map((visit) => [visit.call, (boundMs(visit.bound) ?? 0) - (dropped.includes(visit) ? triesSavedMs(visit) : 0)]),
  )
  return (
    sum.ownMs +
    sum.steps.reduce(
      (total, { step }) => total + Math.max(...callsOf(step).map((call) => (call.async.value ? 0 : (bounds.get(call) ?? 0)))),
      0,
    )
  )
}

/** The longest step, as short as it has to be. */
function shorter(sum: Sum, longest: Visit | null): Change | null {
  if (!longest || sum.isCut) return null
  const { worstMs, marginMs, caller } = sum
  const over = worstMs + marginMs - caller.ms
  const target = (boundMs(longest.bound) ?? 0) - over
  const [way] = shortenings(longest, target)
  if (!way) return lengthening(longest, caller, worstMs + marginMs)
  const inGroup = sum.steps.some(({ step }) => step.kind === 'parallel' && step.calls.includes(longest.call))
  return { text: `${longest.call.to.value} ${way.text} (${inGroup ? 'at best ' : ''}${resultText(worstMs - over, sum)})`, edits: way.edits }
}

/** The steps of an operation take longer than its caller waits, though each alone would fit. */
export const doesNotFit: Rule = { id: 'does-not-fit', severity: 'error', summary: 'the steps add up to more than the layer has', check }
