/**
 * The advice to let a signal and a limit of `ms` (where known) both end a call.
 * Not over `AbortSignal.timeout`: Node 20 forgets one that only `AbortSignal.any` refers to as soon as memory is collected (measured, docs/clients.md).
 */
export const bothSignals = (ms: number | null): string =>
  `AbortSignal.any([signal, limit.signal]) with const limit = new AbortController() and setTimeout(() => limit.abort(), ${ms ?? '…'}), cleared after the call`
