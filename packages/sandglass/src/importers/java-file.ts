import type { Source, Spot } from '../model/sourced.js'
import { type JavaToken, javaTokens } from './java-tokens.js'

/** An annotation with its arguments; a single unnamed one is `value`. */
export interface JavaAnnotation {
  readonly name: string
  readonly spot: Spot
  readonly values: ReadonlyMap<string, readonly JavaToken[]>
}

/** A class or an interface, with what its head says. */
export interface JavaType {
  readonly kind: 'class' | 'interface'
  readonly name: string
  readonly spot: Spot
  readonly annotations: readonly JavaAnnotation[]
  /** What a class implements, without packages and arguments. */
  readonly interfaces: readonly string[]
}

/** A field, a parameter or a constant: its type, its name, and what stands behind `=`. */
export interface JavaVariable {
  readonly type: string
  readonly name: string
  readonly annotations: readonly JavaAnnotation[]
  readonly value: readonly JavaToken[]
}

/** What of a Java file tells whom it calls. */
export interface JavaFile {
  readonly source: Source
  readonly package: string
  /** Full names by simple name. */
  readonly imports: ReadonlyMap<string, string>
  readonly types: readonly JavaType[]
  /** Annotated or initialised variables. */
  readonly variables: readonly JavaVariable[]
  /** All tokens of a file that may call or configure a client; none of others. */
  readonly tokens: readonly JavaToken[]
  /** Every word in it. */
  readonly words: ReadonlySet<string>
}

const CALLS = /FeignClient|\.dubbo\.|RestTemplate|WebClient|RestClient|Request\.Options|Retryer/

/** Reads a Java file as far as it can be read. */
export function readJava(source: Source): JavaFile {
  const tokens = javaTokens(source.text)
  const reading: Reading = { source, tokens, imports: new Map(), types: [], variables: [], package: '' }
  let annotations: JavaAnnotation[] = []
  for (let at = 0; at < tokens.length; ) {
    const next = step(reading, at, annotations)
    annotations = next.annotations
    at = Math.max(next.at, at + 1)
  }
  const words = new Set(tokens.flatMap(({ kind, text }) => (kind === 'name' ? [text] : [])))
  // Of a file that only uses clients, what it says is enough; tokens of thousands of files would fill the memory.
  return { ...reading, words, tokens: CALLS.test(source.text) ? tokens : [] }
}

interface Reading {
  readonly source: Source
  readonly tokens: readonly JavaToken[]
  readonly imports: Map<string, string>
  readonly types: JavaType[]
  readonly variables: JavaVariable[]
  package: string
}

interface Step {
  readonly at: number
  readonly annotations: JavaAnnotation[]
}

const MODIFIERS = new Set([
  'public',
  'private',
  'protected',
  'static',
  'final',
  'abstract',
  'transient',
  'volatile',
  'sealed',
  'default',
  'strictfp',
])

function step(reading: Reading, at: number, annotations: JavaAnnotation[]): Step {
  const { tokens } = reading
  const token = tokens[at]
  const text = token?.text
  if (!token || !text) return { at: at + 1, annotations }
  if (text === '@' && token.kind === 'mark' && tokens[at + 1]?.text !== 'interface') {
    const read = annotationAt(reading.source, tokens, at)
    return { at: read.end, annotations: [...annotations, read.annotation].slice(-MAX_ANNOTATIONS) }
  }
  if (token.kind !== 'name') return { at: at + 1, annotations: [] }
  if (text === 'package' || text === 'import') return { at: declarationAt(reading, at), annotations: [] }
  if ((text === 'class' || text === 'interface' || text === 'record') && tokens[at - 1]?.text !== '.' && tokens[at + 1]?.kind === 'name') {
    reading.types.push(typeAt(reading, at, annotations))
    return { at: at + 2, annotations: [] }
  }
  if (MODIFIERS.has(text)) return { at: at + 1, annotations }
  return { at: variableAt(reading, at, annotations), annotations: [] }
}

const MAX_ANNOTATIONS = 50

function declarationAt(reading: Reading, at: number): number {
  const { tokens } = reading
  let end = at + 1
  let name = ''
  while (end < tokens.length && tokens[end]?.text !== ';' && end - at < 60) {
    const text = tokens[end]?.text ?? ''
    if (text !== 'static') name += text
    end++
  }
  if (tokens[at]?.text === 'package') reading.package = name
  else reading.imports.set(name.slice(name.lastIndexOf('.') + 1), name)
  return end
}

function typeAt({ tokens, source }: Reading, at: number, annotations: readonly JavaAnnotation[]): JavaType {
  const name = tokens[at + 1]
  const open = tokens.findIndex((token, index) => index > at && (token.text === '{' || index > at + MAX_HEAD))
  const kind = tokens[at]?.text === 'interface' ? 'interface' : 'class'
  const spot = { source, start: name?.start ?? 0, end: name?.end ?? 1 }
  return { kind, name: name?.text ?? '', spot, annotations, interfaces: implementedIn(tokens.slice(at, Math.max(at, open))) }
}

