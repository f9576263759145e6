import type { Source } from '../model/sourced.js'
import { folderDocument, nacosDocument, type Store, type StoreDocument } from './spring-store.js'

const BUILD = /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/
const NAMED = /(^|\/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$/
const SETTINGS = /\.(ya?ml|properties)$/
const KEYS =
  /^(spring|server|feign|ribbon|hystrix|zuul|resilience4j|mybatis|dubbo)[.:]|^[\w-]+\.ribbon\.|^\s{2,4}(application|datasource|cloud):/m
const RESOURCES = /^(|.*\/)src\/main\/resources\/(?:config\/)?$/

/** True for a build file, which tells versions. */
export function isBuildFile({ file }: Source): boolean {
  return BUILD.test(file)
}

/** True for a text with settings of Spring: by its name, or by what is in it. */
export function isSpringSettings(source: Source): boolean {
  const { file, text } = source
  if (!SETTINGS.test(file)) return false
  if (NAMED.test(file)) return true
  if (/(^|\/)dubbo[\w.-]*\.properties$/.test(file)) return false
  if (/^(apiVersion|services|sandglass|configVersion):/m.test(text)) return false
  return nacosDocument(source) !== null || KEYS.test(text)
}

/** What is built as one: the files beside its code. */
export interface Module {
  /** Its folder, ending with a slash; empty for the folder that was named. */
  readonly root: string
  /** `application` and `bootstrap`, the weakest first. */
  readonly files: readonly Source[]
  /** Other settings beside them, which hold only where something imports them. */
  readonly others: readonly Source[]
}

/** The modules among texts, and the stores of settings that modules get from elsewhere. */
export interface SpringFiles {
  readonly modules: readonly Module[]
  readonly stores: readonly Store[]
}

/** Sorts texts with settings into modules and stores. */
export function springFiles(sources: readonly Source[]): SpringFiles {
  const nacos: StoreDocument[] = []
  const folders = new Map<string, Source[]>()
  for (const source of sources) {
    const document = nacosDocument(source)
    if (document) nacos.push(document)
    else append(folders, source.file.slice(0, source.file.lastIndexOf('/') + 1), source)
  }
  const modules = new Map<string, { files: Source[]; others: Source[] }>()
  const stores: Store[] = grouped(nacos)
  for (const [folder, files] of folders) {
    const others = files.filter(({ file }) => !NAMED.test(file))
    const isModule = others.length === 0 || (RESOURCES.test(folder) && others.length < files.length)
    if (!isModule) {
      stores.push({ kind: 'folder', place: folder, documents: files.map(folderDocument) })
      continue
    }
    const root = rootOf(folder, folders)
    const module = modules.get(root) ?? { files: [], others: [] }
    module.files.push(...files.filter(({ file }) => NAMED.test(file)))
    module.others.push(...others)
    modules.set(root, module)
  }
  return {
    modules: [...modules].map(([root, { files, others }]) => ({
      root,
      files: files.toSorted((a, b) => strength(a.file) - strength(b.file)),
      others,
    })),
    stores,
  }
}

function append(map: Map<string, Source[]>, key: string, source: Source): void {
  const list = map.get(key)
  if (list) list.push(source)
  else map.set(key, [source])
}

function grouped(documents: readonly StoreDocument[]): Store[] {
  const places = new Map<string, StoreDocument[]>()
  for (const document of documents) {
    const { file } = document.source
    const place = file.includes('!/') ? file.slice(0, file.indexOf('!/')) : file.slice(0, file.lastIndexOf(`${document.group}/`))
    const list = places.get(place)
    if (list) list.push(document)
    else places.set(place, [document])
  }
  return [...places].map(([place, each]) => ({ kind: 'nacos', place, documents: each }))
}

/** The module of a folder: without where Maven puts resources, and `config/` where its parent has settings too. */
function rootOf(folder: string, folders: ReadonlyMap<string, readonly Source[]>): string {
  const resources = RESOURCES.exec(folder)
  if (resources) return resources[1] ?? ''
  const parent = folder.replace(/config\/$/, '')
  return parent !== folder && folders.get(parent)?.some(({ file }) => NAMED.test(file)) ? parent : folder
}

/**
 * A module with the settings of the libraries it is built with: of one name the first on the classpath is read, and a module's own come first.
 * `libraries` are the other modules, in that order.
 */
export function withLibraries(module: Module, libraries: readonly Module[]): Module {
  const taken = new Set(module.files.map(baseName))
  const inherited = libraries.flatMap(({ files }) =>
    files.filter((source) => {
      const isNew = RESOURCES.test(source.file.slice(0, source.file.lastIndexOf('/') + 1)) && !taken.has(baseName(source))
      if (isNew) taken.add(baseName(source))
      return isNew
    }),
  )
  return inherited.length === 0
    ? module
    : { ...module, files: [...inherited, ...module.files].toSorted((a, b) => strength(a.file) - strength(b.file)) }
}

function baseName({ file }: Source): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** bootstrap is read before application, .properties win over .yml, and `config/` over the folder above it. */
function strength(file: string): number {
  return (
    (/\/bootstrap[\w.-]*$|^bootstrap/.test(file) ? 0 : 4) +
    (/(^|\/)config\/[^/]+$/.test(file) ? 2 : 0) +
    (file.endsWith('.properties') ? 1 : 0)
  )
}
