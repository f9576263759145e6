import { type PlainCall, type PlainChain, plainCalls } from '../chain/plain-chain.js'

/** What only a service that carries a deadline can do. */
const BUDGET_FIELDS = ['reserve', 'floor', 'deadline', 'cancel', 'basis']

/**
 * A copy of a chain in which no service knows of deadlines: a caller that gives up closes its connection, and its callee goes on.
 * `change` is given each call that a service makes (the client's own are left alone) to set its limits anew.
 */
export function withoutBudget(
  chain: PlainChain,
  change: (call: PlainCall, callee: Record<string, unknown> | undefined) => void,
): PlainChain {
  const copy = structuredClone(chain)
  delete copy.defaults?.['reserve']
  delete copy.defaults?.['floor']
  for (const service of Object.values(copy.services)) {
    delete service['deadline']
    delete service['admission']
  }
  for (const { service, call } of plainCalls(copy)) {
    for (const field of BUDGET_FIELDS) delete call[field]
    const [name = '', operation = ''] = call.to.split('.')
    if (service['kind'] !== 'client') change(call, copy.services[name]?.operations[operation])
  }
  return copy
}
