import { requestLimit } from '../model/arithmetic.js'
import type { Call, Latency, Operation } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import { quantileMs } from '../model/latency.js'
import { meanMs } from '../model/latency-mean.js'
import type { View } from '../model/view.js'
import { keptAttempts, type PlanCall, planCall } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'

/** A serial step: own work, or calls made together. */
export type PlanStage = { readonly kind: 'own'; readonly law: Latency } | { readonly kind: 'calls'; readonly calls: readonly PlanCall[] }

/** An operation of the journey's tree. */
export interface PlanOperation {
  readonly operation: Operation
  /** 1 - errors - hangs. */
  readonly sound: number
  readonly errors: number
  readonly stages: readonly PlanStage[]
  /** When it gives up by a limit of its own: its request limit, and a leaf's statement limit; infinite without one. */
  readonly endsMs: number
}

/** A journey with everything its answer waits for. */
export interface PlanTree {
  readonly root: PlanOperation
  readonly calls: readonly PlanCall[]
  readonly notes: readonly Note[]
}

/** A plan looks at no more than so many calls of one journey, shared ones counted each time … */
export const MAX_PLAN_CALLS = 500
/** … and at no more of them one below the other. */
export const MAX_PLAN_DEPTH = 300

/** Unrolls a journey into the tree of calls to plan; what its answer does not wait for is left out and noted. */
export function planTree(view: View, start: Operation, options: PlanOptions): PlanTree | { readonly tooMany: string } {
  const grower = new Grower(view, options)
  const root = grower.grow(start, [start.id], 1)
  return grower.tooMany ? { tooMany: grower.tooMany } : { root, calls: callsBelow(root), notes: [...grower.notes.values()] }
}

/** All calls below an operation, callers before callees. */
function callsBelow({ stages }: PlanOperation): PlanCall[] {
  return stages.flatMap((stage) => (stage.kind === 'own' ? [] : stage.calls.flatMap((planned) => [planned, ...callsBelow(planned.callee)])))
}

class Grower {
  readonly notes = new Map<Operation | Call, Note>()
  tooMany: string | null = null
  private entered = 0

  constructor(
    private readonly view: View,
    private readonly options: PlanOptions,
  ) {}

  /** `kept`: how often the path so far repeats fast failures. */
  grow(operation: Operation, path: readonly string[], kept: number): PlanOperation {
    const stages: PlanStage[] = []
    const steps = operation.steps.map((step) => (step.kind === 'call' ? [step.call] : step.calls).filter((call) => this.isWaitedFor(call)))
    const asks = steps.some((calls) => calls.length > 0)
    const law = asks ? operation.work?.value : (operation.latency?.value ?? operation.work?.value)
    if (law) stages.push({ kind: 'own', law })
    else if (!asks)
      this.note(
        operation,
        operation,
        `${operation.id} has no latency: its calls are planned as if it answered at once; declare it, or learn it from traces`,
      )
    for (const calls of steps)
      if (calls.length > 0 && !this.tooMany) stages.push({ kind: 'calls', calls: calls.map((call) => this.member(call, path, kept)) })
    const errors = operation.errors?.value ?? 0
    const request = requestLimit(operation)
    const statement = operation.limits?.statementMs?.value
    const endsMs = Math.min(
      request.state === 'bounded' ? request.ms : Number.POSITIVE_INFINITY,
      !asks && typeof statement === 'number' ? statement : Number.POSITIVE_INFINITY,
    )
    return { operation, errors, sound: Math.max(0, 1 - errors - (operation.hangs?.value ?? 0)), stages, endsMs }
  }

  private isWaitedFor(call: Call): boolean {
    const why = this.whyNot(call)
    if (why) this.note(call, call, `the call of ${call.to.value} is not planned: ${why}`)
    return why === null
  }

  private whyNot(call: Call): string | null {
    if (!call.callee) return 'it names nothing'
    if (this.view.order.closing.has(call)) return 'it closes a cycle'
    if (call.async.value) return 'nobody waits for it (async), so no promise limits it or what it leads to'
    return call.callee.stream ? 'it is a stream, which no total may end' : null
  }

