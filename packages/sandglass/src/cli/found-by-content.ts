import type { Source } from '../model/sourced.js'
import type { NotRead } from '../report/check-report.js'
import { lookAt } from './look-at.js'
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
const MAX_JAVA_FILES = 20_000
const MAX_JAVA_BYTES = 512 * 1024
/** Of code that is kept; what only had to be looked at is not. */
const MAX_JAVA_CHARACTERS = 32 * 1024 * 1024

/** Texts, and what was left out because there is too much of it; null where nothing was. */
export interface TextsByContent {
  readonly sources: readonly Source[]
  readonly left: string | null
  /** Archives of which only a part was looked at. */
  readonly cuts: readonly NotRead[]
}

/** The texts among files whose names alone do not tell that they are imported: dumps of Nacos, Dubbo's XML, archives, code that calls. */
export function textsByContent(files: readonly string[], isTaken: (file: string) => boolean, system: System): TextsByContent {
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
  const code = isSpring ? callingCode(files.filter(isNew), system) : { sources: [], left: null }
  const cuts: NotRead[] = []
  const packed = archives.flatMap((file) => archiveTexts(file, system, (why) => cuts.push({ file, why })))
  return { sources: [...texts, ...packed, ...code.sources], left: code.left, cuts }
}

function smallText(file: string, maxBytes: number, system: System): Source | null {
  const entry = lookAt(file, system.folders)
  if (entry?.kind !== 'file' || entry.isPipe || entry.size > maxBytes) return null
  const read = readText(file, system.folders)
  return read.ok ? read.source : null
}

const MAX_ARCHIVES = 50
const MAX_ARCHIVE_BYTES = 8 * 1024 * 1024

/** An archive that Nacos exported: a folder a group, with a description of its own beside them. */
function archiveTexts(file: string, system: System, onCut: (why: string) => void): readonly Source[] {
  const entry = lookAt(file, system.folders)
  if (entry?.kind !== 'file' || entry.isPipe || entry.size > MAX_ARCHIVE_BYTES) return []
  return nacosTexts(file, system.folders.read(file, MAX_ARCHIVE_BYTES), onCut) ?? []
}

/** The data IDs in an archive of Nacos; null where it is none. */
export function nacosTexts(file: string, bytes: Uint8Array, onCut: (why: string) => void = () => {}): readonly Source[] | null {
  let cut: string | null = null
  const texts = zipTexts(file, bytes, (why) => (cut ??= why))
  const isNacos = texts?.some((text) => /!\/(\.meta(data)?\.yml|\w+_GROUP\/.*)$/.test(text.file)) === true
  if (isNacos && cut !== null) onCut(cut)
  return isNacos && texts ? texts.filter((text) => /!\/[^/.][^/]*\/[^/]+$/.test(text.file)) : null
}

/** Code that calls other services, and code that uses the clients declared in it. Files are read twice rather than kept. */
function callingCode(files: readonly string[], system: System): Omit<TextsByContent, 'cuts'> {
  const all = files.filter((file) => JAVA.test(file))
  const code = all.slice(0, MAX_JAVA_FILES)
  const calling = codeWith(code, CALLS, system)
  const names = namesIn(calling)
  const known = new Set(calling.map(({ file }) => file))
  const others = code.filter((file) => !known.has(file))
  const using = names.length === 0 ? [] : codeWith(others, new RegExp(`\\b(${names.join('|')})\\b`), system)
  const sources: Source[] = []
  let characters = 0
  for (const source of [...calling, ...using]) {
    characters += source.text.length
    if (characters <= MAX_JAVA_CHARACTERS) sources.push(source)
  }
  const isCut = all.length > code.length || characters > MAX_JAVA_CHARACTERS
  return { sources, left: isCut ? 'too much code in Java to look at all of it; name a smaller folder' : null }
}

const MAX_NAMES = 2_000

/** Clients, and the classes whose constants name services. */
function namesIn(calling: readonly Source[]): readonly string[] {
  const clients = calling.filter(({ text }) => text.includes('@FeignClient'))
  const names = clients.flatMap(({ text }) =>
    [/\binterface\s+(\w+)/g, /\b([A-Z]\w*)\.[A-Z][A-Z0-9_]*\b/g].flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap((found) => found[1] ?? []),
    ),
  )
  return [...new Set(names)].slice(0, MAX_NAMES)
}

/** Files in which a pattern is, no more than are kept in the end. */
function codeWith(files: readonly string[], pattern: RegExp, system: System): readonly Source[] {
  const kept: Source[] = []
  let characters = 0
  for (const file of files) {
    const source = characters > MAX_JAVA_CHARACTERS ? null : smallText(file, MAX_JAVA_BYTES, system)
    if (!source || !pattern.test(source.text)) continue
    characters += source.text.length
    kept.push(source)
  }
  return kept
}
