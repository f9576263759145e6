import { quantileMs, shareWithin } from '../model/latency.js'
import { type PlanCall, type PlanOperation, type PlanOptions, type PlanStage, reserveOf, waitsMs } from './plan-tree.js'

/** What was decided for one call. */
export interface Decision {
  readonly planned: PlanCall
  /** The whole call, all attempts and waits. */
  readonly timeoutMs: number
  /** One attempt; equals the timeout where there is one attempt. */
  readonly attemptMs: number
  readonly attempts: number
  /** What is kept of an attempt's budget for the way back. */
  readonly reserveMs: number
  /** Success of the call within its timeout (independent attempts). */
  readonly success: number
  /** Success of one attempt. */
  readonly attemptSuccess: number
}

export interface StaticPlan {
  readonly success: number
  /** What was maximised: success, and a little for each optional call. */
  readonly value: number
  readonly decisions: readonly Decision[]
}

/** An optional call that succeeds is worth this much beside the required ones. */
const OPTIONAL_UTILITY = 0.1

/** Values by budget (index x grid), with at most no retrying layer (0) or one on each path (1). */
interface Table {
  readonly none: Float64Array
  readonly one: Float64Array
}

interface Solved {
  readonly operation: PlanOperation
  readonly table: Table
  /** Tables of the stages, and the best split of a budget between the first i stages and the next. */
  readonly stages: readonly Table[]
  readonly splits: readonly { readonly none: Int32Array; readonly one: Int32Array }[]
}

/** The exact dynamic programme over a time grid (Bellman): series by max-product convolution, groups share one budget. */
export class StaticPlanner {
  private readonly solved = new Map<PlanOperation, Solved>()
  private readonly points: number

  constructor(
    private readonly root: PlanOperation,
    private readonly budgetMs: number,
    private readonly gridMs: number,
    private readonly options: PlanOptions,
  ) {
    this.points = Math.floor(budgetMs / gridMs + 1e-9) + 1
  }

  plan(): StaticPlan {
    const solved = this.solve(this.root)
    const decisions: Decision[] = []
    this.decide(solved, this.points - 1, 'one', decisions)
    return { success: successOf(this.root, decisions, this.points === 0 ? 0 : this.budgetMs, this.options), value: solved.table.one[this.points - 1] ?? 0, decisions }
  }

  /** The best value for the whole budget, without the decisions. */
  value(): number {
    return this.solve(this.root).table.one[this.points - 1] ?? 0
  }

  private solve(operation: PlanOperation): Solved {
    const known = this.solved.get(operation)
    if (known) return known
    const stages = operation.stages.map((stage) => this.stage(stage))
    const splits: { none: Int32Array; one: Int32Array }[] = []
    let total: Table = this.flat(operation.sound)
    for (const [i, stage] of stages.entries()) {
      if (i === 0) {
        total = { none: scaled(stage.none, operation.sound), one: scaled(stage.one, operation.sound) }
        continue
      }
      const none = convolve(total.none, stage.none)
      const one = convolve(total.one, stage.one)
      splits.push({ none: none.split, one: one.split })
      total = { none: none.best, one: one.best }
    }
    const solved = { operation, table: total, stages, splits }
    this.solved.set(operation, solved)
    return solved
  }

  private flat(value: number): Table {
    const values = new Float64Array(this.points).fill(value)
    return { none: values, one: values }
  }

  private stage(stage: PlanStage): Table {
    const none = new Float64Array(this.points)
    const one = new Float64Array(this.points)
    for (const planned of stage.kind === 'calls' ? stage.calls : []) this.solveBelow(planned)
    for (let k = 0; k < this.points; k++) {
      const budgetMs = k * this.gridMs
      if (stage.kind === 'own') {
        none[k] = one[k] = shareWithin(stage.law, budgetMs)
        continue
      }
      none[k] = one[k] = 1
      for (const planned of stage.calls) {
        none[k] = (none[k] ?? 0) * weighted(planned, this.best(planned, budgetMs, 'none').success)
        one[k] = (one[k] ?? 0) * weighted(planned, this.best(planned, budgetMs, 'one').success)
      }
    }
    return { none, one }
  }

  private solveBelow({ callee }: PlanCall): void {
    if (!isPlainLeaf(callee)) this.solve(callee)
  }

  /** The best attempts for a call with a budget; fewer attempts win a tie. */
  private best(planned: PlanCall, budgetMs: number, retries: keyof Table): Decision {
    const heldMs = planned.fixedMs ?? Math.min(budgetMs, planned.capMs)
    let best = this.attempt(planned, heldMs, 1, retries)
    if (planned.fixedMs !== null && planned.fixedMs > budgetMs) return { ...best, success: 0, attemptSuccess: 0 }
    const most = retries === 'one' ? planned.maxAttempts : 1
    for (let attempts = 2; attempts <= most; attempts++) {
      const next = this.attempt(planned, heldMs, attempts, 'none')
      if (next.success > best.success + 1e-12) best = next
    }
    return best
  }

  private attempt(planned: PlanCall, heldMs: number, attempts: number, below: keyof Table): Decision {
    const attemptMs = Math.max(0, (heldMs - waitsMs(planned, attempts)) / attempts)
    const reserveMs = reserveOf(planned.call, attemptMs, this.options)
    const attemptSuccess = attemptMs < planned.leastAttemptMs ? 0 : this.within(planned, attemptMs - planned.networkMs - reserveMs, below)
    const success = 1 - (1 - attemptSuccess) ** attempts
    return { planned, timeoutMs: heldMs, attemptMs, attempts, reserveMs, success, attemptSuccess }
  }

