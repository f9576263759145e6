import type { Source, Spot } from '../model/sourced.js'
import { type JavaFile, readJava } from './java-file.js'
import type { JavaToken } from './java-tokens.js'
import type { Written } from './limit-fact.js'

/** The code of a module, and the modules it is built with. */
export interface JavaModule {
  /** Its folder, ending with a slash. */
  readonly root: string
  readonly files: readonly JavaFile[]
}

/** All code that was read. */
export interface JavaProject {
  readonly modules: ReadonlyMap<string, JavaModule>
  /** Texts of constants by `Class.NAME`. */
  readonly constants: ReadonlyMap<string, string>
  /** The folders of the modules that a module is built with, its own first. */
  readonly rootsOf: (root: string) => readonly string[]
  /** The modules that a module's code runs with, itself first. */
  readonly partsOf: (root: string) => readonly JavaModule[]
}

const CODE = /^(.*?)src\/main\/java\//

/** The module that a file of code is in; its folder where it is not laid out as Maven does it. */
export function moduleRoot(file: string): string {
  return CODE.exec(file)?.[1] ?? file.slice(0, file.lastIndexOf('/') + 1)
}

const projects = new WeakMap<readonly Source[], JavaProject>()

/** The code among texts, with the build files that tell which modules go together; several importers ask about the same texts. */
export function javaProject(sources: readonly Source[]): JavaProject {
  const project = projects.get(sources) ?? readProject(sources)
  projects.set(sources, project)
  return project
}

function readProject(sources: readonly Source[]): JavaProject {
  const modules = new Map<string, { readonly root: string; readonly files: JavaFile[] }>()
  const constants = new Map<string, string>()
  for (const source of sources) {
    if (!source.file.endsWith('.java')) continue
    const file = readJava(source)
    const root = moduleRoot(source.file)
    const module = modules.get(root) ?? { root, files: [] }
    module.files.push(file)
    modules.set(root, module)
    keepConstants(file, constants)
  }
  const uses = dependencies(sources)
  const roots = (root: string) => rootsOf(root, uses)
  return { modules, constants, rootsOf: roots, partsOf: (root) => roots(root).flatMap((each) => modules.get(each) ?? []) }
}

function keepConstants({ types, variables }: JavaFile, constants: Map<string, string>): void {
  const [type] = types
  for (const { name, value } of variables) {
    const [only] = value
    if (type && only?.kind === 'string' && value.length === 1 && !constants.has(`${type.name}.${name}`))
      constants.set(`${type.name}.${name}`, only.text)
  }
}

const MAX_PARTS = 200

function rootsOf(root: string, uses: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const seen = new Set<string>([root])
  for (const each of seen) for (const next of uses.get(each) ?? []) if (seen.size < MAX_PARTS) seen.add(next)
  return [...seen]
}

/** Which modules a module's build file names, by folder. */
function dependencies(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const builds = sources.filter(({ file }) => /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/.test(file))
  const described = builds.map(({ file, text }) => {
    const root = file.slice(0, file.lastIndexOf('/') + 1)
    return { root, ...(file.endsWith('.xml') ? ofMaven(text) : ofGradle(root, text)) }
  })
  const byName = new Map(described.map(({ name, root }) => [name, root]))
  return new Map(described.map(({ root, names }) => [root, names.flatMap((name) => byName.get(name) ?? [])]))
}

interface Described {
  readonly name: string
  readonly names: readonly string[]
}

function ofMaven(text: string): Described {
  const plain = text.replace(/<!--[\s\S]*?-->/g, '').replace(/<(parent|dependencyManagement|build|profiles|exclusions)>[\s\S]*?<\/\1>/g, '')
  const ids = [...plain.matchAll(/<artifactId>\s*([\w.-]+)\s*<\/artifactId>/g)].flatMap((found) => found[1] ?? [])
  const [name = '', ...names] = ids
  return { name, names }
}

function ofGradle(root: string, text: string): Described {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const names = [...plain.matchAll(/project\(\s*(?:path:\s*)?['"](?:[\w.-]*:)*([\w.-]+)['"]/g)].flatMap((found) => found[1] ?? [])
  return {
    name:
      root
        .split('/')
        .filter((part) => part !== '')
        .pop() ?? '',
    names,
  }
}

/** Where a value stands. */
export function spotOf(source: Source, tokens: readonly JavaToken[]): Spot {
  const [first] = tokens
  const last = tokens[tokens.length - 1]
  return { source, start: first?.start ?? 0, end: last?.end ?? 1 }
}

/** The text that an expression begins with: strings and constants put together, up to what only a running program knows; null where that is nothing. */
export function textOf(
  file: JavaFile,
  tokens: readonly JavaToken[],
  constants: JavaProject['constants'],
): (Written & { readonly isWhole: boolean }) | null {
  let text: string | null = null
  let at = tokens[0]?.text === '{' ? 1 : 0
  for (;;) {
    const part = partAt(file, tokens, at, constants)
    if (!part) break
    text = (text ?? '') + part.text
    at = part.end
    if (tokens[at]?.text !== '+') break
    at++
  }
  const isWhole = at >= tokens.length || tokens[at]?.text === ',' || tokens[at]?.text === '}'
  return text === null ? null : { text, spot: spotOf(file.source, tokens), isWhole }
}

function partAt(
  file: JavaFile,
  tokens: readonly JavaToken[],
  at: number,
  constants: JavaProject['constants'],
): { readonly text: string; readonly end: number } | null {
  const token = tokens[at]
  if (!token) return null
  if (token.kind === 'string' || token.kind === 'number') return { text: token.text, end: at + 1 }
  if (token.kind !== 'name') return null
  if (token.text === 'true' || token.text === 'false') return { text: token.text, end: at + 1 }
  if (tokens[at + 1]?.text === '.' && tokens[at + 2]?.kind === 'name') {
    const known = constants.get(`${token.text}.${tokens[at + 2]?.text}`)
    return known === undefined ? null : { text: known, end: at + 3 }
  }
  const own = ownConstant(file, token.text) ?? constants.get(file.imports.get(token.text)?.split('.').slice(-2).join('.') ?? '')
  return own === undefined ? null : { text: own, end: at + 1 }
}

/** A constant of the file, or a field that gets a setting: `@Value("${stock.url}")`. */
function ownConstant({ variables }: JavaFile, name: string): string | undefined {
  const variable = variables.find((each) => each.name === name)
  const [only] = variable?.value ?? []
  if (only?.kind === 'string' && variable?.value.length === 1) return only.text
  const value = variable?.annotations.find((annotation) => annotation.name === 'Value')?.values.get('value')
  return value?.length === 1 && value[0]?.kind === 'string' ? value[0].text : undefined
}
