import type { CallFields, DeadSetting, Probe, ServerLimits, Service, ServiceKind } from '../model/chain.js'
import type { Source, Sourced, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'

/** Why something is not in the chain as it stands: it could not be found out, it has no effect, or it is no limit of a request. */
export type NoteKind = 'unknown' | 'dead' | 'ignored'

export interface ImportNote {
  readonly spot: Spot
  readonly text: string
  readonly kind: NoteKind
  /** The whole file could not be read. */
  readonly isBroken?: true
}

/** Where a hop goes, as far as a file says: a host or the name of a service, a port, a path. */
export interface Target {
  /** As it is written. */
  readonly text: string
  readonly spot: Spot
  /** Null where it is a template or a variable. */
  readonly host: string | null
  readonly port: number | null
  readonly path: string | null
  /** What is there, where the scheme or the protocol tells. */
  readonly kind: ServiceKind | null
  /** Who logs in, where the address says so. */
  readonly user?: string
  /** Servers at different addresses behind this name, of which one is asked at a time. */
  readonly peers?: readonly Peer[]
}

/** A server behind a name. */
export interface Peer extends Target {
  /** How much it gets beside the others, 1 where it is not written; null where it is not known. */
  readonly weight?: number | null
  /** Asked only while no other one answers. */
  readonly isBackup?: true
}

/** A call of an operation, with the limits that hold for it: written ones, and the product's defaults. */
export interface HopFact {
  readonly spot: Spot
  readonly target: Target
  readonly fields: Partial<Omit<CallFields, 'to'>>
  /** Its tries repeat only what may be repeated (`GET`), so a callee's writes are safe from it. */
  readonly repeatsReadsOnly?: boolean
  /**
   * Where no limits are known: an `address` somebody is given, or only the `order` in which services start.
   * Dropped where a file says more.
   */
  readonly hint?: 'address' | 'order'
  /** Names under which a library's settings mean this hop (Resilience4j instances). */
  readonly instances?: readonly string[]
  /** What is no field of a chain and must be read beside it, e.g. that a product has no total limit. */
  readonly remarks: readonly string[]
}

export interface OperationFact {
  readonly name: string
  readonly spot: Spot
  /** Requests with this path prefix come here; null: any. */
  readonly path: string | null
  /** It answers at these ports of its service alone; absent: at all. */
  readonly ports?: readonly number[]
  /** It is for callers that log in as this user alone. */
  readonly user?: string
  readonly limits?: ServerLimits
  readonly hops: readonly HopFact[]
}

/** A server of which only one is likely to be meant where a file does not say which. */
export type Product = 'postgresql' | 'mysql' | 'redis' | 'pgbouncer' | 'traefik' | 'nginx'

export interface ServiceFact {
  readonly name: string
  readonly spot: Spot
  readonly kind: ServiceKind
  /** Names under which callers reach it, besides its own. */
  readonly hosts: readonly string[]
  readonly ports: readonly number[]
  /** Of its ports those that its machine has not: a compose file publishes them under other numbers. */
  readonly innerPorts?: readonly number[]
  /** Names of services whose callers go through this one (a mesh's sidecar). */
  readonly intercepts: readonly string[]
  /** Its calls go through no sidecar: the gateway of a mesh is one itself. */
  readonly goesDirectly?: true
  readonly instances?: Service['instances']
  readonly concurrency?: NonNullable<Service['concurrency']>
  readonly keepAlive?: NonNullable<Service['keepAlive']>
  readonly pools?: ReadonlyMap<string, Sourced<number | 'unknown'>>
  /** Worker processes of one instance; 1 where nothing is known. */
  readonly processes?: Sourced<number | 'unknown'>
  /** Pools that each process has for itself: those of an instance are so many times as large. */
  readonly processPools?: ReadonlyMap<string, Sourced<number>>
  readonly probe?: Probe
  /** The path its probe asks: the operation there is what it asks. */
  readonly probePath?: Written
  /** What it asks of others where a probe asks one of these paths; nothing of it where none does. */
  readonly healthChecks?: readonly OperationFact[]
  /** The product it runs, where a file tells. */
  readonly product?: Product
  /** No file says on which host it runs: a call to its port at a host that nobody describes is one to it. */
  readonly anywhere?: true
  /** No file says whose config this is, and there is no other of its product. */
  readonly isUnplaced?: true
  readonly operations: readonly OperationFact[]
}

/** A path (a file or a folder) that belongs to a service, as a compose file's mounts and build folders tell. */
export interface Claim {
  readonly path: string
  readonly owner: Owner
}

/** What stands around calls of a service by the name of a resource, as Sentinel's rules do. */
export interface GuardFact {
  readonly spot: Spot
  /** The service whose calls are meant. */
  readonly service: string
  /** As it is written: `GET:http://stock/deduct`, `com.shop.StockService`, `/orders`. */
  readonly resource: string
  /** Names under which hops know themselves (a host, a client, an interface), in lower case. */
  readonly names: readonly string[]
  readonly fields: Pick<Partial<CallFields>, 'breaker' | 'bulkhead' | 'queue'>
}

/** What the files of one format say. */
export interface Facts {
  readonly services: readonly ServiceFact[]
  readonly notes: readonly ImportNote[]
  readonly dead: readonly DeadSetting[]
  readonly claims?: readonly Claim[]
  readonly guards?: readonly GuardFact[]
  /** Variables of the environment in which services run, by the service's name in lower case. */
  readonly environments?: ReadonlyMap<string, ReadonlyMap<string, Written>>
  /** Files that a setting points to. */
  readonly pointedTo?: readonly string[]
}

/** Facts while a file is read. */
export interface FactsDraft {
  readonly services: ServiceFact[]
  readonly notes: ImportNote[]
  readonly dead: DeadSetting[]
}

/** The service a file belongs to, as another file tells (a compose file's mounts, image and build folders). */
export interface Owner {
  readonly name: string
  readonly version: string | null
  /** The image it runs, where it is known. */
  readonly image?: string
}

/** What an importer may ask about the other files. */
export interface Surroundings {
  /** Every text that is imported together. */
  readonly all: readonly Source[]
  /** Profiles that were asked for; none: those that the files name. */
  readonly profiles: readonly string[]
  /** Variables of the environment in which services run, by the service's name in lower case. */
  readonly environments: ReadonlyMap<string, ReadonlyMap<string, Written>>
  /** True for a file to which a setting points that an earlier importer read. */
  readonly isPointedTo: (file: string) => boolean
  readonly ownerOf: (file: string) => Owner | null
  /** The texts that a pattern in a file names, among those that are imported together. */
  readonly filesLike: (pattern: string, from: string) => readonly Source[]
}

/** One format: which texts are of it, and what they say. */
export interface Importer {
  readonly format: string
  readonly accepts: (source: Source) => boolean
  /** The texts that are packed in one; they are read in its place. */
  readonly unpack?: (source: Source) => readonly Source[]
  /** Texts that stand in one beside its own, as the files of a ConfigMap do; they are read too. */
  readonly holds?: (source: Source) => readonly Source[]
  /** Texts of other formats in which something of this one stands: labels of a compose file, resources beside others. */
  readonly alsoReads?: (source: Source) => boolean
  readonly read: (sources: readonly Source[], surroundings: Surroundings) => Facts
}

/** A list of notes never grows beyond this: the first ones are what a person looks at. */
const MAX_NOTES = 2_000

export function newFacts(): FactsDraft {
  return { services: [], notes: [], dead: [] }
}

function isSame(a: Spot, b: Spot): boolean {
  return a.source === b.source && a.start === b.start
}

/** A note; what holds in many places below one line is said once. */
export function addNote(draft: FactsDraft, kind: NoteKind, spot: Spot, text: string): void {
  if (draft.notes.length >= MAX_NOTES || draft.notes.some((note) => note.text === text && isSame(note.spot, spot))) return
  draft.notes.push({ kind, spot, text })
}

/** A note that a whole file could not be read, at the place where reading it failed. */
export function addBroken(draft: FactsDraft, spot: Spot, why: string): void {
  if (draft.notes.length < MAX_NOTES && !draft.notes.some((note) => note.isBroken && note.spot.source === spot.source))
    draft.notes.push({ kind: 'unknown', spot, text: `not read: ${why}`, isBroken: true })
}

/** A setting without effect: a note of its own, and a finding of `check`. */
export function addDead(draft: FactsDraft, dead: DeadSetting): void {
  if (draft.dead.length >= MAX_NOTES || draft.dead.some(({ spot, setting }) => setting === dead.setting && isSame(spot, dead.spot))) return
  draft.dead.push(dead)
  addNote(draft, 'dead', dead.spot, `${dead.setting} (${dead.written}) has no effect: ${dead.because}; in effect: ${dead.effective}`)
}
