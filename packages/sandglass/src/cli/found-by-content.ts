import type { Source } from '../model/sourced.js'
import { readText } from './read-text.js'
import type { System } from './system.js'
import { zipTexts } from './zip-texts.js'

/** Files of these names are mostly something else: what is in them decides, and what is larger is passed over in silence. */
const KINDS: readonly { readonly name: RegExp; readonly maxBytes: number; readonly text: RegExp }[] = [
  { name: /\.sql$/i, maxBytes: 8 * 1024 * 1024, text: /\bconfig_info\b/i },
  {
    name: /\.xml$/i,
    maxBytes: 512 * 1024,
    text: /<\w*:?(reference|service|consumer|provider)\b[^>]*\b(interface|timeout|retries)=|<(Flow|Degrade)Rule>/,
  },
]
const MAX_FILES = 5_000

/** Settings of Spring and of Dubbo: where none are, code in Java is not looked at. */
const SPRING = /(^|\/)((application|bootstrap)[\w.-]*\.(ya?ml|properties)|[^/]*dubbo[^/]*\.(xml|properties|ya?ml))$/
const JAVA = /(^|\/)src\/main\/java\/.*\.java$/
const CALLS = /FeignClient|dubbo\.config\.annotation|RestTemplate|WebClient|RestClient|Request\.Options|FileRefreshableDataSource/
const MAX_JAVA_FILES = 10_000
const MAX_JAVA_BYTES = 512 * 1024
const MAX_JAVA_CHARACTERS = 48 * 1024 * 1024

/** The texts among files whose names alone do not tell that they are imported: dumps of Nacos, Dubbo's XML, archives, code that calls. */
export function textsByContent(files: readonly string[], isTaken: (file: string) => boolean, system: System): readonly Source[] {
  const isNew = (file: string) => !isTaken(file)
  const other = files.filter(isNew).flatMap((file) => {
    const kind = KINDS.find(({ name }) => name.test(file))
    return kind ? [{ file, ...kind }] : []
  })
  const texts = other.slice(0, MAX_FILES).flatMap(({ file, maxBytes, text }) => {
    const source = smallText(file, maxBytes, system)
    return source && text.test(source.text) ? [source] : []
  })
  const archives = files.filter((file) => /\.zip$/i.test(file) && isNew(file)).slice(0, MAX_ARCHIVES)
  const isSpring = files.some((file) => SPRING.test(file)) || texts.some(({ file }) => /\.xml$/i.test(file))
  return [
    ...texts,
    ...archives.flatMap((file) => archiveTexts(file, system)),
    ...(isSpring ? callingCode(files.filter(isNew), system) : []),
  ]
}

function smallText(file: string, maxBytes: number, system: System): Source | null {
  const entry = system.folders.look(file)
  if (entry?.kind !== 'file' || entry.size > maxBytes) return null
  const read = readText(file, system.folders)
  return read.ok ? read.source : null
}

const MAX_ARCHIVES = 50
const MAX_ARCHIVE_BYTES = 8 * 1024 * 1024

/** An archive that Nacos exported: a folder a group, with a description of its own beside them. */
function archiveTexts(file: string, system: System): readonly Source[] {
  const entry = system.folders.look(file)
  if (entry?.kind !== 'file' || entry.size > MAX_ARCHIVE_BYTES) return []
  return nacosTexts(file, system.folders.read(file, MAX_ARCHIVE_BYTES)) ?? []
}

/** The data IDs in an archive of Nacos; null where it is none. */
export function nacosTexts(file: string, bytes: Uint8Array): readonly Source[] | null {
  const texts = zipTexts(file, bytes)
  const isNacos = texts?.some((text) => /!\/(\.meta(data)?\.yml|\w+_GROUP\/.*)$/.test(text.file)) === true
  return isNacos && texts ? texts.filter((text) => /!\/[^/.][^/]*\/[^/]+$/.test(text.file)) : null
}

/** Code that calls other services, and code that uses the clients declared in it. */
function callingCode(files: readonly string[], system: System): readonly Source[] {
  const all: Source[] = []
  let characters = 0
  for (const file of files.filter((each) => JAVA.test(each)).slice(0, MAX_JAVA_FILES)) {
    const source = smallText(file, MAX_JAVA_BYTES, system)
    if (!source) continue
    characters += source.text.length
    if (characters > MAX_JAVA_CHARACTERS) break
    all.push(source)
  }
  const calling = all.filter(({ text }) => CALLS.test(text))
  const clients = calling.filter(({ text }) => text.includes('@FeignClient'))
  const names = clients.flatMap(({ text }) => [
    ...[...text.matchAll(/\binterface\s+(\w+)/g)].flatMap((found) => found[1] ?? []),
    ...[...text.matchAll(/\b([A-Z]\w*)\.[A-Z][A-Z0-9_]*\b/g)].flatMap((found) => found[1] ?? []),
  ])
  if (names.length === 0) return calling
  const wanted = new RegExp(`\\b(${[...new Set(names)].slice(0, MAX_NAMES).join('|')})\\b`)
  return all.filter((source) => CALLS.test(source.text) || wanted.test(source.text))
}

const MAX_NAMES = 2_000
