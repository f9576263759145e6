import type { HeaderValue } from './wire-value.js'

/** The answer header that says which calls were answered from a fallback; collected over hops, up to the client. */
export const degradedHeader = 'request-degraded'

/** One call answered from a fallback. */
export interface DegradedCall {
  /** The call, written `service.operation`. */
  readonly call: string
  /** `snapshot`, `default`, `empty` or `defer`; other words of other implementations are passed on. */
  readonly tier: string
  /** How old the answer is in ms; left out where age has no meaning. */
  readonly ageMs?: number
}

const longestDegraded = 4096
const mostCalls = 32
const callName = /^[A-Za-z0-9._~:/-]{1,128}$/
const tierName = /^[a-z][a-z0-9-]{0,31}$/

/**
 * Reads `request-degraded` (`inventory.available;tier=snapshot;age-ms=600000, …`). Never throws.
 *
 * Entries that are malformed or have no tier are left out; at most 32 are kept and 4096 characters looked at.
 */
export function parseDegraded(value: HeaderValue): readonly DegradedCall[] {
  if (value === undefined) return []
  const texts = typeof value === 'string' ? [value] : value.slice(0, mostCalls)
  if (texts.reduce((length, text) => length + text.length, 0) > longestDegraded) return []
  return texts
    .flatMap((text) => text.split(','))
    .map(readEntry)
    .filter((entry) => entry !== undefined)
    .slice(0, mostCalls)
}

/** Writes `request-degraded`; what could not be read back is left out, as is what passes 32 entries or 4096 characters. Empty text: write no header. */
export function formatDegraded(calls: readonly DegradedCall[]): string {
  let text = ''
  for (const entry of calls.slice(0, mostCalls)) {
    const written = writeEntry(entry)
    const longer = text === '' || written === '' ? text + written : `${text}, ${written}`
    if (longer.length <= longestDegraded) text = longer
  }
  return text
}

/** Joins what several answers reported, in order: of two entries for one call and tier the older answer is kept; at most 32. */
export function mergeDegraded(...lists: readonly (readonly DegradedCall[])[]): readonly DegradedCall[] {
  const merged = new Map<string, DegradedCall>()
  for (const entry of lists.flat()) {
    const key = `${entry.call};${entry.tier}`
    const known = merged.get(key)
    if (known === undefined || (entry.ageMs ?? 0) > (known.ageMs ?? 0)) merged.set(key, entry)
  }
  return [...merged.values()].slice(0, mostCalls)
}

function readEntry(text: string): DegradedCall | undefined {
  const [call = '', ...parts] = text.split(';').map((part) => part.trim())
  if (!callName.test(call)) return undefined
  const tier = valueOf(parts, 'tier')
  if (tier === undefined || !tierName.test(tier)) return undefined
  const age = valueOf(parts, 'age-ms')
  return age !== undefined && /^\d{1,13}$/.test(age) ? { call, tier, ageMs: Number(age) } : { call, tier }
}

function valueOf(parts: readonly string[], name: string): string | undefined {
  return parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
}

function writeEntry({ call, tier, ageMs }: DegradedCall): string {
  if (!callName.test(call) || !tierName.test(tier)) return ''
  // An age is rounded up: an answer never looks fresher than it is.
  return ageMs !== undefined && ageMs >= 0 && ageMs < 1e13 - 1 ? `${call};tier=${tier};age-ms=${Math.ceil(ageMs)}` : `${call};tier=${tier}`
}
