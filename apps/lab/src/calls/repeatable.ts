import type { CallSpec } from '../chain/service-spec.js'

/** Whether a call may be made again after it was sent: a read, or a write whose key the other side honours. */
export function isRepeatable({ does, idempotencyKey }: CallSpec): boolean {
  return does === 'read' || (idempotencyKey && (does === 'idempotent-write' || does === 'external-effect'))
}
