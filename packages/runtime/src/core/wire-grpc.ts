import { absent, expired, type HeaderValue, longestBudgetMs, malformed, readOnce, type WireBudget, type WireText } from './wire-value.js'

/** The header of gRPC that carries the remaining budget: 1 to 8 digits and a unit. */
export const grpcHeader = 'grpc-timeout'

const mostUnits = 99_999_999
const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }
const writtenUnits = ['m', 'S', 'M', 'H'] as const

/** Reads `grpc-timeout` (`597H`, `500u`), clamped to the longest budget. Signed, fractional or longer than 8 digits is malformed. Never throws. */
export function parseGrpcTimeout(value: HeaderValue): WireBudget {
  return readOnce(value, readOne)
}

/** Writes `grpc-timeout` in ms if 8 digits hold it, else in the next larger unit, always rounded down, so never lengthened. */
export function formatGrpcTimeout(budgetMs: number): WireText {
  if (budgetMs === Number.POSITIVE_INFINITY) return absent
  const clampedMs = Math.min(budgetMs, longestBudgetMs)
  if (clampedMs > 0 && clampedMs < 1) return finerThanMs(clampedMs)
  if (!(clampedMs >= 1)) return expired
  for (const unit of writtenUnits) {
    const count = Math.floor(clampedMs / (unitMs[unit] ?? 1))
    if (count <= mostUnits) return { state: 'present', text: `${count}${unit}` }
  }
  return absent
}

function finerThanMs(budgetMs: number): WireText {
  const micros = Math.floor(budgetMs * 1000)
  return micros < 1 ? expired : { state: 'present', text: `${micros}u` }
}

function readOne(text: string): WireBudget {
  const match = /^(\d+)([HMSmun])$/.exec(text)
  if (match === null) return malformed(faultOf(text))
  const [, digits = '', unit = ''] = match
  if (digits.length > 8) return malformed('out-of-range')
  return { state: 'present', ms: Math.min(Number(digits) * (unitMs[unit] ?? 1), longestBudgetMs) }
}

function faultOf(text: string): 'empty' | 'signed' | 'fraction' | 'unit' | 'malformed' {
  if (text === '') return 'empty'
  if (/^[-+]/.test(text)) return 'signed'
  if (/^\d*\.\d*[a-zA-Z]*$/.test(text)) return 'fraction'
  return /^\d+[a-zA-Z]*$/.test(text) ? 'unit' : 'malformed'
}
