import { quantileMs, shareWithin } from '../model/latency.js'
import { bestSplit } from './best-split.js'
import { leastOf } from './floor.js'
import { type PlanCall, reserveOf, waitsMs } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import { isPlainLeaf, ownLaw, type PlanOperation, type PlanStage } from './plan-tree.js'
import { type Decision, sharedSuccess } from './static-success.js'

/** An optional call that succeeds is worth this much beside the required ones. */
export const OPTIONAL_UTILITY = 0.1

/** Values by budget (index x grid), with no retrying layer (`none`) or at most one on each path (`one`). */
interface Table {
  readonly none: Float64Array
  readonly one: Float64Array
}

interface Solved {
  readonly operation: PlanOperation
  readonly table: Table
  /** The best split of a budget between the first i stages and the next. */
  readonly splits: readonly { readonly none: Int32Array; readonly one: Int32Array }[]
}

/** What a plan has to keep to beside the best success. */
export interface StaticNeeds {
  /** Taken away from an operation's calls, in ms. */
  readonly extraMs?: ReadonlyMap<PlanOperation, number>
  /** Every call gets at least what makes it worth starting, also where less would give more success in all; default false. */
  readonly everyFloor?: boolean
}

/** What is tried for a call: its limits and the success they give. */
interface Choice extends Decision {
  readonly success: number
}

/**
 * The exact dynamic programme over a time grid (Bellman): series by max-product convolution, groups share one budget.
 *
 * One solution answers for every budget up to `budgetMs`. Own work of an operation that asks others gets at least its p99: what the
 * checker's sums set aside for it.
 */
export class StaticPlanner {
  private readonly solved = new Map<PlanOperation, Solved>()
  private readonly leastMs = new Map<PlanCall, number>()
  readonly points: number

  constructor(
    private readonly root: PlanOperation,
    budgetMs: number,
    readonly gridMs: number,
    private readonly options: PlanOptions,
    private readonly needs: StaticNeeds = {},
  ) {
    this.points = Math.floor(Math.min(budgetMs, root.endsMs) / gridMs + 1e-9) + 1
  }

  /** The best decisions for `budgetMs` (at most the planner's own, which is the default). */
  decisions(budgetMs: number = Number.POSITIVE_INFINITY): readonly Decision[] {
    const decisions: Decision[] = []
    this.decide(this.solve(this.root), this.rootIndex(budgetMs), 'one', decisions)
    return decisions
  }

  /** The best value for `budgetMs`: success, and a little for each optional call. */
  value(budgetMs: number = Number.POSITIVE_INFINITY): number {
    const index = this.rootIndex(budgetMs)
    return index < 0 ? 0 : (this.solve(this.root).table.one[index] ?? 0)
  }

  private rootIndex(budgetMs: number): number {
    const index = Math.min(this.points - 1, Math.floor(budgetMs / this.gridMs + 1e-9))
    return index - Math.ceil((this.needs.extraMs?.get(this.root) ?? 0) / this.gridMs)
  }

  private solve(operation: PlanOperation): Solved {
    const known = this.solved.get(operation)
    if (known) return known
    const splits: { none: Int32Array; one: Int32Array }[] = []
    let total: Table | null = null
    for (const stage of operation.stages) {
      const next: Table = this.stage(stage, operation)
      if (total === null) {
        total = next
        continue
      }
      const none = bestSplit(total.none, next.none)
      const one: ReturnType<typeof bestSplit> = total.one === total.none && next.one === next.none ? none : bestSplit(total.one, next.one)
      splits.push({ none: none.split, one: one.split })
      total = { none: none.best, one: one.best }
    }
    const solved = { operation, table: scaled(total ?? this.flat(), operation.sound), splits }
    this.solved.set(operation, solved)
    return solved
  }

  private flat(): Table {
    const values = new Float64Array(this.points).fill(1)
    return { none: values, one: values }
  }

  private stage(stage: PlanStage, operation: PlanOperation): Table {
    if (stage.kind === 'own') return this.own(stage.law, operation)
    const none = new Float64Array(this.points).fill(1)
    const one = stage.calls.some((planned) => retriesIn(planned)) ? new Float64Array(this.points).fill(1) : none
    for (let k = 0; k < this.points; k++) {
      for (const planned of stage.calls) {
        none[k] = (none[k] as number) * this.weighted(planned, this.best(planned, k * this.gridMs, 'none').success)
        if (one !== none) one[k] = (one[k] as number) * this.weighted(planned, this.best(planned, k * this.gridMs, 'one').success)
      }
    }
    return { none, one }
  }

  /** An optional call only adds utility. */
  private weighted(planned: PlanCall, success: number): number {
    if (success === 0 && this.needs.everyFloor) return 0
    const shared = sharedSuccess(planned, success)
    return planned.call.optional.value ? (1 + OPTIONAL_UTILITY * shared) / (1 + OPTIONAL_UTILITY) : shared
  }

