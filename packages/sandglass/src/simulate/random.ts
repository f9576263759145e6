/** A source of numbers in [0, 1). */
export type Random = () => number

/**
 * A stream of random numbers for a seed (whole, 0 to 2^53) and a name: sfc32 (C. Doty-Humphrey, PractRand). The same pair
 * gives the same numbers on every platform; other names give independent streams, so that adding a draw in one place does
 * not move the draws of another.
 */
export function createRandom(seed: number, stream: string): Random {
  let a = seed | 0
  let b = Math.floor(seed / 4_294_967_296) | 0
  let c = hashOf(stream)
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  // The first rounds still show the seed (PractRand runs 12 to 15 of them).
  for (let round = 0; round < 15; round++) next()
  return next
}

/** FNV-1a with a final mix (MurmurHash3's), 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
