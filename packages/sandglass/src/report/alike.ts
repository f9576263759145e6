import type { Diagnostic } from '../model/diagnostic.js'

/** So many findings of one file that say the same are told one by one. */
const MAX_APART = 20

/** Findings as people are told them: each for itself, and together those of one file that say the same at more places than anybody reads. */
export function alike(findings: readonly Diagnostic[]): readonly (readonly Diagnostic[])[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const one of findings) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return findings.flatMap((one) => {
    const group = groups.get(keyOf(one)) ?? [one]
    if (group.length <= MAX_APART) return [[one]]
    return group[0] === one ? [group] : []
  })
}

function keyOf({ rule, severity, message, arithmetic, label, path, spot, suggestion }: Diagnostic): string {
  return JSON.stringify([rule, severity, message, arithmetic, label, path, spot.source.file, suggestion?.text])
}
