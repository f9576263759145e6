import type { OperationFact } from './facts.js'

/** Two operations of one name are told apart by a number. */
export function numbered(operations: readonly OperationFact[]): readonly OperationFact[] {
  const counts = new Map<string, number>()
  return operations.map((operation) => {
    const count = (counts.get(operation.name) ?? 0) + 1
    counts.set(operation.name, count)
    return count === 1 ? operation : { ...operation, name: `${operation.name}-${count}` }
  })
}