const MAX_HEAD = 200

/** `A<B>, c.D` behind `implements`, without packages and arguments. */
function implementedIn(head: readonly JavaToken[]): readonly string[] {
  const start = head.findIndex(({ text }) => text === 'implements')
  let depth = 0
  return head.slice(start < 0 ? head.length : start + 1).flatMap(({ kind, text }, index, names) => {
    depth += text === '<' ? 1 : text === '>' ? -1 : 0
    return depth === 0 && kind === 'name' && names[index + 1]?.text !== '.' ? [text] : []
  })
}

/** `Type<A> name = value;`, also as a parameter; gives where to go on. */
function variableAt(reading: Reading, at: number, annotations: readonly JavaAnnotation[]): number {
  const { tokens } = reading
  let index = at
  while (tokens[index + 1]?.text === '.' && tokens[index + 2]?.kind === 'name') index += 2
  const type = tokens[index]
  index = afterArguments(tokens, index + 1)
  const name = tokens[index]
  if (type?.kind !== 'name' || name?.kind !== 'name') return at + 1
  const behind = tokens[index + 1]?.text
  const isInitialised = behind === '='
  const value = isInitialised ? tokens.slice(index + 2, endOfValue(tokens, index + 2)) : []
  if ((annotations.length > 0 && /^[;,)=]$/.test(behind ?? '')) || isInitialised)
    reading.variables.push({ type: type.text, name: name.text, annotations, value })
  return index + 1
}

const MAX_ARGUMENTS = 100

/** Behind `<…>` and `[]`. */
function afterArguments(tokens: readonly JavaToken[], at: number): number {
  let index = at
  if (tokens[index]?.text === '<') {
    let depth = 0
    for (; index < tokens.length && index - at < MAX_ARGUMENTS; index++) {
      const { text } = tokens[index] ?? { text: '' }
      depth += text === '<' ? 1 : text === '>' ? -1 : 0
      if (depth === 0) break
    }
    index++
  }
  while (tokens[index]?.text === '[' && tokens[index + 1]?.text === ']') index += 2
  return index
}

const MAX_VALUE = 200

function endOfValue(tokens: readonly JavaToken[], at: number): number {
  let depth = 0
  for (let index = at; index < tokens.length && index - at < MAX_VALUE; index++) {
    const text = tokens[index]?.kind === 'mark' ? (tokens[index]?.text ?? '') : ''
    if (depth === 0 && /^[;,)}]$/.test(text)) return index
    depth += /^[({[]$/.test(text) ? 1 : /^[)}\]]$/.test(text) ? -1 : 0
  }
  return Math.min(tokens.length, at + MAX_VALUE)
}

interface ReadAnnotation {
  readonly annotation: JavaAnnotation
  readonly end: number
}

/** `@a.b.Name(x = 1, y = {…})`; of the name the last part. */
function annotationAt(source: Source, tokens: readonly JavaToken[], at: number): ReadAnnotation {
  let index = at + 1
  while (tokens[index + 1]?.text === '.' && tokens[index + 2]?.kind === 'name') index += 2
  const name = tokens[index]?.text ?? ''
  const open = index + 1
  const close = tokens[open]?.text === '(' ? closingOf(tokens, open) : index
  const spot = { source, start: tokens[at]?.start ?? 0, end: tokens[index]?.end ?? 1 }
  const values = new Map(close > open ? argumentsIn(tokens.slice(open + 1, close)).map(namedArgument) : [])
  return { annotation: { name, spot, values }, end: close + 1 }
}

/** The bracket that closes the one at `open`. */
export function closingOf(tokens: readonly JavaToken[], open: number): number {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    if (tokens[index]?.kind !== 'mark') continue
    const text = tokens[index]?.text ?? ''
    depth += /^[({[]$/.test(text) ? 1 : /^[)}\]]$/.test(text) ? -1 : 0
    if (depth === 0) return index
  }
  return tokens.length
}

/** Arguments, parted by commas that stand in no brackets. */
export function argumentsIn(tokens: readonly JavaToken[]): readonly (readonly JavaToken[])[] {
  const parts: JavaToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const text = token.kind === 'mark' ? token.text : ''
    depth += /^[({[]$/.test(text) ? 1 : /^[)}\]]$/.test(text) ? -1 : 0
    if (text === ',' && depth === 0) parts.push([])
    else parts[parts.length - 1]?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

function namedArgument(tokens: readonly JavaToken[]): readonly [string, readonly JavaToken[]] {
  const [name, equals, ...value] = tokens
  return name?.kind === 'name' && equals?.text === '=' && value.length > 0 ? [name.text, value] : ['value', tokens]
}

/** The annotations inside a value: `{ @Method(name = "a", timeout = 1), … }`. */
export function annotationsIn(source: Source, tokens: readonly JavaToken[]): readonly JavaAnnotation[] {
  const found: JavaAnnotation[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.text !== '@' || tokens[at]?.kind !== 'mark') continue
    const read = annotationAt(source, tokens, at)
    found.push(read.annotation)
    at = read.end - 1
  }
  return found
}
