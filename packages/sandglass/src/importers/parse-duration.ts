/** How a product writes a time; each is one grammar, checked against the product's own parser or documentation. */
export type DurationDialect =
  | 'nginx'
  | 'nginx-seconds'
  | 'haproxy'
  | 'protobuf'
  | 'go'
  | 'go-or-seconds'
  | 'istio'
  | 'spring'
  | 'int-ms'
  | 'int-s'
  | 'decimal-s'
  | 'gep2257'
  | 'postgres-ms'
  | 'postgres-s'
  | 'php-fpm'
  | 'compose'

/** The ms of a text, or why it is none; never NaN. */
export type ParsedDuration = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly message: string }

interface Grammar {
  /** Units with their ms; the longest name first where one begins another. */
  readonly units: readonly (readonly [string, number])[]
  /** What a bare number is, in ms; null where it is not allowed. */
  readonly bareMs: number | null
  readonly decimals: boolean
  /** How many parts such as `1m30s` may have. */
  readonly parts: number
  /** Larger units first, each once. */
  readonly descending: boolean
  readonly spaces: boolean
  readonly maxDigits: number
  readonly expected: string
}

const MS = 1
const S = 1000
const M = 60 * S
const H = 60 * M
const D = 24 * H
const clock: readonly (readonly [string, number])[] = [
  ['ms', MS],
  ['s', S],
  ['m', M],
  ['h', H],
]
const go: readonly (readonly [string, number])[] = [['ns', MS / 1e6], ['us', MS / 1e3], ['µs', MS / 1e3], ...clock]
const week: readonly (readonly [string, number])[] = [...clock, ['d', D], ['w', 7 * D]]
const plain = { decimals: false, parts: 1, descending: false, spaces: false, maxDigits: 15 }
const postgres = { ...plain, decimals: true, expected: 'a number with us, ms, s, min, h or d, such as 30s' }
const postgresUnits: readonly (readonly [string, number])[] = [
  ['us', MS / 1e3],
  ['ms', MS],
  ['min', M],
  ['s', S],
  ['h', H],
  ['d', D],
]

const grammars: Readonly<Record<DurationDialect, Grammar>> = {
  nginx: {
    ...plain,
    units: week,
    bareMs: S,
    parts: 7,
    descending: true,
    spaces: true,
    expected: 'a time nginx takes: whole numbers with ms, s, m, h, d or w, such as 60s or 1m30s',
  },
  'nginx-seconds': {
    ...plain,
    units: [
      ['s', S],
      ['m', M],
      ['h', H],
      ['d', D],
      ['w', 7 * D],
      ['M', 30 * D],
      ['y', 365 * D],
    ],
    bareMs: S,
    parts: 7,
    descending: true,
    spaces: true,
    expected: 'a time nginx takes here: whole numbers with s, m, h, d, w, M or y, such as 10s',
  },
  haproxy: {
    ...plain,
    units: [['us', MS / 1e3], ...clock, ['d', D]],
    bareMs: MS,
    expected: 'a whole number with us, ms, s, m, h or d; without a unit it is milliseconds',
  },
  protobuf: { ...plain, units: [['s', S]], bareMs: null, decimals: true, expected: 'a number of seconds with an s, such as 0.25s' },
  go: { ...plain, units: go, bareMs: null, decimals: true, parts: 8, expected: 'a duration: numbers with ms, s, m or h, such as 1m30s' },
  'go-or-seconds': {
    ...plain,
    units: go,
    bareMs: S,
    decimals: true,
    parts: 8,
    expected: 'a duration: numbers with ms, s, m or h, or a bare number of seconds',
  },
  istio: { ...plain, units: go, bareMs: null, decimals: true, parts: 8, expected: 'a duration: numbers with ms, s, m or h, such as 0.5s' },
  spring: {
    ...plain,
    units: [['ns', MS / 1e6], ['us', MS / 1e3], ...clock, ['d', D]],
    bareMs: MS,
    expected: 'a whole number with ns, us, ms, s, m, h or d, PT3S, or a bare number of milliseconds',
  },
  'int-ms': { ...plain, units: [], bareMs: MS, expected: 'a whole number of milliseconds' },
  'int-s': { ...plain, units: [], bareMs: S, expected: 'a whole number of seconds' },
  'decimal-s': { ...plain, units: [], bareMs: S, decimals: true, expected: 'a number of seconds' },
  gep2257: {
    ...plain,
    units: clock,
    bareMs: null,
    parts: 4,
    maxDigits: 5,
    expected: 'a duration: one to four numbers with h, m, s or ms, such as 1h30m',
  },
  'postgres-ms': { ...postgres, units: postgresUnits, bareMs: MS },
  'php-fpm': {
    ...plain,
    units: [
      ['s', S],
      ['m', M],
      ['h', H],
      ['d', D],
    ],
    bareMs: S,
    expected: 'a whole number with s, m, h or d; without a unit it is seconds',
  },
  'postgres-s': { ...postgres, units: postgresUnits, bareMs: S },
  compose: {
    ...plain,
    units: go.filter(([unit]) => unit !== 'ns' && unit !== 'µs'),
    bareMs: null,
    parts: 8,
    expected: 'a duration: numbers with us, ms, s, m or h, such as 1m30s',
  },
}

