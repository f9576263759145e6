import type { Latency } from '../model/chain.js'
import { shareWithin } from '../model/latency.js'

/** Probability masses of a time at the points 0, h, 2h …; what is missing to 1 never ends well. */
export type Distribution = Float64Array

/** A law on a grid: each point holds the mass within half a step around it (second-order accurate). */
export function gridOf(law: Latency, stepMs: number, points: number): Distribution {
  const masses = new Float64Array(points)
  let before = 0
  for (let i = 0; i < points; i++) {
    const until = shareWithin(law, (i + 0.5) * stepMs)
    masses[i] = until - before
    before = until
  }
  return masses
}

/** A time of 0 with certainty. */
export function atOnce(points: number): Distribution {
  const masses = new Float64Array(points)
  masses[0] = 1
  return masses
}

/** The sum of two independent times. */
export function inSeries(first: Distribution, second: Distribution): Distribution {
  const { length } = first
  const sum = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const mass = first[i] as number
    // A probability below rounding changes no sum, and makes arithmetic with denormal numbers slow.
    if (mass < 1e-30) continue
    for (let j = 0; i + j < length; j++) sum[i + j] = (sum[i + j] as number) + mass * (second[j] as number)
  }
  return sum
}

/** The later of two independent times (both must end well). */
export function together(first: Distribution, second: Distribution): Distribution {
  const later = new Float64Array(first.length)
  let one = 0
  let two = 0
  let before = 0
  for (let i = 0; i < first.length; i++) {
    one += first[i] as number
    two += second[i] as number
    later[i] = one * two - before
    before = one * two
  }
  return later
}

/** A time that starts `ms` later; between two points the mass is split. */
export function later(masses: Distribution, ms: number, stepMs: number): Distribution {
  const steps = ms / stepMs
  const whole = Math.floor(steps)
  const part = steps - whole
  const shifted = new Float64Array(masses.length)
  for (let i = 0; i + whole < masses.length; i++) {
    const mass = masses[i] as number
    shifted[i + whole] = (shifted[i + whole] as number) + mass * (1 - part)
    if (part > 0 && i + whole + 1 < masses.length) shifted[i + whole + 1] = mass * part
  }
  return shifted
}

export function scaledBy(masses: Distribution, by: number): Distribution {
  if (by === 1) return masses
  const scaled = new Float64Array(masses.length)
  for (let i = 0; i < masses.length; i++) scaled[i] = (masses[i] as number) * by
  return scaled
}

export function added(first: Distribution, second: Distribution): Distribution {
  const sum = new Float64Array(first.length)
  for (let i = 0; i < first.length; i++) sum[i] = (first[i] as number) + (second[i] as number)
  return sum
}

/** The mass up to `ms`; the mass around that very point counts half. */
export function within(masses: Distribution, ms: number, stepMs: number): number {
  const at = ms / stepMs
  let sum = 0
  for (let i = 0; i < masses.length && i <= at + 0.5; i++) sum += (masses[i] as number) * Math.min(1, Math.max(0, at + 0.5 - i))
  return sum
}

/** Only what ends by `ms`. */
export function cutAt(masses: Distribution, ms: number, stepMs: number): Distribution {
  const at = ms / stepMs
  if (at > masses.length) return masses
  const cut = new Float64Array(masses.length)
  for (let i = 0; i < masses.length && i < at + 0.5; i++) cut[i] = (masses[i] as number) * Math.min(1, at + 0.5 - i)
  return cut
}

/** The time by which a share `p` of the mass has ended. */
export function quantileOf(masses: Distribution, p: number, stepMs: number): number {
  const wanted = p * masses.reduce((sum, mass) => sum + mass, 0)
  let sum = 0
  for (let i = 0; i < masses.length; i++) {
    const mass = masses[i] as number
    if (sum + mass >= wanted && mass > 0) return Math.max(0, (i - 0.5 + (wanted - sum) / mass) * stepMs)
    sum += mass
  }
  return (masses.length - 1) * stepMs
}
