import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'
import type { Settings } from './spring-settings.js'
import { isNamed, type Store, type StoreDocument, splitName } from './spring-store.js'
import { templateIn } from './templates.js'

/** What an application asks its stores for. */
export interface RemoteRequest {
  readonly name: string
  readonly settings: Settings
  readonly stores: readonly Store[]
  readonly active: readonly string[]
  /** Names of services and profiles that are known, to tell `order-dev` from `order-service`. */
  readonly names: ReadonlySet<string>
  readonly profiles: ReadonlySet<string>
  /** False where only the store knows the application: then what is usual is assumed. */
  readonly hasModule: boolean
}

/** A document of a store with the profile in its name. */
export interface RemoteDocument {
  readonly source: Source
  readonly profile: string | null
}

/** What a store gives an application: documents, the weakest first, and what it asked for in vain. */
export interface Remote {
  readonly documents: readonly RemoteDocument[]
  readonly missing: readonly Written[]
  /** Documents of the application that its settings pass over. */
  readonly passedOver: readonly { readonly document: StoreDocument; readonly because: string }[]
}

const NACOS = 'spring.cloud.nacos.config'

/** The documents that an application gets from config servers and from Nacos. */
export function remoteDocuments(request: RemoteRequest): Remote {
  const ofKind = (kind: Store['kind']) => request.stores.filter((store) => store.kind === kind)
  const asksNacos = request.settings.has(NACOS) || imports(request.settings).some(({ text }) => text.startsWith('nacos:'))
  const folders = asksNacos ? [] : ofKind('folder').flatMap((store) => folderDocuments(store, request))
  // What is put into Nacos often lies in a folder beside the code; of what group it is the folder does not say.
  const known = [...ofKind('nacos'), ...(asksNacos ? ofKind('folder') : [])].flatMap(({ documents }) => documents)
  const nacos = nacosDocuments(known, request)
  const server =
    request.settings.get('spring.cloud.config.uri') ?? imports(request.settings).find(({ text }) => text.startsWith('configserver:'))
  const missing = [...nacos.missing, ...(server && folders.length === 0 ? [{ text: 'of the config server', spot: server.spot }] : [])]
  return { documents: [...folders, ...nacos.documents], missing, passedOver: nacos.passedOver }
}

/** `spring.config.import` without `optional:`. */
export function imports(settings: Settings): readonly Written[] {
  return settings.list('spring.config.import').map(({ text, spot }) => ({ text: text.replace(/^optional:/, ''), spot }))
}

/** application, then the service's, then both again for each active profile. A store that has nothing of the service has nothing for it. */
function folderDocuments({ documents }: Store, request: RemoteRequest): readonly RemoteDocument[] {
  const split = documents.map((document) => ({ document, ...splitName(document.name, request.names, request.profiles) }))
  const isOwn = ({ service }: { readonly service: string }) => service.toLowerCase() === request.name.toLowerCase()
  if (!split.some(isOwn)) return []
  const take = (profile: string | null) =>
    ['application', request.name.toLowerCase()].flatMap((service) =>
      split.filter((each) => each.service.toLowerCase() === service && each.profile === profile),
    )
  return [null, ...request.active].flatMap(take).map(({ document, profile }) => ({ source: document.source, profile }))
}

interface Wanted {
  readonly dataId: string
  readonly group: string
  readonly spot: Spot | null
  readonly profile: string | null
}

function nacosDocuments(documents: readonly StoreDocument[], request: RemoteRequest): Remote {
  const { settings } = request
  const wanted = wantedOf(request)
  const namespace = spaceOf(settings.get(`${NACOS}.namespace`)?.text ?? '')
  const fitting = documents.filter((document) => spaceOf(document.namespace) === namespace)
  const candidates = fitting.length > 0 || new Set(documents.map((each) => each.namespace)).size > 1 ? fitting : documents
  const found = wanted.map((want) => ({
    want,
    document: candidates.find((document) => (document.group ?? want.group) === want.group && isNamed(document, want.dataId)),
  }))
  const taken = new Set(found.flatMap(({ document }) => document ?? []))
  return {
    documents: found.flatMap(({ want, document }) => (document ? [{ source: document.source, profile: want.profile }] : [])),
    missing: found.flatMap(({ want, document }) => (document || !want.spot ? [] : [{ text: want.dataId, spot: want.spot }])),
    passedOver: passedOver(
      candidates.filter((document) => !taken.has(document)),
      request,
    ),
  }
}

