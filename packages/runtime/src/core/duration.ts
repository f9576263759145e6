/** The longest duration any Sandglass format can carry: 9 999 999 999 ms, about 115 days. */
export const longestDurationMs = 9_999_999_999

/** What reading a duration gives: its length in ms, or one clear line and, where it can be guessed, the likely text. */
export type ParsedDuration =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly message: string; readonly likely?: string }

const longestText = 64
const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
const otherNames: Readonly<Record<string, string>> = {
  msec: 'ms',
  msecs: 'ms',
  milli: 'ms',
  millis: 'ms',
  millisecond: 'ms',
  milliseconds: 'ms',
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
  min: 'm',
  mins: 'm',
  minute: 'm',
  minutes: 'm',
  hr: 'h',
  hrs: 'h',
  hour: 'h',
  hours: 'h',
  day: 'd',
  days: 'd',
}
const finerThanMs = new Set(['us', 'µs', 'μs', 'ns', 'usec', 'nsec', 'micros', 'nanos'])

/**
 * Reads a duration of the chain file (`250ms` `0.25s` `1m30s` `2h` `1d`) into ms, 0 … 9 999 999 999; never throws.
 *
 * Units are `d` `h` `m` `s` `ms`, the largest first, each at most once. Text longer than 64 characters is refused unread.
 */
export function parseDuration(text: string): ParsedDuration {
  if (text.length > longestText) return refuse(`a duration of ${text.length} characters is too long to be one`)
  const trimmed = text.trim()
  if (trimmed === '') return refuse('a duration is missing: write one such as 250ms or 2.8s')
  if (/^[-+]/.test(trimmed)) return signed(trimmed)
  if (/^(\d+\.?\d*|\.\d+)$/.test(trimmed)) return bareNumber(trimmed)
  return readParts(trimmed)
}

function readParts(text: string): ParsedDuration {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-zA-Zµμ]+)\s*/g)]
  const strict = /^(?:\d+(?:\.\d+)?[a-zA-Zµμ]+)+$/.test(text)
  const covered = parts.reduce((length, part) => length + part[0].length, 0) === text.length
  if (!covered) return refuse(`"${text}" is not a duration: write one such as 250ms, 2.8s or 1m30s`)

  const units: string[] = []
  for (const part of parts) {
    const written = part[2] ?? ''
    const unit = nearestUnit(written)
    if (unit !== written) return unknownUnit(text, written, rewritten(parts))
    units.push(unit)
  }
  if (!strict) return refuse(`"${text}" has a space in it`, rewritten(parts))
  if (!isDescending(units)) return outOfOrder(text, parts, units)

  const totalMs = parts.reduce((sumMs, part) => sumMs + partMs(part[1] ?? '', part[2] ?? ''), 0)
  if (totalMs > longestDurationMs) return refuse(`"${text}" is longer than the longest duration, ${longestDurationMs}ms (about 115 days)`)
  return { ok: true, ms: totalMs }
}

/** The decimal point is moved in the digits, so that 4.35s is 4350 ms and not 4349.999…; one division rounds once. */
function partMs(number: string, unit: string): number {
  const [whole = '', fraction = ''] = number.split('.')
  return (Number(whole + fraction) * (unitMs[unit] ?? Number.NaN)) / 10 ** fraction.length
}

function refuse(message: string, likely?: string): ParsedDuration {
  return likely === undefined ? { ok: false, message } : { ok: false, message: `${message}: did you mean ${likely}?`, likely }
}

function signed(text: string): ParsedDuration {
  const rest = parseDuration(text.slice(1))
  return refuse(`"${text}" has a sign: a duration is never negative`, rest.ok ? text.slice(1).trim() : undefined)
}

function bareNumber(text: string): ParsedDuration {
  const number = String(Number(text))
  if (!/^[\d.]+$/.test(number)) return refuse(`"${text}" needs a unit`)
  if (number === '0') return refuse('"0" needs a unit', '0ms')
  // Nobody waits 300 s or more on purpose in a chain; below that people mostly think in seconds.
  const [first, second] = Number(text) < 300 ? ['s', 'ms'] : ['ms', 's']
  return { ok: false, message: `"${text}" needs a unit: ${number}${first} or ${number}${second}?`, likely: `${number}${first}` }
}

function nearestUnit(written: string): string | undefined {
  if (Object.hasOwn(unitMs, written)) return written
  if (finerThanMs.has(written.toLowerCase())) return undefined
  const lower = written.toLowerCase()
  if (Object.hasOwn(unitMs, lower)) return lower
  return Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined
}

function unknownUnit(text: string, written: string, likely: string | undefined): ParsedDuration {
  if (finerThanMs.has(written.toLowerCase())) return refuse(`"${text}": the smallest unit is ms, write a fraction such as 0.5ms`)
  if (likely === undefined) return refuse(`"${text}": "${written}" is no unit; the units are ms, s, m, h and d`, swapped(text, written))
  return refuse(`"${text}": "${written}" is no unit`, likely)
}

/** A slip of one letter next to a real unit (`mss`, `sm`): only the closest by first letter is offered. */
function swapped(text: string, written: string): string | undefined {
  const first = written.toLowerCase().slice(0, 2) === 'ms' ? 'ms' : written.toLowerCase().charAt(0)
  if (!Object.hasOwn(unitMs, first)) return undefined
  const likely = text.replace(written, first)
  return parseDuration(likely).ok ? likely : undefined
}

function rewritten(parts: readonly RegExpMatchArray[]): string | undefined {
  const units = parts.map((part) => nearestUnit(part[2] ?? ''))
  if (units.includes(undefined) || !isDescending(units as string[])) return undefined
  return parts.map((part, index) => `${part[1]}${units[index]}`).join('')
}

function outOfOrder(text: string, parts: readonly RegExpMatchArray[], units: readonly string[]): ParsedDuration {
  if (new Set(units).size < units.length) return refuse(`"${text}" names a unit twice`)
  const sorted = [...parts].sort((a, b) => (unitMs[b[2] ?? ''] ?? 0) - (unitMs[a[2] ?? ''] ?? 0))
  return refuse(`"${text}": the largest unit comes first`, sorted.map((part) => `${part[1]}${part[2]}`).join(''))
}

function isDescending(units: readonly string[]): boolean {
  return units.every((unit, index) => index === 0 || (unitMs[units[index - 1] ?? ''] ?? 0) > (unitMs[unit] ?? 0))
}
