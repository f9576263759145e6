import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'
import type { Settings } from './spring-settings.js'
import type { PlacedDocument, StoreDocument, StoreIndex } from './spring-store.js'
import { templateIn } from './templates.js'

/** What an application asks its stores for. */
export interface RemoteRequest {
  readonly name: string
  readonly settings: Settings
  readonly index: StoreIndex
  readonly active: readonly string[]
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
  const { settings } = request
  const asksNacos = settings.has(NACOS) || imports(settings).some(({ text }) => text.startsWith('nacos:'))
  const folders = asksNacos ? [] : folderDocuments(request)
  const nacos = nacosDocuments(request, asksNacos)
  const server = settings.get('spring.cloud.config.uri') ?? imports(settings).find(({ text }) => text.startsWith('configserver:'))
  const unseen = settings.get(`${NACOS}.server-addr`)
  const isUnseen = unseen && nacos.documents.length + nacos.missing.length === 0 && settings.get(`${NACOS}.enabled`)?.text !== 'false'
  if (isUnseen) return { ...nacos, documents: folders, missing: [{ text: 'of Nacos', spot: unseen.spot }] }
  const missing = [...nacos.missing, ...(server && folders.length === 0 ? [{ text: 'of the config server', spot: server.spot }] : [])]
  return { documents: [...folders, ...nacos.documents], missing, passedOver: nacos.passedOver }
}

/** `spring.config.import` without `optional:`. */
export function imports(settings: Settings): readonly Written[] {
  return settings.list('spring.config.import').map(({ text, spot }) => ({ text: text.replace(/^optional:/, ''), spot }))
}

/** application, then the service's, then both again for each active profile. A folder that has nothing of the service has nothing for it. */
function folderDocuments({ index, name, active }: RemoteRequest): readonly RemoteDocument[] {
  const own = index.ofService(name.toLowerCase()).filter(({ kind }) => kind === 'folder')
  return [...new Set(own.map(({ place }) => place))].flatMap((place) => {
    const here = [...index.ofService('application').filter((each) => each.kind === 'folder'), ...own].filter((each) => each.place === place)
    return [null, ...active].flatMap((profile) =>
      here.filter((each) => each.profile === profile).map(({ document }) => ({ source: document.source, profile })),
    )
  })
}

interface Wanted {
  readonly dataId: string
  readonly group: string
  readonly spot: Spot | null
  readonly profile: string | null
}

/** What is put into Nacos often lies in a folder beside the code; of what group and namespace it is the folder does not say. */
function nacosDocuments(request: RemoteRequest, asksNacos: boolean): Remote {
  const { settings, index } = request
  const namespace = spaceOf(settings.get(`${NACOS}.namespace`)?.text ?? '')
  const isCandidate = ({ document, kind }: PlacedDocument) =>
    kind === 'nacos' ? index.isOnlySpace || spaceOf(document.namespace) === namespace : asksNacos
  const found = wantedOf(request).map((want) => ({
    want,
    placed: index.named(want.dataId).find((each) => isCandidate(each) && (each.document.group ?? want.group) === want.group),
  }))
  const taken = new Set(found.flatMap(({ placed }) => placed ?? []))
  const others = index.ofService(request.name.toLowerCase()).filter((each) => isCandidate(each) && !taken.has(each))
  return {
    documents: found.flatMap(({ want, placed }) => (placed ? [{ source: placed.document.source, profile: want.profile }] : [])),
    missing: found.flatMap(({ want, placed }) => (placed || !want.spot ? [] : [{ text: want.dataId, spot: want.spot }])),
    passedOver: passedOver(others, request),
  }
}

/** The namespace that has no name is called `public`. */
function spaceOf(namespace: string): string {
  return namespace === 'public' ? '' : namespace
}

/** Data IDs in the order in which they are laid over each other. */
function wantedOf(request: RemoteRequest): readonly Wanted[] {
  const { name, settings, active, hasModule } = request
  const group = settings.get(`${NACOS}.group`)?.text || 'DEFAULT_GROUP'
  const imported = imports(settings).flatMap((each) => importedFrom(each, group))
  if (!hasModule) return usual(request, group)
  const isOff = settings.get(`${NACOS}.enabled`)?.text === 'false'
  if (isOff) return []
  // Where its address comes from elsewhere, a document with the service's name is still its own.
  if (!settings.has(NACOS) && imported.length === 0) return usual(request, group).filter(({ dataId }) => !/^application(-|$)/.test(dataId))
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
function passedOver(documents: readonly PlacedDocument[], request: RemoteRequest): Remote['passedOver'] {
  const { settings, active, hasModule } = request
  const isImported = imports(settings).some(({ text }) => text.startsWith('nacos:'))
  const isOff = settings.get(`${NACOS}.enabled`)?.text === 'false'
  if (!hasModule || isImported || isOff || !settings.has(NACOS)) return []
  const extension = settings.get(`${NACOS}.file-extension`)?.text ?? 'properties'
  return documents.flatMap(({ document, profile }) => {
    if (profile !== null && !active.includes(profile)) return []
    if (document.extension === extension || document.extension === 'json') return []
    return [{ document, because: `file-extension is ${extension}, so that ${document.name}.${extension} is looked for` }]
  })
}
