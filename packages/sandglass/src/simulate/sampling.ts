import type { Latency } from '../model/chain.js'
import { normalQuantile, quantileMs } from '../model/latency.js'
import type { Random } from './random.js'

/** Draws one time in ms. */
export type Sampler = () => number

/** A sampler of a law as the other commands read it: by inversion, so that u gives `quantileMs(law, u)`, and for histograms by buckets. */
export function createSampler(law: Latency | undefined, random: Random): Sampler {
  if (law === undefined) return () => 0
  switch (law.kind) {
    case 'constant': {
      const { valueMs } = law
      return () => valueMs
    }
    case 'exponential': {
      const { meanMs, shiftMs } = law
      return () => shiftMs - meanMs * Math.log(1 - random())
    }
    case 'lognormal':
      return piecewise(law, [0.5, 0.99], Number.POSITIVE_INFINITY, random)
    case 'percentiles':
      return piecewise(law, knownShares(law), law.maxMs ?? Number.POSITIVE_INFINITY, random)
    case 'histogram':
      return histogramSampler(law, random)
  }
}

function knownShares(law: Extract<Latency, { kind: 'percentiles' }>): number[] {
  const shares = [0.5]
  if (law.p90Ms !== undefined) shares.push(0.9)
  shares.push(0.99)
  if (law.p999Ms !== undefined) shares.push(0.999)
  return shares
}

/** Straight lines between the known points in (normal quantile, log time), the outer ones going on. */
function piecewise(law: Latency, shares: readonly number[], maxMs: number, random: Random): Sampler {
  const zs = Float64Array.from(shares, normalQuantile)
  const logs = Float64Array.from(shares, (share) => Math.log(Math.max(quantileMs(law, share), 0.001)))
  const last = shares.length - 2
  const slopes = Float64Array.from({ length: last + 1 }, (_, i) => (logs[i + 1]! - logs[i]!) / (zs[i + 1]! - zs[i]!))
  return () => {
    const z = normalQuantile(random())
    let piece = 0
    while (piece < last && z > zs[piece + 1]!) piece++
    const ms = Math.exp(logs[piece]! + slopes[piece]! * (z - zs[piece]!))
    return Math.min(ms, maxMs)
  }
}

/** A bucket by Walker's alias method, then a place in it: constant time however many buckets. */
function histogramSampler(law: Extract<Latency, { kind: 'histogram' }>, random: Random): Sampler {
  const { boundsMs, counts } = law
  const size = counts.length
  const total = counts.reduce((sum, count) => sum + count, 0)
  const keep = Float64Array.from(counts, (count) => (count * size) / total)
  const alias = new Int32Array(size)
  const small: number[] = []
  const large: number[] = []
  for (const [i, weight] of keep.entries()) (weight < 1 ? small : large).push(i)
  while (small.length > 0 && large.length > 0) {
    const under = small.pop()!
    const over = large[large.length - 1]!
    alias[under] = over
    keep[over]! -= 1 - keep[under]!
    if (keep[over]! < 1) small.push(large.pop()!)
  }
  for (const rest of [...small, ...large]) keep[rest] = 1
  return () => {
    const drawn = random() * size
    const column = Math.floor(drawn)
    const bucket = drawn - column < keep[column]! ? column : alias[column]!
    const low = bucket === 0 ? 0 : boundsMs[bucket - 1]!
    return low + (boundsMs[bucket]! - low) * random()
  }
}
