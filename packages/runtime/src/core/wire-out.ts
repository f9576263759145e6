import { budgetHeader, formatRequestBudget } from './wire-budget.js'
import { connectHeader, formatConnectTimeout } from './wire-connect.js'
import { dubboAttachment, formatDubboTimeout } from './wire-dubbo.js'
import { envoyUpstreamHeader, formatEnvoyUpstream } from './wire-envoy.js'
import { finagleHeader, formatFinagleDeadline } from './wire-finagle.js'
import { formatGrpcTimeout, grpcHeader } from './wire-grpc.js'
import { formatRequestMeta, metaHeader, type RequestMeta } from './wire-meta.js'
import type { WireText } from './wire-value.js'

/** A way to write a budget: our own header, or a peer's. */
export type WireFormat = 'request-budget' | 'grpc' | 'connect' | 'envoy' | 'dubbo' | 'finagle'

/** What to write with a budget. */
export interface OutgoingOptions {
  /** Default only `request-budget`. */
  readonly formats?: readonly WireFormat[]
  /** Written beside `request-budget`; its `sentAt` is also the instant Finagle's pair is set. */
  readonly meta?: RequestMeta
}

/** Headers to send by name (empty: there is no deadline), or `expired`: do not send the request at all. */
export type OutgoingBudget = { readonly state: 'send'; readonly headers: Readonly<Record<string, string>> } | { readonly state: 'expired' }

/**
 * The headers that hand `budgetMs` (after the reserve) to a callee, each rounded down; `Infinity` writes none.
 *
 * Less than 1 ms is `expired`: a local failure, never a header and never left out as if there were no limit.
 */
export function outgoingBudget(budgetMs: number, options: OutgoingOptions = {}): OutgoingBudget {
  if (!(budgetMs >= 1)) return { state: 'expired' }
  const headers: Record<string, string> = {}
  const { formats = ['request-budget'], meta } = options
  for (const format of formats) {
    const [header, text] = write(format, budgetMs, meta)
    if (text.state === 'present') headers[header] = text.text
  }
  const metaText = meta === undefined ? '' : formatRequestMeta(meta)
  if (metaText !== '' && formats.includes('request-budget')) headers[metaHeader] = metaText
  return { state: 'send', headers }
}

function write(format: WireFormat, budgetMs: number, meta: RequestMeta | undefined): readonly [header: string, text: WireText] {
  switch (format) {
    case 'request-budget':
      return [budgetHeader, formatRequestBudget(budgetMs)]
    case 'grpc':
      return [grpcHeader, formatGrpcTimeout(budgetMs)]
    case 'connect':
      return [connectHeader, formatConnectTimeout(budgetMs)]
    case 'envoy':
      return [envoyUpstreamHeader, formatEnvoyUpstream(budgetMs)]
    case 'dubbo':
      return [dubboAttachment.toLowerCase(), formatDubboTimeout(budgetMs)]
    case 'finagle':
      return [finagleHeader, formatFinagleDeadline(budgetMs, meta?.sentAt ?? Number.NaN)]
  }
}
