import type { Source, Spot } from '../model/sourced.js'
import { addNote, type FactsDraft, newFacts, type Surroundings } from './facts.js'
import { withBuildTokens } from './spring-build.js'
import { profileInName, readDocuments, type SettingsDocument } from './spring-documents.js'
import { isSpringSettings, type Module, springFiles, withLibraries } from './spring-modules.js'
import { withPlaceholders } from './spring-placeholders.js'
import { type ActiveProfiles, activeProfiles, holds } from './spring-profiles.js'
import { imports, remoteDocuments } from './spring-remote.js'
import { type Entry, type Environment, mergedEntries, type Settings, settingsOf } from './spring-settings.js'
import { type PlacedDocument, type StoreIndex, storeIndex } from './spring-store.js'
import { nameOf } from './target.js'
import { templateIn } from './templates.js'

/** One application with the settings that hold for it. */
export interface Application {
  /** As other services call it. */
  readonly name: string
  /** The service that a compose file names as its owner; null where none does. */
  readonly owner: string | null
  /** The folder of its module, ending with a slash; null where only a store knows it. */
  readonly root: string | null
  readonly settings: Settings
  /** The place of what is nowhere set. */
  readonly at: Spot
}

/** Every application that the settings among all texts make, each with its active profiles applied; `rootsOf` tells with which modules one is built, its own first. */
export function applicationsOf(
  surroundings: Surroundings,
  draft: FactsDraft,
  rootsOf: (root: string) => readonly string[] = (root) => [root],
): readonly Application[] {
  const { modules, stores } = springFiles(surroundings.all.filter(isSpringSettings))
  const index = storeIndex([], new Set(), new Set())
  const reading: Reading = { surroundings, draft, index, names: new Set(), profiles: new Set(surroundings.profiles), read: new Map() }
  const byRoot = new Map(modules.map((module) => [module.root, module]))
  const locals = modules.flatMap((module) => {
    const libraries = rootsOf(module.root).flatMap((root) => (root === module.root ? [] : (byRoot.get(root) ?? [])))
    return localOf(module, libraries, reading) ?? []
  })
  for (const { name, active } of locals) {
    reading.names.add(name.toLowerCase())
    for (const profile of active.names) reading.profiles.add(profile)
  }
  reading.index = storeIndex(stores, reading.names, reading.profiles)
  const own = locals.flatMap((local) => finished(local, reading) ?? [])
  // What no module asks for belongs to services whose modules are not here.
  const remotes = storeServices(reading).filter((name) => !reading.names.has(name.toLowerCase()))
  return [...own, ...remotes.flatMap((name) => finished(remoteOnly(name, reading), reading) ?? [])]
}

interface Reading {
  readonly surroundings: Surroundings
  readonly draft: FactsDraft
  /** What services get from elsewhere; empty until the applications that are here are known. */
  index: StoreIndex
  /** Names of applications that have a module here, in lower case. */
  readonly names: Set<string>
  readonly profiles: Set<string>
  /** Documents that were read, so that each file is read, and complained about, once. */
  readonly read: Map<Source, readonly SettingsDocument[]>
}

/** What an application's own files say, before anything from elsewhere is added. */
interface Local {
  readonly name: string
  readonly owner: string | null
  readonly module: Module | null
  readonly documents: readonly SettingsDocument[]
  readonly environment: Environment
  readonly active: ActiveProfiles
}

function localOf(module: Module, libraries: readonly Module[], reading: Reading): Local | null {
  const { surroundings } = reading
  const build = { folder: module.root, sources: surroundings.all, asked: surroundings.profiles, draft: reading.draft }
  const documents = withLibraries(module, libraries)
    .files.flatMap((source) => documentsOf(source, profileInName(source.file), reading))
    .map((document) => ({ ...document, entries: withBuildTokens(document.entries, build) }))
  const first = documents.find(({ entries, source }) => entries.length > 0 && module.files.includes(source))
  if (!first) return null
  const plain = documents.filter(({ profile, platform }) => profile === null && platform === null)
  const merged = mergedEntries(plain.map(({ entries }) => entries))
  const owner = surroundings.ownerOf(first.source.file)
  const byFiles = named(settingsOf(withPlaceholders(merged, new Map(), newFacts())))
  const environment = environmentOf(surroundings, [owner?.name ?? '', byFiles ?? '', moduleName(module.root)])
  const settings = settingsOf(withPlaceholders(merged, environment, newFacts()), environment)
  return {
    name: nameOf(named(settings) ?? owner?.name ?? moduleName(module.root)),
    owner: owner?.name ?? null,
    module,
    documents,
    environment,
    active: activeProfiles(settings, surroundings.profiles),
  }
}

/** The name somebody gave; null where there is none, or only a template. */
function named(settings: Settings): string | null {
  const text = (settings.get('spring.application.name') ?? settings.get('dubbo.application.name'))?.text ?? ''
  return text === '' || templateIn(text) !== null ? null : text
}

