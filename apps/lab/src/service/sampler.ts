import type { Latency } from 'sandglass'

/** The normal quantiles of the shares a chain file can name. */
const Z = { p50: 0, p90: 1.2815515655446004, p99: 2.3263478740408408, p999: 3.090232306167813 }

/** Draws times (ms) by a chain file's law; percentiles are joined by straight lines in (normal quantile, log time), as the simulator does. */
export function createSampler(law: Latency | null, random: () => number = Math.random): () => number {
  if (law === null) return () => 0
  switch (law.kind) {
    case 'constant':
      return () => law.valueMs
    case 'exponential':
      return () => law.shiftMs - law.meanMs * Math.log(1 - random())
    case 'lognormal':
      return piecewise([point(Z.p50, law.p50Ms), point(Z.p99, law.p99Ms)], Infinity, random)
    case 'percentiles': {
      const { p50Ms, p90Ms, p99Ms, p999Ms, maxMs = Infinity } = law
      const points = [point(Z.p50, p50Ms), point(Z.p90, p90Ms), point(Z.p99, p99Ms), point(Z.p999, p999Ms)]
      return piecewise(points, maxMs, random)
    }
    case 'histogram':
      return histogram(law.boundsMs, law.counts, random)
  }
}

interface Point {
  readonly z: number
  readonly log: number
}

function point(z: number, ms: number | undefined): Point | null {
  return ms === undefined ? null : { z, log: Math.log(Math.max(ms, 0.001)) }
}

function piecewise(given: readonly (Point | null)[], maxMs: number, random: () => number): () => number {
  const points = given.filter((one) => one !== null)
  return () => {
    const z = normal(random)
    let i = 0
    while (i < points.length - 2 && z > points[i + 1]!.z) i++
    const [from, to] = [points[i]!, points[i + 1]!]
    return Math.min(maxMs, Math.exp(from.log + ((z - from.z) * (to.log - from.log)) / (to.z - from.z)))
  }
}

/** A normal variate (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function histogram(boundsMs: readonly number[], counts: readonly number[], random: () => number): () => number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return () => {
    let left = random() * total
    let bucket = 0
    while (bucket < counts.length - 1 && left >= counts[bucket]!) left -= counts[bucket++]!
    const low = bucket === 0 ? 0 : boundsMs[bucket - 1]!
    return low + (boundsMs[bucket]! - low) * random()
  }
}
