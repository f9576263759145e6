import type { Operation, Service } from './chain.js'

/** The operation a probe asks, by its own name or as `service.operation`. */
export function probedOperation({ probe, name, operations }: Service): Operation | null {
  const asked = probe?.operation?.value
  if (asked === undefined) return null
  const prefix = `${name}.`
  return operations.get(asked) ?? (asked.startsWith(prefix) ? operations.get(asked.slice(prefix.length)) : undefined) ?? null
}