function environmentOf({ environments }: Surroundings, names: readonly string[]): Environment {
  const found = names.map((name) => environments.get(name.toLowerCase())).find((each) => each)
  return found ? withSystemProperties(found) : new Map()
}

/** `JAVA_OPTS: -Dspring.profiles.active=prod`: what is given to Java wins over the other variables. */
function withSystemProperties(environment: Environment): Environment {
  const given = [...environment.values()].flatMap(({ text, spot }) =>
    [...text.matchAll(/(?:^|\s)-D([\w.[\]-]{1,200})=(\S{1,500})/g)].map(
      ([, key = '', value = '']) => [key, { text: value, spot }] as const,
    ),
  )
  return given.length === 0 ? environment : new Map([...environment, ...given])
}

function documentsOf(source: Source, profile: string | null, { read, draft }: Reading): readonly SettingsDocument[] {
  const known = read.get(source)
  if (known) return known
  const documents = readDocuments(source, profile, draft)
  read.set(source, documents)
  return documents
}

const SHARED = /^(common|shared?|global|default|base|public)([-_.]|$)/i

/** Services that have a document of their own in a store, and none that an application asked for. */
function storeServices({ index, read, draft }: Reading): readonly string[] {
  const unread = index.all.filter(
    ({ document, service }) => !read.has(document.source) && isOfService(service) && isSpringSettings(document.source),
  )
  for (const { document } of unread.filter(({ service }) => SHARED.test(service)))
    addNote(
      draft,
      'unknown',
      { source: document.source, start: 0, end: 1 },
      'which services take these settings is in nothing that was read; they are not applied',
    )
  const byName = unread.filter(isLoadedByName)
  for (const { document } of byName)
    addNote(
      draft,
      'unknown',
      { source: document.source, start: 0, end: 1 },
      'holds only where something imports it; nothing that was read does',
    )
  const forms = unread.flatMap((placed) => {
    const of = otherFormOf(placed, index)
    return of === null ? [] : [{ placed, of }]
  })
  for (const { placed, of } of forms)
    addNote(
      draft,
      'unknown',
      { source: placed.document.source, start: 0, end: 1 },
      `taken for another form of ${of}, which nothing that was read asks for, and for no service of its own`,
    )
  const others = new Set(forms.map(({ placed }) => placed))
  const all = unread.filter((placed) => !SHARED.test(placed.service) && !byName.includes(placed) && !others.has(placed))
  return [...new Map(all.map(({ service }) => [service.toLowerCase(), service])).values()]
}

/** The document whose name this one carries on behind its profile: `shop-dev-new` is put in the place of `shop-dev` by hand. Null where there is none. */
function otherFormOf({ document: { name }, kind, place }: PlacedDocument, index: StoreIndex): string | null {
  for (let dash = name.lastIndexOf('-'); dash > 0; dash = name.lastIndexOf('-', dash - 1)) {
    const shorter = name.slice(0, dash)
    if (index.named(shorter).some((each) => each.kind === kind && each.place === place && each.profile !== null)) return shorter
  }
  return null
}

/** What lies at the root of a module's resources is on its classpath, and of no config server. */
function isLoadedByName({ kind, place }: PlacedDocument): boolean {
  return kind === 'folder' && /(^|\/)src\/main\/resources\/$/.test(place)
}

function isOfService(service: string): boolean {
  return service !== 'application' && service !== 'bootstrap'
}

/** An application of which only a store knows: with its one profile, where the store has one of it. */
function remoteOnly(name: string, { surroundings, index, draft }: Reading): Local {
  const environment = environmentOf(surroundings, [name])
  const active = activeProfiles(settingsOf([], environment), surroundings.profiles)
  const local = { name, owner: null, module: null, documents: [], environment }
  const own = index.ofService(name.toLowerCase())
  const [first, ...rest] = [...new Set(own.map(({ profile }) => profile))]
  if (active.names.join() !== 'default' || rest.length > 0 || first === undefined || first === null) return { ...local, active }
  const spot = { source: own[0]?.document.source ?? NOTHING, start: 0, end: 1 }
  addNote(draft, 'unknown', spot, `profile ${first}: taken as active, because there are settings of ${name} for no other one`)
  return { ...local, active: { names: [first], spot: null, isUnknown: false } }
}

const NOTHING: Source = { file: '', text: '' }

