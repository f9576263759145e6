import type { Trouble } from '../service/messages.js'

/** What a proxy between two services does to their traffic. Times in ms. */
export interface WireFault {
  readonly delayMs?: number
  readonly jitterMs?: number
  /** Takes connections and never answers. */
  readonly hangs?: boolean
  /** Breaks connections at their first byte. */
  readonly resets?: boolean
  /** Takes no connections. */
  readonly refuses?: boolean
  readonly bytesPerS?: number
  /** One byte each so many ms. */
  readonly dripMs?: number
}

/** A fault from outside the services, for a while; `forMs` null lasts until the end. */
export type LabFault = { readonly atMs: number; readonly forMs: number | null; readonly text: string } & (
  | { readonly on: 'operation'; readonly service: string; readonly trouble: Trouble }
  | { readonly on: 'process'; readonly service: string; readonly signal: 'SIGKILL' | 'SIGSTOP' }
  | { readonly on: 'wire'; readonly caller: string; readonly callee: string; readonly wire: WireFault }
)

/** A fault read from text, or one line that says what is wrong with it. */
export type FaultRead = { readonly ok: true; readonly fault: LabFault } | { readonly ok: false; readonly message: string }

/** How a fault is written, for help and messages. */
export const FAULT_HELP =
  'service.operation:latency=x20|latency=+2s|errors=30%|hang=5%|capacity=x0.2|lock=5%|down, service:kill|stop, caller>callee:delay=100ms|jitter=50ms|hang|reset|refuse|throttle=1000|drip=5ms; then @4s+6s for when and how long'

/** Reads `target:kind[=value][@at[+for]]`. Without `@` it begins at once (`atMs` 0). */
export function readFault(text: string): FaultRead {
  const match = /^([\w.>-]+):([a-z]+)(?:=([^@]+))?(?:@([\w.]+)(?:\+([\w.]+))?)?$/.exec(text.trim())
  if (!match) return { ok: false, message: `fault "${text}" was not understood; expected ${FAULT_HELP}` }
  const [, target = '', kind = '', value, at, lasts] = match
  const [atMs, forMs] = [at === undefined ? 0 : durationMs(at), lasts === undefined ? null : durationMs(lasts)]
  if (Number.isNaN(atMs) || Number.isNaN(forMs ?? 0))
    return { ok: false, message: `fault "${text}": expected durations with a unit after @ and +, such as @4s+6s` }
  const when = { atMs, forMs, text }
  const read = target.includes('>')
    ? wireFault(target, kind, value)
    : target.includes('.')
      ? operationFault(target, kind, value)
      : processFault(target, kind)
  if (typeof read === 'string') return { ok: false, message: `fault "${text}": ${read}` }
  return { ok: true, fault: { ...when, ...read } }
}

type Target = LabFault extends infer F ? (F extends LabFault ? Omit<F, 'atMs' | 'forMs' | 'text'> : never) : never

function operationFault(target: string, kind: string, value: string | undefined): Target | string {
  const [service = '', operation = ''] = target.split('.')
  const trouble = troubleOf(operation, kind, value)
  return typeof trouble === 'string' ? trouble : { on: 'operation', service, trouble }
}

function troubleOf(operation: string, kind: string, value: string | undefined): Trouble | string {
  switch (kind) {
    case 'latency': {
      const times = /^x([\d.]+)$/.exec(value ?? '')?.[1]
      const added = /^\+(.+)$/.exec(value ?? '')?.[1]
      if (times !== undefined) return { operation, times: Number(times) }
      return added !== undefined && !Number.isNaN(durationMs(added))
        ? { operation, addMs: durationMs(added) }
        : 'expected latency=x20 or latency=+2s'
    }
    case 'capacity': {
      const speed = Number(/^x([\d.]+)$/.exec(value ?? '')?.[1])
      return speed > 0 ? { operation, speed } : 'expected capacity=x0.2'
    }
    case 'down':
      return { operation, isDown: true }
    case 'errors':
    case 'hang':
    case 'lock': {
      const share = Number(/^([\d.]+)%$/.exec(value ?? '')?.[1]) / 100
      if (!(share >= 0 && share <= 1)) return `expected ${kind}=30%`
      return kind === 'errors'
        ? { operation, errorShare: share }
        : kind === 'hang'
          ? { operation, hangShare: share }
          : { operation, lockShare: share }
    }
    default:
      return 'an operation can have latency, capacity, errors, hang, lock or down'
  }
}

function processFault(service: string, kind: string): Target | string {
  if (kind === 'kill') return { on: 'process', service, signal: 'SIGKILL' }
  if (kind === 'stop') return { on: 'process', service, signal: 'SIGSTOP' }
  return 'a service can have kill or stop'
}

function wireFault(target: string, kind: string, value: string | undefined): Target | string {
  const [caller = '', callee = ''] = target.split('>')
  const wire = wireOf(kind, value)
  return typeof wire === 'string' ? wire : { on: 'wire', caller, callee, wire }
}

function wireOf(kind: string, value: string | undefined): WireFault | string {
  const ms = durationMs(value ?? '')
  switch (kind) {
    case 'hang':
      return { hangs: true }
    case 'reset':
      return { resets: true }
    case 'refuse':
      return { refuses: true }
    case 'throttle':
      return Number(value) > 0 ? { bytesPerS: Number(value) } : 'expected throttle=1000 (bytes per second)'
    case 'delay':
    case 'jitter':
    case 'drip':
      if (Number.isNaN(ms)) return `expected ${kind}=100ms`
      return kind === 'delay' ? { delayMs: ms } : kind === 'jitter' ? { jitterMs: ms } : { dripMs: ms }
    default:
      return 'a connection can have delay, jitter, hang, reset, refuse, throttle or drip'
  }
}

/** A duration with its unit in ms; NaN for anything else. */
function durationMs(text: string): number {
  const [, number, unit] = /^([\d.]+)(ms|s|m)$/.exec(text) ?? []
  return number === undefined ? Number.NaN : Number(number) * (unit === 'ms' ? 1 : unit === 's' ? 1000 : 60_000)
}
