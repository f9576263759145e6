import type { LoadStep } from './arrivals.js'
import type { SentRequest } from './sent-request.js'

/** What the load process is told. */
export type ToLoad =
  | {
      readonly type: 'start'
      readonly port: number
      readonly operation: string
      readonly steps: readonly LoadStep[]
      readonly durationMs: number
      readonly seed: number
      /** The client gives up after so long (ms); null for never. */
      readonly timeoutMs: number | null
      /** How long answers are waited for after the last request (ms). */
      readonly graceMs: number
      /** When to begin (epoch ms). */
      readonly startAt: number
      /** A service that only waits: what asking it takes beyond that is what a hop costs. */
      readonly probe: { readonly port: number; readonly operation: string; readonly workMs: number } | null
    }
  | { readonly type: 'stop' }

/** What the load process tells. */
export type FromLoad =
  | { readonly type: 'ready' }
  | { readonly type: 'results'; readonly requests: readonly SentRequest[] }
  | { readonly type: 'done'; readonly sent: number; readonly mostLagMs: number; readonly cpuMs: number; readonly hopMs: number | null }
