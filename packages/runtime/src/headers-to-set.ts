import { budgetHeader, parseRequestBudget } from './core/wire-budget.js'
import { connectHeader, parseConnectTimeout } from './core/wire-connect.js'
import { grpcHeader, parseGrpcTimeout } from './core/wire-grpc.js'
import type { HeaderValue, WireBudget } from './core/wire-value.js'
import type { Outbound } from './outbound.js'

const readers: Readonly<Record<string, (value: HeaderValue) => WireBudget>> = {
  [budgetHeader]: parseRequestBudget,
  [grpcHeader]: parseGrpcTimeout,
  [connectHeader]: parseConnectTimeout,
}

/**
 * What of an outbound's headers is to be set on a request that may have some of them already, by lower-case name.
 * Of two budgets the smaller is kept; one that makes no sense is replaced. `existing` says what the request has.
 */
export function headersToSet({ headers }: Outbound, existing: (name: string) => HeaderValue): Record<string, string> {
  const toSet: Record<string, string> = {}
  for (const [name, text] of Object.entries(headers)) {
    if (!isSmaller(name, existing(name), text)) toSet[name] = text
  }
  return toSet
}

function isSmaller(name: string, present: HeaderValue, text: string): boolean {
  const read = readers[name]
  if (present === undefined || read === undefined) return false
  const [known, fresh] = [read(present), read(text)]
  return known.state === 'present' && fresh.state === 'present' && known.ms < fresh.ms
}