/** The namespace that has no name is called `public`. */
function spaceOf(namespace: string): string {
  return namespace === 'public' ? '' : namespace
}

/** Data IDs in the order in which they are laid over each other. */
function wantedOf(request: RemoteRequest): readonly Wanted[] {
  const { name, settings, active, hasModule } = request
  const group = settings.get(`${NACOS}.group`)?.text ?? 'DEFAULT_GROUP'
  const imported = imports(settings).flatMap((each) => importedFrom(each, group))
  if (!hasModule) return usual(request, group)
  const isOff = settings.get(`${NACOS}.enabled`)?.text === 'false'
  const isAsked = !isOff && (settings.has('spring.cloud.nacos') || imported.length > 0)
  if (!isAsked) return []
  const listed = ['shared-configs', 'shared-dataids', 'extension-configs', 'ext-config'].flatMap((key) =>
    listedIn(settings, `${NACOS}.${key}`),
  )
  if (imported.length > 0) return [...listed, ...imported]
  const prefix = settings.get(`${NACOS}.prefix`)?.text ?? settings.get(`${NACOS}.name`)?.text ?? name
  const extension = settings.get(`${NACOS}.file-extension`)?.text ?? 'properties'
  const own = [
    { dataId: `${prefix}.${extension}`, profile: null },
    ...active.map((profile) => ({ dataId: `${prefix}-${profile}.${extension}`, profile })),
  ]
  return [...listed, ...own.map((each) => ({ ...each, group, spot: null }))]
}

/** Without a module nobody says what is shared: application and the service, each for all profiles and for the active ones. */
function usual({ name, active }: RemoteRequest, group: string): readonly Wanted[] {
  const names = [null, ...active].flatMap((profile) =>
    ['application', name].map((base) => ({ dataId: profile === null ? base : `${base}-${profile}`, profile })),
  )
  return names.map((each) => ({ ...each, group, spot: null }))
}

function importedFrom({ text, spot }: Written, group: string): readonly Wanted[] {
  const found = /^nacos:\/?\/?([^?]+)(?:\?(.*))?$/.exec(text)
  if (!found || templateIn(text) !== null) return []
  const own = /(?:^|&)group=([^&]+)/.exec(found[2] ?? '')?.[1]
  return [{ dataId: found[1] ?? '', group: own ?? group, spot, profile: null }]
}

/** `shared-configs[0].data-id`, and the older form that is one text with commas. */
function listedIn(settings: Settings, key: string): readonly Wanted[] {
  const wanted: Wanted[] = settings.list(key).map(({ text, spot }) => ({ dataId: text, group: 'DEFAULT_GROUP', spot, profile: null }))
  for (let index = 0; index < MAX_LISTED && settings.has(`${key}[${index}]`); index++) {
    const id = settings.get(`${key}[${index}].data-id`)
    if (id)
      wanted.push({ dataId: id.text, group: settings.get(`${key}[${index}].group`)?.text ?? 'DEFAULT_GROUP', spot: id.spot, profile: null })
  }
  return wanted
}

const MAX_LISTED = 200

/** Documents that carry the application's name and are read by nobody. */
function passedOver(documents: readonly StoreDocument[], request: RemoteRequest): Remote['passedOver'] {
  const isImported = imports(request.settings).some(({ text }) => text.startsWith('nacos:'))
  const isOff = request.settings.get(`${NACOS}.enabled`)?.text === 'false'
  if (!request.hasModule || isImported || isOff || !request.settings.has(NACOS)) return []
  const extension = request.settings.get(`${NACOS}.file-extension`)?.text ?? 'properties'
  return documents.flatMap((document) => {
    const { service, profile } = splitName(document.name, request.names, request.profiles)
    if (service.toLowerCase() !== request.name.toLowerCase() || (profile !== null && !request.active.includes(profile))) return []
    if (document.extension === extension || document.extension === 'json') return []
    return [{ document, because: `file-extension is ${extension}, so that ${document.name}.${extension} is looked for` }]
  })
}
