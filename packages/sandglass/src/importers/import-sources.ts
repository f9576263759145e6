import type { Source } from '../model/sourced.js'
import { allImporters } from './all-importers.js'
import { addNote, type Claim, type Facts, type FactsDraft, type GuardFact, type Importer, type ImportNote, newFacts } from './facts.js'
import { guarded } from './guards.js'
import { type JoinedFile, joinFacts } from './join.js'
import { mergeServices } from './merge-services.js'
import { surroundingsOf } from './surroundings.js'

/** What came of importing texts: one chain file, notes, and which texts were of a known format. */
export interface Imported {
  readonly file: JoinedFile
  readonly notes: readonly ImportNote[]
  readonly read: readonly { readonly file: string; readonly format: string }[]
  readonly notRead: readonly { readonly file: string; readonly why: string }[]
  /** The texts that were read; those that were packed in another one by themselves. */
  readonly sources: readonly Source[]
}

/** What may be asked of an import. */
export interface ImportOptions {
  /** Profiles that are active, instead of those that the files name. */
  readonly profiles?: readonly string[]
  /** Told before each format is read, for thousands of files take seconds. */
  readonly onStep?: (what: string) => void
}

/** Reads configs as one chain; nothing throws, and what is not understood is a note. */
export function importSources(given: readonly Source[], { profiles = [], onStep = () => {} }: ImportOptions = {}): Imported {
  const { sources, packed } = unpacked(given)
  const reading: Reading = {
    sources,
    profiles,
    read: [...packed],
    draft: newFacts(),
    taken: new Set(),
    claims: [],
    guards: [],
    environments: new Map(),
    pointedTo: new Set(),
  }
  for (const importer of allImporters) {
    onStep(`looking for ${importer.format}`)
    readFormat(importer, reading)
  }
  onStep('joining what the files say')
  const { draft, taken, read, guards } = reading
  const first = given[0] ?? { file: 'import', text: '' }
  const notRead = sources.filter((source) => !taken.has(source)).map(({ file }) => ({ file, why: 'not of a format that is imported' }))
  const services = guarded(mergeServices(draft.services), guards, draft)
  const file = joinFacts({ ...draft, services }, first)
  return { file, notes: draft.notes, read, notRead, sources: sources.filter((source) => taken.has(source)) }
}

interface Reading {
  readonly sources: readonly Source[]
  readonly profiles: readonly string[]
  readonly read: { file: string; format: string }[]
  readonly draft: FactsDraft
  readonly taken: Set<Source>
  readonly claims: Claim[]
  readonly guards: GuardFact[]
  readonly environments: Map<string, NonNullable<ReturnType<NonNullable<Facts['environments']>['get']>>>
  readonly pointedTo: Set<string>
}

/** An archive is replaced by what is in it. */
function unpacked(given: readonly Source[]): { readonly sources: readonly Source[]; readonly packed: Imported['read'] } {
  const packed: { file: string; format: string }[] = []
  const sources = given.flatMap((source) => {
    for (const { unpack, format } of allImporters) {
      const inside = unpack?.(source) ?? []
      if (inside.length === 0) continue
      packed.push({ file: source.file, format })
      return inside
    }
    return [source, ...allImporters.flatMap(({ holds }) => holds?.(source) ?? [])]
  })
  return { sources, packed }
}

function readFormat(importer: Importer, reading: Reading): void {
  const { sources, taken, read, draft, claims, guards, environments, pointedTo, profiles } = reading
  const own = sources.filter((source) => !taken.has(source) && importer.accepts(source))
  const beside = sources.filter((source) => taken.has(source) && importer.alsoReads?.(source) === true)
  if (own.length + beside.length === 0) return
  for (const source of own) {
    taken.add(source)
    read.push({ file: source.file, format: importer.format })
  }
  const facts = importer.read([...own, ...beside], surroundingsOf(sources, claims, { environments, pointedTo, profiles }))
  draft.services.push(...facts.services)
  draft.dead.push(...facts.dead)
  for (const { kind, spot, text } of facts.notes) addNote(draft, kind, spot, text)
  claims.push(...(facts.claims ?? []))
  guards.push(...(facts.guards ?? []))
  for (const [name, variables] of facts.environments ?? []) environments.set(name, variables)
  for (const file of facts.pointedTo ?? []) pointedTo.add(file)
}
