import { largestWaitMs } from '@sandglass/runtime/core'
import { added, atOnce, cutAt, type Distribution, gridOf, inSeries, later, scaledBy, together, within } from './distribution.js'
import type { PlanCall } from './plan-call.js'
import type { PlanOperation, PlanStage, PlanTree } from './plan-tree.js'
import { type SerialFolds, serialFolds } from './serial-folds.js'

/** What is decided where everyone sees what is left: how often to try, and when to give an attempt up. */
export interface Cut {
  readonly attempts: number
  /** Every attempt but the last is given up after this; the last gets everything left. For an optional call: when its caller goes on. */
  readonly cutMs: number
}

/** The rules of one evaluation. */
export interface PropagatedModel {
  readonly tree: PlanTree
  readonly budgetMs: number
  /** The budget less the reserves of the deepest path, in ms. */
  readonly usableMs: number
  readonly points: number
  /** No call takes longer than this, whatever is left; calls that are not named are not limited. */
  readonly capsMs: ReadonlyMap<PlanCall, number>
  /** True for what a chain file can say: the last attempt is cut like the others. Default false: it gets everything left. */
  readonly lastIsCut?: boolean
}

/** Where an operation stands: the call that leads to it, and who makes it. */
export interface Parent {
  readonly call: PlanCall
  readonly operation: PlanOperation
}

/** Distributions of a journey under a set of cuts; what a change of one cut does not touch is kept. */
export class PropagatedEvaluation {
  readonly cuts: Map<PlanCall, Cut>
  readonly stepMs: number
  readonly parents: Map<PlanOperation, Parent> = new Map<PlanOperation, Parent>()
  private readonly points: number
  private readonly ofOperation = new Map<PlanOperation, Distribution>()
  private readonly ofStage = new Map<PlanStage, Distribution>()
  private readonly ofCall = new Map<PlanCall, Distribution>()
  private readonly folds = new Map<PlanOperation, SerialFolds>()
  /** Of the operations above a call that is being moved: the stage that changes, and all others together. */
  private readonly held = new Map<PlanOperation, { readonly changing: PlanStage; readonly rest: Distribution | null }>()

  constructor(
    readonly model: PropagatedModel,
    cuts: ReadonlyMap<PlanCall, Cut> = new Map(),
  ) {
    this.cuts = new Map(cuts)
    this.stepMs = Math.max(model.usableMs, 1) / model.points
    this.points = model.points + 2
    this.link(model.tree.root)
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
    return within(this.operation(this.model.tree.root), this.model.usableMs, this.stepMs)
  }

  cutOf(planned: PlanCall): Cut {
    return this.cuts.get(planned) ?? { attempts: 1, cutMs: this.model.usableMs }
  }

  set(planned: PlanCall, cut: Cut): void {
    this.cuts.set(planned, cut)
    this.ofCall.delete(planned)
    for (let at = this.parents.get(planned.callee); at; at = this.parents.get(at.operation)) {
      this.ofOperation.delete(at.operation)
      const changed = stageOf(at)
      this.ofStage.delete(changed)
      this.folds.get(at.operation)?.changed(at.operation.stages.indexOf(changed))
      if (at.call !== planned) this.ofCall.delete(at.call)
    }
  }

  /** Convolves once what a change of `planned` leaves as it is; until {@link release}. */
  hold(planned: PlanCall): void {
    for (let at = this.parents.get(planned.callee); at; at = this.parents.get(at.operation)) {
      const changing = stageOf(at)
      this.held.set(at.operation, { changing, rest: this.foldsOf(at.operation).allBut(at.operation.stages.indexOf(changing)) })
    }
  }

  release(): void {
    this.held.clear()
  }

  private foldsOf(operation: PlanOperation): SerialFolds {
    let folds = this.folds.get(operation)
    if (!folds) {
      const { stages } = operation
      folds = serialFolds(stages.length, (index) => this.stage(stages[index] as PlanStage))
      this.folds.set(operation, folds)
    }
    return folds
  }

  operation(operation: PlanOperation): Distribution {
    const known = this.ofOperation.get(operation)
    if (known) return known
    const masses = this.series(operation) ?? atOnce(this.points)
    const sound = cutAt(scaledBy(masses, operation.sound), operation.endsMs, this.stepMs)
    this.ofOperation.set(operation, sound)
    return sound
  }

  private series(operation: PlanOperation): Distribution | null {
    const held = this.held.get(operation)
    if (!held) return this.foldsOf(operation).all()
    const changed = this.stage(held.changing)
    return held.rest === null ? changed : inSeries(changed, held.rest)
  }

  stage(stage: PlanStage): Distribution {
    const known = this.ofStage.get(stage)
    if (known) return known
    const masses =
      stage.kind === 'own'
        ? gridOf(stage.law, this.stepMs, this.points)
        : stage.calls.map((planned) => this.branch(planned)).reduce(together)
    this.ofStage.set(stage, masses)
    return masses
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

  /** One attempt, its hop included. */
  inner(planned: PlanCall): Distribution {
    return later(this.operation(planned.callee), planned.networkMs, this.stepMs)
  }

  /** Attempts one after the other: an error leads on at once, a slow try at its cut; the last gets everything left. */
  attempts(planned: PlanCall): Distribution {
    const known = this.ofCall.get(planned)
    if (known) return known
    const masses = this.tries(planned)
    this.ofCall.set(planned, masses)
    return masses
  }

  private tries(planned: PlanCall): Distribution {
    const inner = this.inner(planned)
    const { attempts, cutMs } = this.cutOf(planned)
    const ended = cutAt(inner, cutMs, this.stepMs)
    let masses = attempts > 1 && this.model.lastIsCut ? ended : inner
    const { errors } = planned.callee
    const slow = Math.max(0, 1 - errors - within(inner, cutMs, this.stepMs))
    for (let retry = attempts - 1; retry >= 1; retry--) {
      // Full jitter waits half of its largest on average.
      const waitMs = planned.backoff ? largestWaitMs(planned.backoff, retry) / 2 : 0
      const afterError = scaledBy(later(masses, planned.networkMs + waitMs, this.stepMs), errors)
      masses = added(ended, added(afterError, scaledBy(later(masses, cutMs + waitMs, this.stepMs), slow)))
    }
    return cutAt(masses, this.model.capsMs.get(planned) ?? Number.POSITIVE_INFINITY, this.stepMs)
  }
}

function stageOf({ call, operation }: Parent): PlanStage {
  // A parent is linked by the stage it stands in.
  return operation.stages.find((stage) => stage.kind === 'calls' && stage.calls.includes(call)) as PlanStage
}
