import { normalQuantile } from '../model/latency.js'

/**
 * The quantile of Student's t distribution with `degrees` (1 and more) degrees of freedom at `p` (0.5 to 1): bisection of the
 * distribution function, exact to 1e-10.
 */
export function studentQuantile(p: number, degrees: number): number {
  let low = 0
  let high = Math.max(10, normalQuantile(p) * 2)
  while (studentCdf(high, degrees) < p) high *= 2
  while (high - low > 1e-10 * Math.max(1, high)) {
    const middle = (low + high) / 2
    if (studentCdf(middle, degrees) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(T <= t) for t >= 0, by the regularised incomplete beta function. */
function studentCdf(t: number, degrees: number): number {
  return 1 - incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
}

function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b
}

/** Lentz's continued fraction (Numerical Recipes, 6.4). */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let product = d
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d)
    c = nonZero(1 + even / c)
    product *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d)
    c = nonZero(1 + odd / c)
    product *= d * c
    if (Math.abs(d * c - 1) < 1e-14) break
  }
  return product
}

function nonZero(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x
}

/** Lanczos, g = 7 (relative error below 1e-14). */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
    9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const z = x - 1
  const sum = terms.reduce((total, term, i) => total + term / (z + i + 1), 0.99999999999980993)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}
