import type { Source } from '../model/sourced.js'
import { allImporters } from './all-importers.js'
import { addNote, type Claim, type FactsDraft, type ImportNote, newFacts } from './facts.js'
import { type JoinedFile, joinFacts } from './join.js'
import { surroundingsOf } from './surroundings.js'

/** What came of importing texts: one chain file, notes, and which texts were of a known format. */
export interface Imported {
  readonly file: JoinedFile
  readonly notes: readonly ImportNote[]
  readonly read: readonly { readonly file: string; readonly format: string }[]
  readonly notRead: readonly { readonly file: string; readonly why: string }[]
}

/** Reads configs as one chain; nothing throws, and what is not understood is a note. */
export function importSources(sources: readonly Source[]): Imported {
  const read: { file: string; format: string }[] = []
  const draft: FactsDraft = newFacts()
  const claims: Claim[] = []
  const taken = new Set<Source>()
  for (const importer of allImporters) {
    const own = sources.filter((source) => !taken.has(source) && importer.accepts(source))
    for (const source of own) {
      taken.add(source)
      read.push({ file: source.file, format: importer.format })
    }
    const beside = sources.filter((source) => taken.has(source) && !own.includes(source) && importer.alsoReads?.(source) === true)
    if (own.length + beside.length === 0) continue
    const facts = importer.read([...own, ...beside], surroundingsOf(sources, claims))
    draft.services.push(...facts.services)
    draft.dead.push(...facts.dead)
    for (const { kind, spot, text } of facts.notes) addNote(draft, kind, spot, text)
    claims.push(...(facts.claims ?? []))
  }
  const first = sources[0] ?? { file: 'import', text: '' }
  const notRead = sources.filter((source) => !taken.has(source)).map(({ file }) => ({ file, why: 'not of a format that is imported' }))
  return { file: joinFacts(draft, first), notes: draft.notes, read, notRead }
}
