import type { At, ObjectPart, Term } from './term.js'

type NamedPart = Extract<ObjectPart, { readonly name: string }>

/** Several objects as one, merged at every depth, the last one wins; null where not all of them are written down. */
export function deepMerged(terms: readonly Term[], at: At): Term | null {
  const all = new Map<string, NamedPart>()
  for (const term of terms) {
    const parts = namedParts(term)
    if (!parts) return null
    for (const part of parts) {
      const merged = mergedPart(all.get(part.name), part)
      if (!merged) return null
      all.set(part.name, merged)
    }
  }
  return { kind: 'object', parts: [...all.values()], at }
}

function mergedPart(before: NamedPart | undefined, part: NamedPart): NamedPart | null {
  if (!before) return part
  if (isMissing(part.value)) return before
  if (before.value.kind !== 'object' || part.value.kind !== 'object') return part
  const value = deepMerged([before.value, part.value], part.at)
  return value && { ...part, value }
}

/** The properties of an object, those of its spreads among them; null where one may bring anything. */
function namedParts(term: Term): readonly NamedPart[] | null {
  if (isMissing(term)) return []
  if (term.kind !== 'object' || term.without) return null
  const parts = new Map<string, NamedPart>()
  for (const part of term.parts) {
    const own = 'name' in part ? [part] : namedParts(part.spread)
    if (!own) return null
    for (const each of own) parts.set(each.name, each)
  }
  return [...parts.values()]
}

function isMissing(term: Term): boolean {
  return term.kind === 'constant' && term.value === undefined
}
