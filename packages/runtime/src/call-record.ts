import type { CallRun } from './attempt.js'
import type { Explanation } from './call-error.js'
import type { Degraded } from './call-options.js'
import type { ErrorCode } from './core/outcome.js'
import { reserveMs } from './core/reserve.js'
import { type CallRecord, publish } from './observe.js'

/** How a call ended, for its record. */
export interface CallEnd {
  readonly endedAt: number
  readonly usage: CallRecord['usage']
  readonly explanation: Explanation | undefined
  readonly code: ErrorCode | undefined
  readonly degraded: Degraded | null
  readonly loopDelayMs: number
}

/** Publishes a call's record when its work has stopped, or has been watched for long enough. Only to be asked when somebody listens. */
export function recordCall(run: CallRun, end: CallEnd): void {
  run.publish = () => {
    const record = callRecord(run, end)
    if (run.here === undefined) publish(record)
    else run.here.runInAsyncScope(publish, undefined, record)
  }
  if (run.lingering === 0) flushRecord(run)
}

/** Publishes what `recordCall` held back. */
export function flushRecord(run: CallRun): void {
  const publishNow = run.publish
  run.publish = undefined
  publishNow?.()
  if (publishNow !== undefined) run.here?.emitDestroy()
}

function callRecord(run: CallRun, end: CallEnd): CallRecord {
  const { plan, parent, startedAt } = run
  const budgetInMs = parent === undefined ? Infinity : Math.max(0, parent.endsAt - startedAt)
  const { degraded, explanation } = end
  return {
    kind: 'call',
    call: plan.name,
    does: plan.does,
    request: parent?.facts?.request ?? 0,
    enteredAt: parent?.facts?.enteredAt ?? startedAt,
    startedAt,
    endedAt: end.endedAt,
    budgetInMs,
    handedDownMs: run.grantedMs,
    usedMs: end.endedAt - startedAt,
    reserveMs: reserveMs(budgetInMs, run.attempts.plan.reserveMs),
    execution: explanation?.outcome ?? 'succeeded',
    usage: end.usage,
    whose: explanation?.whose,
    code: end.code,
    attempts: run.started,
    hedged: run.hedged,
    stopped: explanation?.stopped ?? 'succeeded',
    queueMs: run.queueMs,
    loopDelayMs: end.loopDelayMs,
    cancelled: end.code === 'CANCELLED',
    wentOnMs: run.lingering > 0 ? undefined : (run.wentOnMs ?? 0),
    degraded:
      degraded === null ? undefined : { call: plan.name, tier: degraded.tier, ...(degraded.ageMs !== null && { ageMs: degraded.ageMs }) },
    wouldHave: run.wouldHave ?? [],
  }
}