/** Lays everything that holds over each other. */
function finished(local: Local, reading: Reading): Application | null {
  const { draft } = reading
  const { names } = local.active
  const isActive = (document: SettingsDocument) =>
    document.platform === null && (document.profile === null || holds(document.profile, names))
  const byName = (document: SettingsDocument) => profileInName(document.source.file)
  const inFiles = local.documents.filter((document) => byName(document) === null && isActive(document))
  const forProfiles = names.flatMap((name) => local.documents.filter((document) => byName(document) === name && isActive(document)))
  const environment = withActive(local)
  const own = settingsOf(withPlaceholders(entriesOf([...inFiles, ...forProfiles]), environment, newFacts()), environment)
  const beside = importedBeside(local, own, reading)
  const remote = remoteOf(local, own, reading)
  const remoteDocuments = remote.filter(isActive)
  const isImported = imports(own).some(({ text }) => /^(nacos|configserver):/.test(text))
  const layers = isImported
    ? [...inFiles, ...beside, ...remoteDocuments, ...forProfiles]
    : [...inFiles, ...beside, ...forProfiles, ...remoteDocuments]
  noteInactive(
    [...local.documents, ...remote].filter((document) => !isActive(document)),
    local.active,
    draft,
  )
  const entries = withPlaceholders(entriesOf(layers), environment, draft)
  const files = new Set(local.module?.files)
  const first = entries.find(({ written }) => files.has(written.spot.source)) ?? entries[0]
  if (!first) return null
  return {
    name: local.name,
    owner: local.owner,
    root: local.module?.root ?? null,
    settings: settingsOf(entries, environment),
    at: first.written.spot,
  }
}

function entriesOf(documents: readonly SettingsDocument[]): readonly Entry[] {
  return mergedEntries(documents.map(({ entries }) => entries))
}

/** Profiles that were asked for on the command line are also what `${spring.profiles.active}` is. */
function withActive({ environment, active, documents }: Local): Environment {
  if (active.names.length === 0 || active.names.join() === 'default') return environment
  const source = documents[0]?.source ?? NOTHING
  const spot = active.spot ?? { source, start: 0, end: 1 }
  const others = [...environment].filter(([name]) => !/^spring[._]profiles[._]active$/i.test(name))
  return new Map([...others, ['SPRING_PROFILES_ACTIVE', { text: active.names.join(','), spot }]])
}

/** Files that `spring.config.import` names; others beside them hold for nobody that is known. */
function importedBeside({ module }: Local, settings: Settings, reading: Reading): readonly SettingsDocument[] {
  if (!module) return []
  const wanted = imports(settings).map(({ text }) => text.replace(/^(classpath\*?|file):/, '').replace(/\[\.\w+\]$/, ''))
  const isWanted = ({ file }: Source) => wanted.some((path) => file.endsWith(`/${path.replace(/^[./]+/, '')}`))
  for (const source of module.others.filter((other) => !isWanted(other)))
    addNote(reading.draft, 'unknown', { source, start: 0, end: 1 }, 'holds only where something imports it; nothing that was read does')
  return module.others.filter(isWanted).flatMap((source) => documentsOf(source, null, reading))
}

function remoteOf(local: Local, settings: Settings, reading: Reading): readonly SettingsDocument[] {
  const { index, draft } = reading
  const remote = remoteDocuments({
    name: local.name,
    settings,
    index,
    active: local.active.names,
    hasModule: local.module !== null,
  })
  const [missing] = remote.missing
  if (missing)
    addNote(
      draft,
      'unknown',
      missing.spot,
      `settings of ${local.name} that stand elsewhere are not here and may replace these: ${remote.missing.map(({ text }) => text).join(', ')}`,
    )
  for (const { document, because } of remote.passedOver)
    addNote(draft, 'ignored', { source: document.source, start: 0, end: 1 }, `not read by ${local.name}: ${because}`)
  return remote.documents.flatMap(({ source, profile }) => documentsOf(source, profile, reading))
}

/** One note for all that is for other profiles. */
function noteInactive(documents: readonly SettingsDocument[], active: ActiveProfiles, draft: FactsDraft): void {
  const first = documents.find(({ entries }) => entries.length > 0)
  const spot = first?.entries[0]?.written.spot
  if (!first || !spot) return
  const conditions = [...new Set(documents.map(({ profile, platform }) => profile ?? `on ${platform}`))].join(', ')
  const count = documents.reduce((sum, { entries }) => sum + entries.length, 0)
  const running = active.isUnknown
    ? 'which profiles run is decided elsewhere'
    : active.names.join() === 'default'
      ? 'nothing says which profiles run'
      : `the active profile is ${active.names.join(', ')}`
  addNote(
    draft,
    active.spot || active.isUnknown || active.names.join() !== 'default' ? 'ignored' : 'unknown',
    spot,
    `profile ${conditions}: ${running}; ${count === 1 ? '1 setting is' : `${count} settings are`} not applied (--profile <name> applies a profile)`,
  )
}

/** The module's folder, for where nobody gave a name. */
function moduleName(root: string): string {
  const parts = root.split('/').filter((part) => part !== '')
  return parts[parts.length - 1] ?? 'application'
}
