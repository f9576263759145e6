import type { OperationFact } from './facts.js'

/** Two operations of one name are told apart by a number that no other has. */
export function numbered(operations: readonly OperationFact[]): readonly OperationFact[] {
  const written = new Set(operations.map(({ name }) => name))
  const counts = new Map<string, number>()
  return operations.map((operation) => {
    const { name } = operation
    let count = (counts.get(name) ?? 0) + 1
    while (count > 1 && written.has(`${name}-${count}`)) count++
    counts.set(name, count)
    return count === 1 ? operation : { ...operation, name: `${name}-${count}` }
  })
}
