import { largestWaitMs } from '@sandglass/runtime/core'
import { msOf } from '../model/arithmetic.js'
import { added, atOnce, cutAt, type Distribution, gridOf, inSeries, later, quantileOf, scaledBy, together, within } from './distribution.js'
import { type PlanCall, type PlanOperation, type PlanOptions, type PlanTree, reserveOf } from './plan-tree.js'

/** What is decided where everyone sees what is left: how often to try, and when to give an attempt up. */
export interface Cut {
  readonly attempts: number
  /** Every attempt but the last is given up after this; the last gets everything left. For an optional call: when its caller goes on. */
  readonly cutMs: number
}

export interface PropagatedPlan {
  readonly success: number
  readonly cuts: ReadonlyMap<PlanCall, Cut>
  /** P(the call has not ended well) given it was made with everything that is left in the typical case. */
  readonly reserveMs: number
}

const MENU = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999]
const OPTIONAL_UTILITY = 0.1
const COARSE_POINTS = 240
const FINE_POINTS = 1120
const MAX_ROUNDS = 6

/** Coordinate ascent over a menu of quantiles; distributions of what is above, beside and below a call are convolved once. */
export function planPropagated(tree: PlanTree, budgetMs: number, options: PlanOptions): PropagatedPlan {
  const reserveMs = reservesOf(tree, budgetMs, options)
  const usableMs = Math.max(0, budgetMs - reserveMs)
  const coarse = new Search(tree, usableMs, COARSE_POINTS)
  coarse.ascend()
  const fine = new Search(tree, usableMs, FINE_POINTS, coarse.cuts)
  return { success: fine.success(), cuts: coarse.cuts, reserveMs }
}

/** Success when nothing is decided: one attempt each. */
export function propagatedSuccess(tree: PlanTree, budgetMs: number, options: PlanOptions, cuts: ReadonlyMap<PlanCall, Cut>): number {
  return new Search(tree, Math.max(0, budgetMs - reservesOf(tree, budgetMs, options)), FINE_POINTS, cuts).success()
}

/** The reserves kept along the deepest path: what the innermost call cannot use. */
function reservesOf(tree: PlanTree, budgetMs: number, options: PlanOptions): number {
  const deepest = (operation: PlanOperation, leftMs: number): number => {
    let most = 0
    for (const stage of operation.stages) {
      for (const { call, callee } of stage.kind === 'calls' ? stage.calls : []) {
        const keptMs = call.reserveMs.origin.kind === 'declared' ? msOf(call.reserveMs) : reserveOf(call, leftMs, options)
        most = Math.max(most, keptMs + deepest(callee, leftMs - keptMs))
      }
    }
    return most
  }
  return Math.min(budgetMs, deepest(tree.root, budgetMs))
}

class Search {
  readonly cuts: Map<PlanCall, Cut>
  private readonly stepMs: number
  private readonly points: number
  private readonly ofOperation = new Map<PlanOperation, Distribution>()
  private readonly parents = new Map<PlanOperation, { readonly call: PlanCall; readonly operation: PlanOperation }>()
  /** Of each operation above the call being moved: all its stages but the one that changes. */
  private readonly rest = new Map<PlanOperation, { readonly stage: number; readonly masses: Distribution }>()

  constructor(
    private readonly tree: PlanTree,
    private readonly usableMs: number,
    points: number,
    cuts: ReadonlyMap<PlanCall, Cut> = new Map(),
  ) {
    this.cuts = new Map(cuts)
    this.stepMs = Math.max(usableMs, 1) / points
    this.points = points + 2
    this.link(tree.root)
  }

  private link(operation: PlanOperation): void {
    for (const stage of operation.stages) {
      for (const call of stage.kind === 'calls' ? stage.calls : []) {
        this.parents.set(call.callee, { call, operation })
        this.link(call.callee)
      }
    }
  }

  success(): number {
    return within(this.operation(this.tree.root), this.usableMs, this.stepMs)
  }

  /** Success, and a little for each optional call that is waited for long enough. */
  private value(): number {
    let value = this.success()
    for (const planned of this.tree.calls) {
      if (planned.call.optional.value) value *= (1 + OPTIONAL_UTILITY * within(this.attempts(planned), this.cutOf(planned).cutMs, this.stepMs)) / (1 + OPTIONAL_UTILITY)
    }
    return value
  }

