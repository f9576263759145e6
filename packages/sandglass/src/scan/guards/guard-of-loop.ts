import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { spotOf } from '../syntax/module.js'
import { isEndedTogether } from './ended-together.js'
import { endsOnSuccess } from './ends-on-success.js'
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
export function guardOfLoop(node: Node, step: WithinLoops, reckoning: Reckoning): readonly RetryGuard[] {
  if (!endsOnSuccess(node, step.mark)) return []
  const run = runAttempts(node, { call: step.mark, isCaught: step.isCaught, self: null }, reckoning)
  const { count, waits } = step.loop ? passesOf(run, step.loop) : run
  step.loop = run
  if (count !== null && count < 2) return []
  const { module } = reckoning
  const head = { source: module.source, start: node.start, end: Math.min(node.end, 'body' in node ? (node.body as Node).start : node.end) }
  const isTogether = isEndedTogether(node, reckoning)
  const parts = retryParts({ name: 'a loop', count, waits, isDefault: false, isEndedTogether: isTogether })
  return [{ ...parts, isOverList: isOverList(node), at: { node, module }, spot: head, repeats: [...step.repeats, spotOf(node, module)] }]
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
