import type { Latency } from './chain.js'

/** The standard normal quantile (Acklam's rational approximation, relative error below 1.2e-9). */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (p >= 1) return Number.POSITIVE_INFINITY
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)))
  if (p > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - p)))
  const q = p - 0.5
  const r = q * q
  const a =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r - 30.66479806614716) * r +
    2.506628277459239
  const b =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r - 13.28068155288572) * r + 1
  return (a * q) / b
}

function tail(q: number): number {
  const c =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q + 4.374664141464968) * q +
    2.938163982698783
  const d = (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1
  return c / d
}

/** The standard normal distribution function (Hart's rational approximation, W. Cody's form; error below 1e-14). */
export function normalCdf(z: number): number {
  const x = Math.abs(z)
  if (x > 37) return z > 0 ? 1 : 0
  const e = Math.exp((-x * x) / 2)
  let upper: number
  if (x < 7.07106781186547) {
    const a =
      ((((((0.0352624965998911 * x + 0.700383064443688) * x + 6.37396220353165) * x + 33.912866078383) * x + 112.079291497871) * x +
        221.213596169931) *
        x +
        220.206867912376) *
      e
    const b =
      ((((((0.0883883476483184 * x + 1.75566716318264) * x + 16.064177579207) * x + 86.7807322029461) * x + 296.564248779674) * x +
        637.333633378831) *
        x +
        793.826512519948) *
        x +
      440.413735824752
    upper = a / b
  } else {
    upper = e / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))) / 2.506628274631
  }
  return z > 0 ? 1 - upper : upper
}

/** A point of a law: the normal quantile of its share, and the logarithm of its time. */
interface Point {
  readonly z: number
  readonly logMs: number
}

const Z90 = normalQuantile(0.9)
const Z99 = normalQuantile(0.99)
const Z999 = normalQuantile(0.999)

type Percentiles = Extract<Latency, { kind: 'percentiles' }>

/** Times of 0 are read as a microsecond, so that logarithms exist. */
function logOf(ms: number): number {
  return Math.log(Math.max(ms, 0.001))
}

function pointsOf(law: Percentiles): Point[] {
  const points = [{ z: 0, logMs: logOf(law.p50Ms) }]
  if (law.p90Ms !== undefined) points.push({ z: Z90, logMs: logOf(law.p90Ms) })
  points.push({ z: Z99, logMs: logOf(law.p99Ms) })
  if (law.p999Ms !== undefined) points.push({ z: Z999, logMs: logOf(law.p999Ms) })
  return points
}

/** Percentiles are joined by log-normal pieces: linear in (normal quantile, log time), the last piece going on to `max`. */
function percentileAt(law: Percentiles, z: number): number {
  const points = pointsOf(law)
  let i = 0
  while (i < points.length - 2 && z > (points[i + 1]?.z ?? 0)) i++
  const from = points[i] ?? { z: 0, logMs: 0 }
  const to = points[i + 1] ?? from
  const slope = to.z === from.z ? 0 : (to.logMs - from.logMs) / (to.z - from.z)
  const ms = Math.exp(from.logMs + slope * (z - from.z))
  return law.maxMs === undefined ? ms : Math.min(ms, law.maxMs)
}

/** What the file states is answered as stated, without rounding through logarithms. */
function statedAt(law: Percentiles, p: number): number | undefined {
  if (p === 0.5) return law.p50Ms
  if (p === 0.9) return law.p90Ms
  if (p === 0.99) return law.p99Ms
  return p === 0.999 ? law.p999Ms : p === 1 ? law.maxMs : undefined
}

function shareUnderPercentiles(law: Percentiles, ms: number): number {
  if (law.maxMs !== undefined && ms >= law.maxMs) return 1
  const points = pointsOf(law)
  const logMs = logOf(ms)
  let i = 0
  while (i < points.length - 2 && logMs > (points[i + 1]?.logMs ?? 0)) i++
  const from = points[i] ?? { z: 0, logMs: 0 }
  const to = points[i + 1] ?? from
  if (to.logMs === from.logMs) return logMs >= to.logMs ? 1 : 0
  return normalCdf(from.z + ((logMs - from.logMs) * (to.z - from.z)) / (to.logMs - from.logMs))
}

function lognormalOf(law: Extract<Latency, { kind: 'lognormal' }>): Percentiles {
  return { kind: 'percentiles', p50Ms: law.p50Ms, p99Ms: law.p99Ms }
}

/** The time in ms that a share `p` (0 to 1) of answers does not exceed; infinite for p = 1 of a law without a maximum. */
export function quantileMs(law: Latency, p: number): number {
  switch (law.kind) {
    case 'constant':
      return law.valueMs
    case 'exponential':
      return law.shiftMs - law.meanMs * Math.log(1 - p)
    case 'percentiles':
      return statedAt(law, p) ?? percentileAt(law, normalQuantile(p))
    case 'lognormal':
      return statedAt(lognormalOf(law), p) ?? percentileAt(lognormalOf(law), normalQuantile(p))
    case 'histogram':
      return histogramQuantile(law, p)
  }
}

/** The share (0 to 1) of answers that take at most `ms`. */
export function shareWithin(law: Latency, ms: number): number {
  switch (law.kind) {
    case 'constant':
      return ms >= law.valueMs ? 1 : 0
    case 'exponential':
      return ms <= law.shiftMs ? 0 : law.meanMs === 0 ? 1 : 1 - Math.exp(-(ms - law.shiftMs) / law.meanMs)
    case 'percentiles':
      return shareUnderPercentiles(law, ms)
    case 'lognormal':
      return shareUnderPercentiles(lognormalOf(law), ms)
    case 'histogram':
      return histogramShare(law, ms)
  }
}

type Histogram = Extract<Latency, { kind: 'histogram' }>

function totalOf(law: Histogram): number {
  return law.counts.reduce((sum, count) => sum + count, 0)
}

function histogramQuantile(law: Histogram, p: number): number {
  let left = p * totalOf(law)
  for (let i = 0; i < law.counts.length; i++) {
    const count = law.counts[i] ?? 0
    const low = i === 0 ? 0 : (law.boundsMs[i - 1] ?? 0)
    const high = law.boundsMs[i] ?? low
    if (left <= count && count > 0) return low + (high - low) * (left / count)
    left -= count
  }
  return law.boundsMs[law.boundsMs.length - 1] ?? 0
}

function histogramShare(law: Histogram, ms: number): number {
  let under = 0
  for (let i = 0; i < law.counts.length; i++) {
    const low = i === 0 ? 0 : (law.boundsMs[i - 1] ?? 0)
    const high = law.boundsMs[i] ?? low
    if (ms >= high) under += law.counts[i] ?? 0
    else if (ms > low) under += ((law.counts[i] ?? 0) * (ms - low)) / (high - low)
  }
  return under / Math.max(totalOf(law), Number.MIN_VALUE)
}
