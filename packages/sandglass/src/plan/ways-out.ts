import type { PlanCall, PlanOperation, PlanStage, PlanTree } from './plan-tree.js'

/** One change of the chain that could make a plan fit. */
export interface Variant {
  readonly change: string
  readonly tree: PlanTree
}

/** Variants looked at, at most: beyond it a chain is not mended by one change. */
const MAX_VARIANTS = 60

/** Each single change that may help: run two steps in parallel, drop the retries of a call, make a read optional. */
export function variantsOf(tree: PlanTree): Variant[] {
  const variants: Variant[] = []
  for (const operation of operationsOf(tree.root)) {
    for (let i = 0; i + 1 < operation.stages.length; i++) {
      const [first, second] = [operation.stages[i], operation.stages[i + 1]]
      if (first?.kind !== 'calls' || second?.kind !== 'calls') continue
      const stages = operation.stages.flatMap((stage, at): PlanStage[] => (at === i ? [{ kind: 'calls', calls: [...first.calls, ...second.calls] }] : at === i + 1 ? [] : [stage]))
      variants.push({ change: `run ${namesOf(first.calls)} and ${namesOf(second.calls)} in parallel`, tree: changed(tree, operation, { ...operation, stages }) })
    }
  }
  for (const planned of tree.calls) {
    if (planned.maxAttempts > 1) variants.push({ change: `drop the retries of ${planned.call.to.value}`, tree: changedCall(tree, planned, { ...planned, maxAttempts: 1 }) })
  }
  for (const planned of tree.calls) {
    if (planned.callee.operation.does.value !== 'read' || planned.call.optional.value) continue
    const call = { ...planned.call, optional: { ...planned.call.optional, value: true } }
    variants.push({ change: `make ${planned.call.to.value} optional (answer without it)`, tree: changedCall(tree, planned, { ...planned, call }) })
  }
  return variants.slice(0, MAX_VARIANTS)
}

function namesOf(calls: readonly PlanCall[]): string {
  return calls.map(({ call }) => call.to.value).join(' + ')
}

function operationsOf(root: PlanOperation): PlanOperation[] {
  const below = root.stages.flatMap((stage) => (stage.kind === 'calls' ? stage.calls.flatMap(({ callee }) => operationsOf(callee)) : []))
  return [root, ...below]
}

function changed(tree: PlanTree, from: PlanOperation, to: PlanOperation): PlanTree {
  return rebuilt(tree, (operation) => (operation === from ? to : operation), (call) => call)
}

function changedCall(tree: PlanTree, from: PlanCall, to: PlanCall): PlanTree {
  return rebuilt(tree, (operation) => operation, (call) => (call === from ? to : call))
}

function rebuilt(tree: PlanTree, replaceOperation: (operation: PlanOperation) => PlanOperation, replaceCall: (call: PlanCall) => PlanCall): PlanTree {
  const calls: PlanCall[] = []
  const copy = (original: PlanOperation): PlanOperation => {
    const operation = replaceOperation(original)
    const stages = operation.stages.map((stage): PlanStage => (stage.kind === 'own' ? stage : { kind: 'calls', calls: stage.calls.map(copyCall) }))
    return { ...operation, stages }
  }
  const copyCall = (original: PlanCall): PlanCall => {
    const replaced = replaceCall(original)
    const call = { ...replaced, callee: copy(replaced.callee) }
    calls.push(call)
    return call
  }
  return { root: copy(tree.root), calls, notes: tree.notes }
}
