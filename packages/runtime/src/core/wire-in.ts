import { budgetHeader, parseRequestBudget } from './wire-budget.js'
import { connectHeader, parseConnectTimeout } from './wire-connect.js'
import { dubboAttachment, parseDubboTimeout } from './wire-dubbo.js'
import { envoyExpectedHeader, parseEnvoyExpected } from './wire-envoy.js'
import { finagleHeader, parseFinagleDeadline } from './wire-finagle.js'
import { grpcHeader, parseGrpcTimeout } from './wire-grpc.js'
import { type HeaderValue, longestBudgetMs, type WireBudget, type WireFault } from './wire-value.js'

/** What a peer's budget may do: nothing, only shorten the server's own (the default), or replace it up to the cap. */
export type Trust = 'none' | 'shorten' | 'full'

/** How a server treats incoming budgets. */
export interface IncomingOptions {
  /** The server's own budget in ms, used when the caller names none; `Infinity`: no deadline of its own. */
  readonly budgetMs: number
  /** No incoming budget is longer, in ms; default: only the longest the wire can carry. */
  readonly maxBudgetMs?: number
  /** Default `shorten`. */
  readonly trust?: Trust
}

/** What was decided for one request. */
export interface IncomingBudget {
  /** The budget in ms from the anchor on; 0: expired, answer at once without running the handler. */
  readonly budgetMs: number
  /** The header that decided, or `default` where the server's own budget did, or `cap` where `maxBudgetMs` did. */
  readonly source: string
  /** The header that named the shortest budget, and that budget before any clamp; left out if none did. */
  readonly named?: { readonly header: string; readonly budgetMs: number }
  /** Headers that were not understood; count them. */
  readonly faults: readonly { readonly header: string; readonly fault: WireFault }[]
}

/** Incoming headers by lower-case name, as node:http gives them. */
export type IncomingHeaders = Readonly<Record<string, HeaderValue>>

const readers: readonly (readonly [header: string, parse: (value: HeaderValue) => WireBudget, fullTrustOnly: boolean])[] = [
  [budgetHeader, parseRequestBudget, false],
  [grpcHeader, parseGrpcTimeout, false],
  [connectHeader, parseConnectTimeout, false],
  [envoyExpectedHeader, parseEnvoyExpected, true],
  [dubboAttachment.toLowerCase(), parseDubboTimeout, false],
  [finagleHeader, parseFinagleDeadline, false],
]

/** The headers that may name a budget, lower-case, in the order they are read. */
export const incomingBudgetHeaders: readonly string[] = readers.map(([header]) => header)

/**
 * Decides a request's budget from all the headers that may name one: the shortest of those the trust admits, clamped to [1 ms, cap]; 0 stays 0.
 *
 * Untrusted peers can only shorten. What is malformed counts as not named and is reported in `faults`. Never throws.
 */
export function incomingBudget(headers: IncomingHeaders, options: IncomingOptions): IncomingBudget {
  const { budgetMs: ownMs, trust = 'shorten' } = options
  const faults: { header: string; fault: WireFault }[] = []
  let named: { header: string; budgetMs: number } | undefined
  for (const [header, parse, fullTrustOnly] of readers) {
    const value = headers[header]
    if (value === undefined || trust === 'none' || (fullTrustOnly && trust !== 'full')) continue
    const budget = parse(value)
    if (budget.state === 'malformed') faults.push({ header, fault: budget.fault })
    if (budget.state === 'present' && (named === undefined || budget.ms < named.budgetMs)) named = { header, budgetMs: budget.ms }
  }
  if (named === undefined) return { budgetMs: ownMs, source: 'default', faults }
  // A fraction of a ms is still time: it becomes 1 ms, only 0 is expired.
  const askedMs = named.budgetMs === 0 ? 0 : Math.max(named.budgetMs, 1)
  const { maxBudgetMs: capMs = longestBudgetMs } = options
  const admittedMs = trust === 'full' ? askedMs : Math.min(askedMs, ownMs)
  const budgetMs = Math.min(admittedMs, capMs)
  return { budgetMs, source: sourceOf(named.header, askedMs, admittedMs, budgetMs), named, faults }
}

function sourceOf(header: string, askedMs: number, admittedMs: number, budgetMs: number): string {
  if (budgetMs < admittedMs) return 'cap'
  return admittedMs < askedMs ? 'default' : header
}
