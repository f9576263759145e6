import { importSources } from '../src/importers/import-sources.js'
import type { Call } from '../src/model/chain.js'
import { linkChain } from '../src/model/link.js'
import { DRIP_MS, DRIPS, type Fault } from './faulty-peer.fixture.js'

/** Limits of the one call that a config makes, as imported; NaN where there is none. */
export function importedLimits(file: string, text: string) {
  const { chain, problems } = linkChain([importSources([{ file, text }]).file])
  if (problems[0]) throw new Error(problems[0].message)
  const [call] = chain.calls
  return { ...limitsOf(call), call }
}

function limitsOf(call: Call | undefined) {
  const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN)
  return {
    connectMs: number(call?.connectMs?.value),
    silenceMs: number(call?.silenceMs?.value),
    writeMs: number(call?.writeMs?.value),
    queueMs: number((call?.queue?.perAttemptMs ?? call?.queue?.totalMs)?.value),
    withinMs: number(call?.retryStartWithinMs?.value),
    attempts: number(call?.attempts.value),
    /** How often a slow answer is asked for. */
    slowTries: call?.retryOn?.value.includes('timeout') ? number(call.attempts.value) : 1,
  }
}
export type Limits = ReturnType<typeof limitsOf>

/** One sample configuration in front of peers that misbehave, and how a request ends. */
export interface Sample {
  readonly title: string
  /** What the peers behind the proxy do. */
  readonly peers: readonly Fault[]
  readonly config: string
  readonly method?: string
  readonly body?: string | Uint8Array
  readonly status: number | null
  readonly isCut?: boolean
  /** How long it takes, from what was imported. */
  readonly takes: (limits: Limits) => number
  /** How many requests reach the peers, from what was imported; the peers' own count where it can be told. */
  readonly tries?: (limits: Limits) => number
}

/** More than fits into the buffers of two sockets. */
const LARGE_BODY = Buffer.alloc(8 * 1024 * 1024)
const DRIPPING_MS = DRIPS * DRIP_MS

/** nginx: `---` parts what stands in http from what stands in the location. */
export const nginxSamples: readonly Sample[] = [
  {
    title: 'gives up after the silence of the location',
    peers: ['hang'],
    config: 'proxy_read_timeout 9s; --- proxy_read_timeout 300ms;',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
    tries: ({ attempts }) => attempts,
  },
  {
    title: 'gives up after the silence it inherits',
    peers: ['hang'],
    config: 'proxy_read_timeout 400ms; ---',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
  },
  {
    title: 'tries each peer once',
    peers: ['hang', 'hang'],
    config: 'proxy_read_timeout 300ms; ---',
    status: 504,
    takes: ({ silenceMs, attempts }) => silenceMs * attempts,
    tries: ({ attempts }) => attempts,
  },
  {
    title: 'tries as often as it is told',
    peers: ['hang', 'hang', 'hang'],
    config: 'proxy_read_timeout 300ms; --- proxy_next_upstream_tries 2;',
    status: 504,
    takes: ({ silenceMs }) => silenceMs * 2,
    tries: ({ attempts }) => attempts,
  },
  {
    title: 'does not repeat what it is told not to',
    peers: ['hang', 'hang'],
    config: 'proxy_read_timeout 300ms; --- proxy_next_upstream off;',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
    tries: ({ attempts }) => attempts,
  },
  {
    title: 'starts no further try after proxy_next_upstream_timeout',
    peers: ['hang', 'hang', 'hang'],
    config: 'proxy_read_timeout 400ms; --- proxy_next_upstream_timeout 600ms;',
    status: 504,
    // The second try begins at 400 ms and ends at 800 ms: 600 ms is when tries may start, not when they end.
    takes: ({ silenceMs, withinMs }) => Math.ceil(withinMs / silenceMs) * silenceMs,
    tries: ({ silenceMs, withinMs }) => Math.ceil(withinMs / silenceMs),
  },
  {
    title: 'does not repeat a POST that was sent',
    peers: ['hang', 'hang'],
    config: 'proxy_read_timeout 300ms; ---',
    method: 'POST',
    body: 'x',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
    tries: () => 1,
  },
  {
    title: 'repeats a POST where non_idempotent says so',
    peers: ['hang', 'hang'],
    config: 'proxy_read_timeout 300ms; --- proxy_next_upstream error timeout non_idempotent;',
    method: 'POST',
    body: 'x',
    status: 504,
    takes: ({ silenceMs, attempts }) => silenceMs * attempts,
    tries: ({ attempts }) => attempts,
  },
  {
    title: 'lets an answer drip for longer than the silence: it is no total limit',
    peers: ['drip-body'],
    config: 'proxy_read_timeout 1500ms; ---',
    status: 200,
    takes: () => DRIPPING_MS,
    tries: ({ attempts }) => attempts,
  },
  {
    title: 'gives up on a header that drips: all of it must be there in time',
    peers: ['drip-header'],
    config: 'proxy_read_timeout 500ms; ---',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
  },
  {
    title: 'breaks an answer off after the silence, and does not try again once it began',
    peers: ['half-body', 'half-body'],
    config: 'proxy_read_timeout 300ms; ---',
    status: 200,
    isCut: true,
    takes: ({ silenceMs }) => silenceMs,
    tries: () => 1,
  },
  { title: 'asks every peer at once where they refuse', peers: ['refuse', 'refuse'], config: '---', status: 502, takes: () => 0 },
  {
    title: 'gives up connecting to a port that does not answer',
    peers: ['blackhole'],
    config: 'proxy_connect_timeout 9s; --- proxy_connect_timeout 400ms;',
    status: 504,
    takes: ({ connectMs }) => connectMs,
  },
  {
    title: 'gives up connecting to each peer in turn',
    peers: ['blackhole', 'blackhole'],
    config: '--- proxy_connect_timeout 300ms;',
    status: 504,
    takes: ({ connectMs, attempts }) => connectMs * attempts,
  },
  {
    title: 'gives up connecting, and then waiting, over two peers that differ',
    peers: ['blackhole', 'hang'],
    config: '--- proxy_connect_timeout 300ms; proxy_read_timeout 500ms; proxy_next_upstream_tries 2;',
    status: 504,
    takes: ({ connectMs, silenceMs }) => connectMs + silenceMs,
    tries: () => 1,
  },
  {
    title: 'gives up on a peer that reads nothing',
    peers: ['deaf'],
    config: '--- proxy_send_timeout 400ms; proxy_read_timeout 9s;',
    method: 'POST',
    body: LARGE_BODY,
    status: 504,
    takes: ({ writeMs }) => writeMs,
    tries: ({ attempts }) => attempts,
  },
]