  private note(about: Operation | Call, at: Operation | Call, message: string): void {
    if (!this.notes.has(about)) this.notes.set(about, { spot: at.spot, message })
  }

  private member(call: Call, before: readonly string[], kept: number): PlanCall {
    const path = [...before, call.to.value]
    if (++this.entered > MAX_PLAN_CALLS) this.tooMany = `more than ${MAX_PLAN_CALLS} calls, shared ones counted each time`
    if (path.length > MAX_PLAN_DEPTH) this.tooMany = `more than ${MAX_PLAN_DEPTH} calls one below the other`
    const stays = keptAttempts(this.view, call, kept)
    const callee = this.callee(call, path, kept * stays)
    return planCall(this.view, call, path, callee, { above: kept, below: keptBelow(callee) }, this.options)
  }

  private callee(call: Call, path: readonly string[], kept: number): PlanOperation {
    // `isWaitedFor` has seen that there is one.
    return this.grow(call.callee as Operation, path, kept)
  }
}

/** The most often a path below an operation repeats fast failures. */
function keptBelow({ stages }: PlanOperation): number {
  let most = 1
  for (const stage of stages)
    for (const planned of stage.kind === 'calls' ? stage.calls : []) most = Math.max(most, planned.keptAttempts * keptBelow(planned.callee))
  return most
}

/** A leaf: its own law is all there is, and can be asked for any time, not only for grid points. */
export function isPlainLeaf(operation: PlanOperation): boolean {
  return operation.stages.every((stage) => stage.kind === 'own')
}

/** The law of an operation's own time, or undefined where nothing is known of it. */
export function ownLaw(operation: PlanOperation): Latency | undefined {
  const own = operation.stages[0]
  return own?.kind === 'own' ? own.law : undefined
}

/** The mean time of an operation with everything below it: what "in proportion to means" weighs. */
export function meanOf(operation: PlanOperation): number {
  return remembered(means, operation, () => operation.stages.reduce((sum, stage) => sum + stageWeight(stage, meanMs, meanOf), 0))
}

/** The sum of p99s of an operation with everything below it. */
export function p99Of(operation: PlanOperation): number {
  return remembered(p99s, operation, () =>
    operation.stages.reduce((sum, stage) => sum + stageWeight(stage, (law) => quantileMs(law, 0.99), p99Of), 0),
  )
}

const means = new WeakMap<PlanOperation, number>()
const p99s = new WeakMap<PlanOperation, number>()

/** Every level of a deep tree asks again for all levels below it. */
function remembered(known: WeakMap<PlanOperation, number>, operation: PlanOperation, compute: () => number): number {
  let value = known.get(operation)
  if (value === undefined) {
    value = compute()
    known.set(operation, value)
  }
  return value
}

/** A stage weighs as its own time, or as the largest branch of its group. */
export function stageWeight(stage: PlanStage, own: (law: Latency) => number, below: (operation: PlanOperation) => number): number {
  if (stage.kind === 'own') return own(stage.law)
  return stage.calls.reduce((largest, { callee, networkMs }) => Math.max(largest, below(callee) + networkMs), 0)
}

/** A tree with other operations or calls: each is replaced first, and what is below it then. */
export function rebuilt(
  tree: PlanTree,
  replaceOperation: (operation: PlanOperation) => PlanOperation,
  replaceCall: (call: PlanCall) => PlanCall,
): PlanTree {
  const copy = (original: PlanOperation): PlanOperation => {
    const operation = replaceOperation(original)
    const stages = operation.stages.map(
      (stage): PlanStage => (stage.kind === 'own' ? stage : { kind: 'calls', calls: stage.calls.map(copyCall) }),
    )
    return { ...operation, stages }
  }
  const copyCall = (original: PlanCall): PlanCall => {
    const replaced = replaceCall(original)
    return { ...replaced, callee: copy(replaced.callee) }
  }
  const root = copy(tree.root)
  return { root, calls: callsBelow(root), notes: tree.notes }
}
