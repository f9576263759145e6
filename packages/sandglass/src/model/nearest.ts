import { distance } from 'fastest-levenshtein'

/** Fewer letters begin too much. */
const LEAST_BEGINNING = 4

/** The known word that looks most like `word`, or begins with it; null when none is near enough to be what was meant. */
export function nearest(word: string, known: Iterable<string>): string | null {
  const wanted = word.slice(0, 64).toLowerCase()
  let best: string | null = null
  let begun: string | null = null
  let bestDistance = Math.max(2, Math.ceil(wanted.length / 3)) + 1
  for (const candidate of known) {
    if (wanted.length >= LEAST_BEGINNING && candidate.toLowerCase().startsWith(`${wanted}-`)) begun ??= candidate
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const far = distance(wanted, candidate.toLowerCase())
    if (far < bestDistance) {
      best = candidate
      bestDistance = far
    }
  }
  return best ?? begun
}

/** ` (did you mean "x"?)`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known)
  return near === null ? '' : ` (did you mean "${near}"?)`
}