/** Timers beyond this are as good as none, and numbers beyond it are typing mistakes. */
const MAX_MS = 1000 * 365 * D

/** Reads a time as a product would: what the product refuses is refused, with what it takes. */
export function parseDuration(raw: string, dialect: DurationDialect): ParsedDuration {
  const grammar = grammars[dialect]
  // Only PostgreSQL takes a space before the unit.
  const text = dialect.startsWith('postgres') ? raw.trim().replace(/^(\d[\d.]*)\s+(?=[a-z])/, '$1') : raw.trim()
  const refused = { ok: false as const, message: `"${text.slice(0, 40)}" is not ${grammar.expected}` }
  if (text.length === 0 || text.length > 60) return refused
  if (dialect === 'spring' && /^[-+]?P/i.test(text)) return isoDuration(text) ?? refused
  if ((dialect === 'go' || dialect === 'istio') && text === '0') return { ok: true, ms: 0 }
  const ms = sumOf(text, grammar)
  if (ms === null || ms > MAX_MS) return refused
  // HAProxy rounds microseconds up to its clock's tick; the others are exact to a nanosecond.
  return { ok: true, ms: dialect === 'haproxy' ? Math.ceil(ms) : Math.round(ms * 1e6) / 1e6 }
}

function sumOf(text: string, grammar: Grammar): number | null {
  const part = /(\d+)(\.\d{1,9})?([a-zµA-Z]*)(\s*)/gy
  let sum = 0
  let last = Number.POSITIVE_INFINITY
  let at = 0
  for (let parts = 1; at < text.length; parts++) {
    part.lastIndex = at
    const found = part.exec(text)
    if (!found || parts > grammar.parts) return null
    const [whole, digits = '', fraction, unit = '', space = ''] = found
    at += whole.length
    const isLast = at >= text.length
    const unitMs = unit === '' ? (isLast ? grammar.bareMs : null) : grammar.units.find(([name]) => name === unit)?.[1]
    if (unitMs === undefined || unitMs === null || digits.length > grammar.maxDigits || (fraction !== undefined && !grammar.decimals))
      return null
    if (space !== '' && !grammar.spaces) return null
    if (grammar.descending && unitMs >= last) return null
    last = unitMs
    sum += Number(digits + (fraction ?? '')) * unitMs
  }
  return sum
}

function isoDuration(text: string): ParsedDuration | null {
  const found = /^\+?P(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/i.exec(text)
  if (!found || text.length < 3) return null
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = found
  return { ok: true, ms: Math.round((Number(days) * D + Number(hours) * H + Number(minutes) * M + Number(seconds) * S) * 1e6) / 1e6 }
}