/** HAProxy: what stands in defaults, behind `timeout client 20s` and `timeout connect 1s`. */
export const haproxySamples: readonly Sample[] = [
  {
    title: 'takes a bare number for milliseconds',
    peers: ['hang'],
    config: '  timeout server 400',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
    tries: ({ slowTries }) => slowTries,
  },
  {
    title: 'repeats no slow answer by default',
    peers: ['hang'],
    config: '  timeout server 300ms\n  retries 2',
    status: 504,
    takes: ({ silenceMs, slowTries }) => silenceMs * slowTries,
    tries: ({ slowTries }) => slowTries,
  },
  {
    title: 'repeats slow answers where it is told',
    peers: ['hang'],
    config: '  timeout server 300ms\n  retries 2\n  retry-on response-timeout',
    status: 504,
    takes: ({ silenceMs, attempts }) => silenceMs * attempts,
    tries: ({ slowTries }) => slowTries,
  },
  {
    title: 'repeats slow answers over two servers as often as over one',
    peers: ['hang', 'hang'],
    config: '  timeout server 300ms\n  retries 1\n  option redispatch\n  retry-on response-timeout',
    status: 504,
    takes: ({ silenceMs, attempts }) => silenceMs * attempts,
    tries: ({ slowTries }) => slowTries,
  },
  {
    title: 'lets an answer drip for longer than the silence: it is no total limit',
    peers: ['drip-body'],
    config: '  timeout server 1500ms',
    status: 200,
    takes: () => DRIPPING_MS,
  },
  {
    title: 'gives up on a header that drips: all of it must be there in time',
    peers: ['drip-header'],
    config: '  timeout server 500ms',
    status: 504,
    takes: ({ silenceMs }) => silenceMs,
  },
  {
    title: 'breaks an answer off after the silence, and does not try again once it began',
    peers: ['half-body'],
    config: '  timeout server 300ms\n  retry-on response-timeout',
    status: 200,
    isCut: true,
    takes: ({ silenceMs }) => silenceMs,
    tries: () => 1,
  },
  {
    title: 'gives up connecting after every try',
    peers: ['blackhole'],
    config: '  timeout server 9s\n  timeout connect 300ms\n  retries 2',
    status: 503,
    takes: ({ connectMs, attempts }) => connectMs * attempts,
  },
  {
    title: 'connects once where nothing is retried',
    peers: ['blackhole'],
    config: '  timeout server 9s\n  timeout connect 500ms\n  retries 0',
    status: 503,
    takes: ({ connectMs, attempts }) => connectMs * attempts,
  },
  {
    title: 'pauses before it asks again where a server refuses, and never longer than connecting may take',
    peers: ['refuse'],
    config: '  timeout server 9s\n  timeout connect 300ms\n  retries 2',
    status: 503,
    // Each retry waits for min(timeout connect, 1 s) first: less than what the limits allow.
    takes: ({ connectMs, attempts }) => Math.min(connectMs, 1000) * (attempts - 1),
  },
]
