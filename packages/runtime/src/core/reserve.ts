/**
 * The part of the remaining budget a hop keeps for itself, in ms: what is declared, else max(5 ms, 5 %).
 *
 * Without a deadline (`Infinity` remaining) nothing needs keeping: 0. Throws RangeError for a declared value that is negative or not finite.
 */
export function reserveMs(remainingMs: number, declaredMs?: number): number {
  if (declaredMs !== undefined) return checkedMs(declaredMs)
  return remainingMs === Number.POSITIVE_INFINITY ? 0 : Math.max(5, remainingMs * 0.05)
}

/**
 * The one question before any spend: remaining - reserve >= floor?
 *
 * A floor of 0 still asks for something to be left: what starts with nothing has already expired.
 */
export function mayStart(remainingMs: number, reservedMs: number, floorMs = 0): boolean {
  const leftMs = remainingMs - reservedMs
  return leftMs > 0 && leftMs >= floorMs
}

/** What a spend is given, in ms: min(timeout, remaining - reserve), never negative; without a timeout all that is left. */
export function grantMs(timeoutMs: number | undefined, remainingMs: number, reservedMs: number): number {
  return Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, Math.max(0, remainingMs - reservedMs))
}

function checkedMs(declaredMs: number): number {
  if (!(declaredMs >= 0 && declaredMs < Number.POSITIVE_INFINITY))
    throw new RangeError(`a reserve must be 0 ms or more and finite, not ${declaredMs}`)
  return declaredMs
}
