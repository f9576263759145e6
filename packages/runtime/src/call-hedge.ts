import type { Attempt, CallRun } from './attempt.js'
import { arm, disarm } from './clock.js'
import { BREAKER_REFUSED, enterBreaker } from './core/breaker.js'
import { type Hedge, recordHedgeLoser, recordHedgeWinner, startHedgeable, tryHedge } from './core/hedge.js'
import { giveBack, takeSlot } from './slots.js'

/** What starts an attempt. */
export type Launch = (
  run: CallRun,
  number: number,
  isLast: boolean,
  ticket: number,
  holdsSlot: boolean,
  nowAt: number,
  isSecond: boolean,
) => void

/** Arms the second copy of a call that has just started its first; `launch` is what starts it. */
export function armHedge(run: CallRun, nowAt: number, launch: Launch): void {
  const { hedge } = run.plan.callee
  if (hedge === null) return
  const sendSecond = (atAt: number): void => {
    run.hedgeEntry = -1
    if (run.first !== undefined && run.second === undefined && run.attempts.endsAt - atAt > run.plan.floorMs)
      trySecond(run, hedge, run.first, atAt, launch)
  }
  // The attempt before may have failed before its copy was due.
  disarm(run.hedgeEntry)
  run.hedgeEntry = arm(nowAt + startHedgeable(hedge, nowAt), { onDue: sendSecond })
}

// A second copy waits for nothing: where the breaker or the bulkhead would have it wait, there is none.
function trySecond(run: CallRun, hedge: Hedge, first: Attempt, nowAt: number, launch: Launch): void {
  const { breaker, slots, retryBudget } = run.plan.callee
  if (breaker !== null && breaker.state !== 'closed') return
  if (slots !== null && !takeSlot(slots, nowAt)) return
  const spent = tryHedge(hedge, retryBudget, nowAt)
  if (spent < 0) {
    if (slots !== null) giveBack(slots, nowAt)
    return
  }
  run.spentTokens += spent
  run.hedged = true
  run.isLater = true
  const ticket = breaker === null ? BREAKER_REFUSED : enterBreaker(breaker, nowAt)
  launch(run, first.attempt + 1, first.isLast, ticket, slots !== null, nowAt, true)
}

/** Cancels the copy that lost, and remembers how long the winner took. */
export function settleHedge(winner: Attempt, nowAt: number): void {
  const { run } = winner
  const { hedge } = run.plan.callee
  if (hedge === null) return
  disarm(run.hedgeEntry)
  run.hedgeEntry = -1
  run.settled = true
  recordHedgeWinner(hedge, nowAt - winner.startedAt, nowAt)
  const loser = run.first ?? run.second
  if (loser === undefined) return
  recordHedgeLoser(hedge, nowAt - loser.startedAt, nowAt)
  loser.cancel('own')
}