  private least(planned: PlanCall): number {
    if (!this.needs.everyFloor) return planned.leastAttemptMs
    let leastMs = this.leastMs.get(planned)
    if (leastMs === undefined) {
      leastMs = Math.max(planned.leastAttemptMs, leastOf(planned, 'static', this.options) - 1e-6)
      this.leastMs.set(planned, leastMs)
    }
    return leastMs
  }

  private own(law: Parameters<typeof shareWithin>[0], operation: PlanOperation): Table {
    const leastMs = isPlainLeaf(operation) ? 0 : quantileMs(law, 0.99) - 1e-6
    const values = new Float64Array(this.points).map((_, k) => (k * this.gridMs < leastMs ? 0 : shareWithin(law, k * this.gridMs)))
    return { none: values, one: values }
  }

  /** The best attempts for a call with a budget; fewer attempts win a tie. */
  private best(planned: PlanCall, budgetMs: number, retries: keyof Table): Choice {
    const heldMs = planned.fixedMs ?? Math.min(budgetMs, planned.capMs)
    let best = this.attempt(planned, heldMs, 1, retries)
    if (planned.fixedMs !== null && planned.fixedMs > budgetMs) return { ...best, success: 0 }
    const most = retries === 'one' ? planned.maxAttempts : 1
    for (let attempts = 2; attempts <= most; attempts++) {
      const next = this.attempt(planned, heldMs, attempts, 'none')
      if (next.success > best.success + 1e-12) best = next
    }
    return best
  }

  private attempt(planned: PlanCall, heldMs: number, attempts: number, below: keyof Table): Choice {
    const shareMs = Math.max(0, (heldMs - waitsMs(planned, attempts)) / attempts)
    const fixedMs = planned.fixedAttemptMs
    const attemptMs =
      fixedMs !== null && (attempts === 1 || fixedMs <= shareMs) ? Math.min(fixedMs, shareMs) : fixedMs === null ? shareMs : 0
    const timeoutMs = fixedMs !== null && attempts === 1 && planned.fixedMs === null ? attemptMs : heldMs
    const reserveMs = reserveOf(planned, attemptMs, this.options)
    const once = attemptMs < this.least(planned) ? 0 : this.within(planned, attemptMs - planned.networkMs - reserveMs, below)
    return { planned, timeoutMs, attemptMs, attempts, reserveMs, success: 1 - (1 - once) ** attempts }
  }

  /** Success of one attempt that has `insideMs` at the callee. */
  private within({ callee }: PlanCall, insideMs: number, below: keyof Table): number {
    if (insideMs < 0) return 0
    if (!isPlainLeaf(callee)) {
      const index = this.indexIn(callee, insideMs)
      return index < 0 ? 0 : (this.solve(callee).table[below][index] as number)
    }
    const law = ownLaw(callee)
    return callee.sound * (law ? shareWithin(law, Math.min(insideMs, callee.endsMs)) : 1)
  }

  /** The grid point of a budget inside an operation; negative where there is not even what is taken away from it. */
  private indexIn(operation: PlanOperation, insideMs: number): number {
    const ms = Math.min(insideMs, operation.endsMs) - (this.needs.extraMs?.get(operation) ?? 0)
    return Math.min(this.points - 1, Math.floor(ms / this.gridMs + 1e-9))
  }

  private decide(solved: Solved, index: number, retries: keyof Table, out: Decision[]): void {
    const { stages } = solved.operation
    let left = Math.max(0, index)
    for (let i = stages.length - 1; i >= 0; i--) {
      const before = i === 0 ? 0 : (solved.splits[i - 1]?.[retries][left] ?? 0)
      const stage = stages[i]
      if (stage?.kind === 'calls') for (const planned of stage.calls) this.decideCall(planned, (left - before) * this.gridMs, retries, out)
      left = before
    }
  }

  private decideCall(planned: PlanCall, budgetMs: number, retries: keyof Table, out: Decision[]): void {
    const { success: _, ...decision } = this.best(planned, budgetMs, retries)
    out.push(decision)
    if (isPlainLeaf(planned.callee)) return
    const index = this.indexIn(planned.callee, Math.max(0, decision.attemptMs - planned.networkMs - decision.reserveMs))
    this.decide(this.solve(planned.callee), index, decision.attempts > 1 ? 'none' : retries, out)
  }
}

/** True where a call or one below it may be tried again. */
function retriesIn({ maxAttempts, callee }: PlanCall): boolean {
  return maxAttempts > 1 || callee.stages.some((stage) => stage.kind === 'calls' && stage.calls.some(retriesIn))
}

function scaled({ none, one }: Table, by: number): Table {
  if (by === 1) return { none, one }
  const less = none.map((value) => value * by)
  return { none: less, one: one === none ? less : one.map((value) => value * by) }
}
