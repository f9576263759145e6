import type { PlainCall } from '../chain/plain-chain.js'

/** Where a peer's timeouts come from: the examples of its own documentation, or the chain's table as `funnel` has it. */
export type PeerLimits = 'documented' | 'chain'

/** Operations that may be repeated; a peer's documentation leaves it to the caller not to retry what must not be. */
export function isRepeatable(call: PlainCall, callee: Record<string, unknown> | undefined): boolean {
  const does = callee?.['does'] ?? 'write'
  return does === 'read' || (call['idempotencyKey'] === true && (does === 'idempotent-write' || does === 'external-effect'))
}
