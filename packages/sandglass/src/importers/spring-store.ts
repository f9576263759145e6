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
