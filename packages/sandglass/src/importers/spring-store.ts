import type { Source } from '../model/sourced.js'

/** One document that services get from elsewhere: a file of a config server, or a data ID of Nacos. */
export interface StoreDocument {
  readonly source: Source
  /** Its name without the extension: `order-service-dev`. */
  readonly name: string
  readonly extension: string
  /** The group of Nacos; null for a config server. */
  readonly group: string | null
  /** The namespace of Nacos; empty is the public one. */
  readonly namespace: string
}

/** Documents that are kept together. */
export interface Store {
  readonly kind: 'folder' | 'nacos'
  /** What tells stores apart; for people, the folder or the archive. */
  readonly place: string
  readonly documents: readonly StoreDocument[]
}

/** A data ID of a Nacos export: `export.sql!/namespace/GROUP/data-id`, or a folder that is named as groups are. */
export function nacosDocument(source: Source): StoreDocument | null {
  // Files that a ConfigMap holds are called alike, and lie in the folder of what mounts it.
  if (/\.(ya?ml|tpl)!\//.test(source.file)) return null
  const found =
    /!\/(?:([^/]+)\/)?([^/]+)\/([^/]+)$/.exec(source.file) ?? /(?:^|\/)()(DEFAULT_GROUP|[A-Z][A-Z0-9_]*_GROUP)\/([^/]+)$/.exec(source.file)
  if (!found) return null
  const [, namespace = '', group = '', file = ''] = found
  return { source, group, namespace, ...nameAndExtension(file) }
}

function nameAndExtension(file: string): { readonly name: string; readonly extension: string } {
  const found = /^(.+)\.(ya?ml|properties|json)$/.exec(file)
  return { name: found?.[1] ?? file, extension: found?.[2] ?? '' }
}

/** A document of a config server's folder. */
export function folderDocument(source: Source): StoreDocument {
  const file = source.file.slice(source.file.lastIndexOf('/') + 1)
  return { source, group: null, namespace: '', ...nameAndExtension(file) }
}

/** True where a data ID, as a setting names it, is this document. */
export function isNamed({ name, extension }: StoreDocument, dataId: string): boolean {
  return dataId === name || dataId === `${name}.${extension}`
}

const USUAL =
  /^(dev|develop|development|test|testing|local|docker|uat|sit|qa|pre|stage|staging|gray|prod|production|product|release|online|k8s|kubernetes|demo|default)$/

/** Splits `order-service-dev` into the service and the profile: by services and profiles that are known, and by how profiles are usually called. */
export function splitName(
  name: string,
  services: ReadonlySet<string>,
  profiles: ReadonlySet<string>,
): { readonly service: string; readonly profile: string | null } {
  if (services.has(name.toLowerCase())) return { service: name, profile: null }
  for (let dash = name.lastIndexOf('-'); dash > 0; dash = name.lastIndexOf('-', dash - 1)) {
    const [service, profile] = [name.slice(0, dash), name.slice(dash + 1)]
    if (profiles.has(profile) || USUAL.test(profile.toLowerCase())) return { service, profile }
  }
  return { service: name, profile: null }
}

/** A document with what its name says. */
export interface PlacedDocument {
  readonly document: StoreDocument
  readonly kind: Store['kind']
  readonly place: string
  readonly service: string
  readonly profile: string | null
}

/** The documents of all stores, to be found by service or by data ID. */
export interface StoreIndex {
  readonly all: readonly PlacedDocument[]
  /** True where all documents of Nacos are of one namespace, so that it matters to nobody which. */
  readonly isOnlySpace: boolean
  /** Documents of a service, whose name is in lower case; `application` is what is shared. */
  readonly ofService: (service: string) => readonly PlacedDocument[]
  /** Documents that a data ID names, with or without the extension. */
  readonly named: (dataId: string) => readonly PlacedDocument[]
}

/** Reads the name of each document once. */
export function storeIndex(stores: readonly Store[], services: ReadonlySet<string>, profiles: ReadonlySet<string>): StoreIndex {
  const all = stores.flatMap(({ kind, place, documents }) =>
    documents.map((document) => ({ document, kind, place, ...splitName(document.name, services, profiles) })),
  )
  const byService = new Map<string, PlacedDocument[]>()
  const byId = new Map<string, PlacedDocument[]>()
  const add = (map: Map<string, PlacedDocument[]>, key: string, placed: PlacedDocument) => {
    const list = map.get(key)
    if (list) list.push(placed)
    else map.set(key, [placed])
  }
  for (const placed of all) {
    const { name, extension } = placed.document
    add(byService, placed.service.toLowerCase(), placed)
    add(byId, name, placed)
    if (extension !== '') add(byId, `${name}.${extension}`, placed)
  }
  const isOnlySpace = new Set(all.filter(({ kind }) => kind === 'nacos').map(({ document }) => document.namespace)).size < 2
  return { all, isOnlySpace, ofService: (service) => byService.get(service) ?? [], named: (dataId) => byId.get(dataId) ?? [] }
}
