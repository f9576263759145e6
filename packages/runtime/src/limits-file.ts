import type { AdmissionOptions } from './core/admission.js'
import type { CallLimits } from './call-options.js'
import type { InboundOptions } from './inbound.js'

/** A watched file of limits. */
export interface LimitsFile {
  /** The limits of a call by its name, undefined where the file has none. */
  call(name: string): CallLimits | undefined
  /** The server's own limits. */
  server(): Partial<InboundOptions> | undefined
  /** How an operation of this server is admitted. */
  operation(name: string): AdmissionOptions | undefined
  /** Calls `listener` after every accepted change. */
  onChange(listener: () => void): void
  /** Stops watching. */
  close(): void
}
