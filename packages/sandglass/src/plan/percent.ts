/** A share in per cent: as many digits as tell it from none and from all. */
export function percent(share: number): string {
  const hundred = share * 100
  if (share <= 0 || share >= 1) return `${Math.round(hundred)} %`
  for (const digits of [1, 2, 3, 4]) {
    const text = hundred.toFixed(digits)
    if (Number(text) > 0.02 && Number(text) < 99.98) return `${text} %`
  }
  return share < 0.5 ? `${hundred.toPrecision(1)} %` : `${(Math.floor(hundred * 10_000) / 10_000).toString()} %`
}
