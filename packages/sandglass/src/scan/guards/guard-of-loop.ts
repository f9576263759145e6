import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { spotOf } from '../syntax/module.js'
import { functionAround } from '../terms/evaluator.js'
import { beginnings } from './beginnings.js'
import { isEndedTogether } from './ended-together.js'
import { endsOnSuccess } from './ends-on-success.js'
import type { FunctionUses } from './function-uses.js'
import type { RetryGuard } from './guard.js'
import { isOverList } from './over-list.js'
import type { Reckoning } from './reckon.js'
import { type AttemptRun, runAttempts } from './run-attempts.js'
import { retryParts } from './wrapping.js'

/** What is known of a call in a loop on the way out of its function. */
export interface WithinLoops {
  /** The place in the present function that leads to the call. */
  mark: Node
  isCaught: boolean
  repeats: readonly Spot[]
  /** The loop before this one that the call stands in. */
  loop: AttemptRun | null
}

/** A loop that makes a call again when it has failed. */
export function guardOfLoop(
  node: Node,
  step: WithinLoops,
  { reckoning, uses }: { readonly reckoning: Reckoning; readonly uses: FunctionUses },
): readonly RetryGuard[] {
  if (!endsOnSuccess(node, step.mark)) return []
  const run = mostOf(node, step, { reckoning, uses })
  const { count, waits } = step.loop ? passesOf(run, step.loop) : run
  step.loop = run
  if (count !== null && count < 2) return []
  const { module } = reckoning
  const head = { source: module.source, start: node.start, end: Math.min(node.end, 'body' in node ? (node.body as Node).start : node.end) }
  const isTogether = isEndedTogether(node, reckoning)
  const parts = retryParts({ name: 'a loop', count, waits, isDefault: false, isEndedTogether: isTogether })
  return [{ ...parts, isOverList: isOverList(node), at: { node, module }, spot: head, repeats: [...step.repeats, spotOf(node, module)] }]
}

/** As its function's callers have it where it does not say itself how often: the one with the most. */
function mostOf(node: Node, { mark, isCaught }: WithinLoops, where: { readonly reckoning: Reckoning; readonly uses: FunctionUses }) {
  const runIn = (reckoning: Reckoning) => runAttempts(node, { call: mark, isCaught, self: null }, reckoning)
  const run = runIn(where.reckoning)
  const of = run.count === null ? functionAround(node) : null
  if (!of || where.uses.handedOver(of).length > 0) return run
  const [first, ...others] = beginnings(of, where).map(runIn)
  return others.reduce((a, b) => (a.count === null || (b.count !== null && b.count <= a.count) ? a : b), first ?? run)
}

/** What of the attempts of a loop are its own, where another one within it makes some of them each time. */
function passesOf({ count, waits }: AttemptRun, inner: AttemptRun): AttemptRun {
  const { count: each } = inner
  if (count === null || each === null || each < 2 || !Number.isFinite(count)) return { count, waits }
  // What is waited after the last attempt of the inner one is counted there.
  const isCounted = (inner.waits?.length ?? 0) >= each
  const own = waits?.filter((_, k) => (k + 1) % each === 0).map((wait) => (isCounted ? ([0, 0] as const) : wait)) ?? null
  return { count: Math.ceil(count / each), waits: own }
}
