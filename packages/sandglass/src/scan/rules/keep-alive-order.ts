import { compareVersions } from '../../model/default-of.js'
import { type Server, serversOf } from '../calls/servers.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import { secondsText } from '../seconds-text.js'

/** Before this a server of Node counted headersTimeout from the end of the last answer, so that it closed kept connections (nodejs/node#27363). */
const HEADERS_FIXED_IN = '12.19'

/** A server that closes idle connections before the proxy in front stops using them, or before its own time for that. */
export const keepAliveOrder: ScanRule = {
  id: 'keep-alive-order',
  severity: 'error',
  summary: 'the server closes idle connections first: random resets',
  *check(view) {
    const isOfInterest = view.proxyIdleMs !== null || view.modules.some(({ source }) => source.text.includes('headersTimeout'))
    if (!isOfInterest) return
    for (const server of serversOf(view)) {
      const behind = view.proxyIdleMs === null ? null : behindProxy(server, view.proxyIdleMs)
      const headers = behind ?? headersFirst(server, view.evaluator.project.versionOf('node', server.module.source.file))
      if (headers) yield scanFinding(headers)
    }
  },
}

function behindProxy({ name, keepAlive }: Server, proxyIdleMs: number): ScanFinding | null {
  if (!keepAlive || keepAlive.ms === 0 || keepAlive.ms > proxyIdleMs) return null
  const own = secondsText(keepAlive.ms)
  const above = secondsText(proxyIdleMs)
  return {
    rule: 'keep-alive-order',
    severity: 'error',
    message: `${name} closes idle connections after ${own}${keepAlive.isDefault ? ' by default' : ''}, but what stands before it keeps and reuses them for ${above}`,
    arithmetic: `keepAliveTimeout ${own} <= ${above}`,
    why: 'The server closes first, so now and then a request is sent into a connection that is just being closed: random resets.',
    spot: keepAlive.spot,
    label: `closes after ${own}`,
    values: { keepAliveMs: keepAlive.ms, proxyIdleMs },
    suggestion: { text: `keepAliveTimeout: more than ${proxyIdleMs}`, edits: [] },
  }
}

function headersFirst({ keepAlive, headers }: Server, node: string | null): ScanFinding | null {
  if (!keepAlive || keepAlive.isDefault || !headers || headers.ms === 0 || headers.ms > keepAlive.ms) return null
  if (node === null || compareVersions(node, HEADERS_FIXED_IN) >= 0) return null
  return {
    rule: 'keep-alive-order',
    severity: 'warning',
    message: `headersTimeout ${secondsText(headers.ms)} is not above keepAliveTimeout ${secondsText(keepAlive.ms)}: Node ${node} counts it from the last answer, and closes the connection before`,
    arithmetic: `headersTimeout ${secondsText(headers.ms)} <= keepAliveTimeout ${secondsText(keepAlive.ms)}`,
    why: 'The next request on a kept connection is cut off: random resets.',
    spot: headers.spot,
    label: 'ends kept connections',
    related: [{ spot: keepAlive.spot, label: 'is meant to keep them so long' }],
    values: { headersMs: headers.ms, keepAliveMs: keepAlive.ms },
    suggestion: { text: `headersTimeout: more than ${keepAlive.ms}`, edits: [] },
  }
}
