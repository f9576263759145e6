/** A header's value as servers hand it over: one text, several, or nothing. */
export type HeaderValue = string | readonly string[] | undefined

/** Why a header was not understood; counted, never thrown. */
export type WireFault = 'empty' | 'too-long' | 'too-many' | 'signed' | 'fraction' | 'malformed' | 'out-of-range' | 'unit' | 'conflict'

/** A budget read from a header: so many ms (0: expired), nothing there, or not understood. */
export type WireBudget =
  | { readonly state: 'present'; readonly ms: number }
  | { readonly state: 'absent' }
  | { readonly state: 'malformed'; readonly fault: WireFault }

/** A header to be written: its text, or why there is none. `expired` is a local failure and must never travel as "no limit". */
export type WireText = { readonly state: 'present'; readonly text: string } | { readonly state: 'absent' } | { readonly state: 'expired' }

/** The longest budget a header carries: 9 999 999 999 ms; what is longer is clamped, never refused for being long. */
export const longestBudgetMs = 9_999_999_999

/** No value. */
export const absent: { readonly state: 'absent' } = Object.freeze({ state: 'absent' })

/** No time left. */
export const expired: { readonly state: 'expired' } = Object.freeze({ state: 'expired' })

/** A fault as a result. */
export function malformed(fault: WireFault): WireBudget {
  return { state: 'malformed', fault }
}

const longestValue = 256
const mostValues = 16

/**
 * Reads a header that may have come several times or joined by commas: the same value repeated counts once, two different ones are `conflict`.
 *
 * Anything longer than 256 characters or 16 values is refused unread, so that a hostile header costs no time.
 */
export function readOnce(value: HeaderValue, parse: (text: string) => WireBudget): WireBudget {
  if (value === undefined) return absent
  // Nearly every header is one short text: it is read without building lists.
  if (typeof value === 'string' && value.length <= longestValue && !value.includes(',')) return parse(trimSpaces(value))
  const texts = typeof value === 'string' ? [value] : value
  if (texts.length === 0) return absent
  if (texts.length > mostValues) return malformed('too-many')
  if (texts.some((text) => text.length > longestValue)) return malformed('too-long')
  const parts = texts.flatMap((text) => text.split(','))
  if (parts.length > mostValues) return malformed('too-many')
  return parts.map((part) => parse(trimSpaces(part))).reduce(agree)
}

/** Reads digits only, 0 … `largest`; leading zeros are fine. Says what is wrong with anything else. */
export function readWhole(text: string, largest: number): WireBudget {
  if (!/^\d+$/.test(text)) return malformed(faultOf(text))
  const ms = Number(text)
  return ms > largest ? malformed('out-of-range') : { state: 'present', ms }
}

/** A whole-ms header: rounded down, at most `largest`; below 1 ms `expired`, `Infinity` (no deadline) `absent`. */
export function wholeText(budgetMs: number, largest: number = longestBudgetMs): WireText {
  if (budgetMs === Number.POSITIVE_INFINITY) return absent
  // Written so that NaN, which only a bug can produce, fails closed.
  if (!(budgetMs >= 1)) return expired
  return { state: 'present', text: String(Math.min(Math.floor(budgetMs), largest)) }
}

function faultOf(text: string): WireFault {
  if (text === '') return 'empty'
  if (/^[-+]/.test(text)) return 'signed'
  return /^\d*\.\d*$/.test(text) ? 'fraction' : 'malformed'
}

function agree(a: WireBudget, b: WireBudget): WireBudget {
  if (a.state === 'malformed') return a
  if (b.state === 'malformed') return b
  return a.state === 'present' && b.state === 'present' && a.ms === b.ms ? a : malformed('conflict')
}

/** Spaces and tabs only: `trim` would also swallow line breaks and no-break spaces. */
function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}
