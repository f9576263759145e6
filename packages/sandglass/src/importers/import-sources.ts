import type { Source } from '../model/sourced.js'
import { allImporters } from './all-importers.js'
import { withAlternatives } from './alternative-targets.js'
import { type Alternative, composeAlternatives } from './compose-alternatives.js'
import {
  addBroken,
  addNote,
  type Claim,
  type Facts,
  type FactsDraft,
  type GuardFact,
  type Importer,
  type ImportNote,
  newFacts,
} from './facts.js'
import { guarded } from './guards.js'
import { withoutHintCycles } from './hint-cycles.js'
import { type JoinedFile, joinFacts } from './join.js'
import { joinSystems } from './join-systems.js'
import { mergeServices } from './merge-services.js'
import { surroundingsOf } from './surroundings.js'
import { type SystemTexts, systemsOf } from './systems.js'

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
  const alternatives = composeAlternatives(given)
  const dropped = new Set(alternatives.map(({ source }) => source))
  const texts = dropped.size > 0 ? given.filter((source) => !dropped.has(source)) : given
  const systems = systemsOf(texts).map(({ folder, sources }) => ({ folder, ...importSystem(sources, { profiles, onStep }) }))
  const file = joinSystems(systems) ?? joinFacts(newFacts(), { file: 'import', text: '' })
  const told = tellApart(alternatives, systems)
  return {
    file: { ...file, notes: [...told.map(({ spot, text }) => ({ spot, message: text })), ...file.notes] },
    notes: [...told, ...systems.flatMap(({ notes }) => notes)],
    read: eachFileOnce(systems.flatMap(({ read }) => read)),
    notRead: [
      ...eachFileOnce(systems.flatMap(({ notRead }) => notRead)),
      ...alternatives.map(({ source, insteadOf }) => ({ file: source.file, why: `started instead of ${insteadOf.file}, not beside it` })),
    ],
    sources: [...new Set(systems.flatMap(({ sources }) => sources))],
  }
}

/** Build files are of every system below them. */
function eachFileOnce<T extends { readonly file: string }>(all: readonly T[]): readonly T[] {
  return [...new Map(all.toReversed().map((each) => [each.file, each])).values()].toReversed()
}

const MAX_SHOWN = 5

/** What a person must know of a folder that is more than one system. */
function tellApart(alternatives: readonly Alternative[], systems: readonly SystemTexts[]): readonly ImportNote[] {
  const others = alternatives.map(({ source, insteadOf }): ImportNote => {
    const text = `not read: it starts services that ${insteadOf.file} starts too, so it runs instead of that one; import it by itself`
    return { kind: 'unknown', spot: { source, start: 0, end: 1 }, text }
  })
  const apart = systems.filter(({ folder, sources }) => folder !== '' && sources.length > 0)
  const first = apart[0]?.sources[0]
  if (!first) return others
  const shown = apart.slice(0, MAX_SHOWN).map(({ folder }) => folder)
  const more = apart.length > shown.length ? ` and ${apart.length - shown.length} more` : ''
  const text = `${shown.join(', ')}${more}: each is read as a system of its own, because it has services of the same names as others`
  return [{ kind: 'ignored', spot: { source: first, start: 0, end: 1 }, text }, ...others]
}

function importSystem(given: readonly Source[], { profiles, onStep }: Required<ImportOptions>): Imported {
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
  const merged = withAlternatives(mergeServices(draft.services), draft)
  const services = withoutHintCycles(guarded(merged, guards, draft), draft)
  const file = joinFacts({ ...draft, services }, first)
  const broken = new Set(draft.notes.flatMap(({ isBroken, spot }) => (isBroken ? [spot.source.file] : [])))
  const understood = read.filter((each) => !broken.has(each.file))
  return { file, notes: draft.notes, read: understood, notRead, sources: sources.filter((source) => taken.has(source)) }
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
  for (const { kind, spot, text, isBroken } of facts.notes) {
    if (isBroken) addBroken(draft, spot, text.replace(/^not read: /, ''))
    else addNote(draft, kind, spot, text)
  }
  claims.push(...(facts.claims ?? []))
  guards.push(...(facts.guards ?? []))
  for (const [name, variables] of facts.environments ?? []) environments.set(name, variables)
  for (const file of facts.pointedTo ?? []) pointedTo.add(file)
}