  ascend(): void {
    const movable = this.tree.calls.filter((planned) => planned.maxAttempts > 1 || planned.call.optional.value)
    let best = this.value()
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = best
      for (const planned of movable) best = this.move(planned, best)
      if (best - before < 1e-7) return
    }
  }

  private move(planned: PlanCall, best: number): number {
    this.rest.clear()
    let kept = this.cutOf(planned)
    let value = best
    for (const cut of this.choices(planned)) {
      this.set(planned, cut)
      const next = this.value()
      if (next > value + 1e-9) {
        value = next
        kept = cut
      }
    }
    this.set(planned, kept)
    this.rest.clear()
    return value
  }

  private choices(planned: PlanCall): Cut[] {
    const inner = this.inner(planned)
    const most = this.retriesElsewhere(planned) ? 1 : planned.maxAttempts
    const choices: Cut[] = []
    for (const p of MENU) {
      const cutMs = quantileOf(inner, p, this.stepMs)
      if (cutMs < planned.leastAttemptMs) continue
      for (let attempts = planned.call.optional.value ? 1 : 2; attempts <= most; attempts++) choices.push({ attempts, cutMs })
    }
    return choices
  }

  /** One retrying layer on a path: retries above or below would multiply. */
  private retriesElsewhere(planned: PlanCall): boolean {
    for (const [other, { attempts }] of this.cuts) {
      if (attempts > 1 && other !== planned && onOnePath(other.path, planned.path)) return true
    }
    return false
  }

  private cutOf(planned: PlanCall): Cut {
    return this.cuts.get(planned) ?? { attempts: 1, cutMs: this.usableMs }
  }

  private set(planned: PlanCall, cut: Cut): void {
    this.cuts.set(planned, cut)
    for (let at = this.parents.get(planned.callee); at; at = this.parents.get(at.operation)) this.ofOperation.delete(at.operation)
  }

  private operation(operation: PlanOperation): Distribution {
    const known = this.ofOperation.get(operation)
    if (known) return known
    const masses = scaledBy(this.series(operation), operation.sound)
    this.ofOperation.set(operation, masses)
    return masses
  }

  private series(operation: PlanOperation): Distribution {
    const stages = operation.stages.map((_, i) => i)
    const changing = stages.find((i) => this.holdsChange(operation, i))
    if (changing === undefined || stages.length < 3) return this.fold(operation, stages)
    let rest = this.rest.get(operation)
    if (rest?.stage !== changing) {
      rest = { stage: changing, masses: this.fold(operation, stages.filter((i) => i !== changing)) }
      this.rest.set(operation, rest)
    }
    return inSeries(this.stage(operation, changing), rest.masses)
  }

  private holdsChange(operation: PlanOperation, index: number): boolean {
    const stage = operation.stages[index]
    return stage?.kind === 'calls' && stage.calls.some(({ callee, maxAttempts, call }) => maxAttempts > 1 || call.optional.value || !this.ofOperation.has(callee))
  }

  private fold(operation: PlanOperation, stages: readonly number[]): Distribution {
    let masses: Distribution | null = null
    for (const i of stages) masses = masses === null ? this.stage(operation, i) : inSeries(masses, this.stage(operation, i))
    return masses ?? atOnce(this.points)
  }

  private stage(operation: PlanOperation, index: number): Distribution {
    const stage = operation.stages[index]
    if (!stage) return atOnce(this.points)
    if (stage.kind === 'own') return gridOf(stage.law, this.stepMs, this.points)
    let masses: Distribution | null = null
    for (const planned of stage.calls) {
      const branch = this.branch(planned)
      masses = masses === null ? branch : together(masses, branch)
    }
    return masses ?? atOnce(this.points)
  }

  /** How long the caller waits for a call: a share does not make it, an optional one is left behind at its cut. */
  private branch(planned: PlanCall): Distribution {
    let masses = this.attempts(planned)
    if (planned.call.optional.value) {
      const { cutMs } = this.cutOf(planned)
      const ended = cutAt(masses, cutMs, this.stepMs)
      const left = 1 - within(masses, cutMs, this.stepMs)
      masses = added(ended, scaledBy(later(atOnce(this.points), cutMs, this.stepMs), left))
    }
    const share = planned.call.share.value
    return share >= 1 ? masses : added(scaledBy(masses, share), scaledBy(atOnce(this.points), 1 - share))
  }

  private inner(planned: PlanCall): Distribution {
    return later(this.operation(planned.callee), planned.networkMs, this.stepMs)
  }

  /** Attempts one after the other: an error leads on at once, a slow try at its cut; the last gets everything left. */
  private attempts(planned: PlanCall): Distribution {
    const inner = this.inner(planned)
    const { attempts, cutMs } = this.cutOf(planned)
    let masses = inner
    const { errors } = planned.callee
    const ended = cutAt(inner, cutMs, this.stepMs)
    const slow = Math.max(0, 1 - errors - within(inner, cutMs, this.stepMs))
    for (let retry = attempts - 1; retry >= 1; retry--) {
      // Full jitter waits half of its largest on average.
      const waitMs = planned.backoff ? largestWaitMs(planned.backoff, retry) / 2 : 0
      const afterError = scaledBy(later(masses, planned.networkMs + waitMs, this.stepMs), errors)
      masses = added(ended, added(afterError, scaledBy(later(masses, cutMs + waitMs, this.stepMs), slow)))
    }
    return masses
  }
}

function onOnePath(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.every((step, i) => long[i] === step)
}