  /** Success of one attempt that has `insideMs` at the callee. */
  private within({ callee }: PlanCall, insideMs: number, below: keyof Table): number {
    if (insideMs < 0) return 0
    const stage = callee.stages[0]
    if (isPlainLeaf(callee)) return callee.sound * (stage?.kind === 'own' ? shareWithin(stage.law, insideMs) : 1)
    return this.solve(callee).table[below][this.indexOf(insideMs)] ?? 0
  }

  private indexOf(ms: number): number {
    return Math.min(this.points - 1, Math.max(0, Math.floor(ms / this.gridMs + 1e-9)))
  }

  private decide(solved: Solved, index: number, retries: keyof Table, out: Decision[]): void {
    let left = index
    for (let i = solved.stages.length - 1; i >= 0; i--) {
      const before = i === 0 ? left : (solved.splits[i - 1]?.[retries][left] ?? 0)
      const given = i === 0 ? left : left - before
      const stage = solved.operation.stages[i]
      if (stage?.kind === 'calls') for (const planned of stage.calls) this.decideCall(planned, given * this.gridMs, retries, out)
      left = before
    }
  }

  private decideCall(planned: PlanCall, budgetMs: number, retries: keyof Table, out: Decision[]): void {
    const decision = this.best(planned, budgetMs, retries)
    out.push(decision)
    if (isPlainLeaf(planned.callee)) return
    const insideMs = decision.attemptMs - planned.networkMs - decision.reserveMs
    this.decide(this.solve(planned.callee), this.indexOf(insideMs), decision.attempts > 1 ? 'none' : retries, out)
  }
}

/** A leaf: its own law is all there is, and can be asked for any time, not only for grid points. */
export function isPlainLeaf(operation: PlanOperation): boolean {
  return operation.stages.every((stage) => stage.kind === 'own')
}

/** A call made by a share of requests succeeds for the others; an optional one only adds utility. */
function weighted({ call }: PlanCall, success: number): number {
  const shared = 1 - call.share.value * (1 - success)
  return call.optional.value ? (1 + OPTIONAL_UTILITY * shared) / (1 + OPTIONAL_UTILITY) : shared
}

function scaled(values: Float64Array, by: number): Float64Array {
  return values.map((value) => value * by)
}

function convolve(first: Float64Array, second: Float64Array): { best: Float64Array; split: Int32Array } {
  const { length } = first
  const best = new Float64Array(length)
  const split = new Int32Array(length)
  for (let k = 0; k < length; k++) {
    let most = -1
    let at = 0
    for (let i = 0; i <= k; i++) {
      const value = (first[i] as number) * (second[k - i] as number)
      if (value > most) {
        most = value
        at = i
      }
    }
    best[k] = most
    split[k] = at
  }
  return { best, split }
}

/** Success of the required part: own work within what its calls leave of the budget, and every required call within its timeout. */
export function successOf(operation: PlanOperation, decisions: readonly Decision[], budgetMs: number, options: PlanOptions): number {
  const byCall = new Map(decisions.map((decision) => [decision.planned, decision]))
  const stageMs = (stage: PlanStage): number => (stage.kind === 'own' ? 0 : stage.calls.reduce((most, planned) => Math.max(most, byCall.get(planned)?.timeoutMs ?? 0), 0))
  const inside = (target: PlanOperation, insideMs: number): number => {
    const calls = target.stages.reduce((sum, stage) => sum + stageMs(stage), 0)
    let success = target.sound
    for (const stage of target.stages) {
      if (stage.kind === 'own') success *= shareWithin(stage.law, Math.max(0, insideMs - calls))
      else for (const planned of stage.calls) if (!planned.call.optional.value) success *= shared(planned, callSuccess(planned))
    }
    return success
  }
  const callSuccess = (planned: PlanCall): number => {
    const decision = byCall.get(planned)
    if (!decision || decision.timeoutMs <= 0) return 0
    const insideMs = decision.attemptMs - planned.networkMs - reserveOf(planned.call, decision.attemptMs, options)
    if (insideMs < 0) return 0
    return 1 - (1 - inside(planned.callee, insideMs)) ** decision.attempts
  }
  return inside(operation, budgetMs)
}

function shared({ call }: PlanCall, success: number): number {
  return 1 - call.share.value * (1 - success)
}

/** The share of healthy answers that an attempt bound kills: 1 - F(t) of a leaf, its network included. */
export function falseKillOf(planned: PlanCall, attemptMs: number): number {
  const own = planned.callee.stages.find((stage) => stage.kind === 'own')
  if (!isPlainLeaf(planned.callee) || own?.kind !== 'own') return 0
  return 1 - shareWithin(own.law, attemptMs - planned.networkMs)
}

/** The callee's median with its own callees' floors: the least time with which a call is worth starting. */
export function floorOf(operation: PlanOperation, options: PlanOptions): number {
  let belowMs = 0
  let medianMs = 0
  for (const stage of operation.stages) {
    if (stage.kind === 'own') {
      medianMs += quantileMs(stage.law, 0.5)
      continue
    }
    const required = stage.calls.filter(({ call }) => !call.optional.value)
    belowMs += required.reduce((most, { callee, call, networkMs }) => {
      const floorMs = floorOf(callee, options) + networkMs
      return Math.max(most, floorMs + reserveOf(call, floorMs, options))
    }, 0)
  }
  return medianMs + belowMs
}
