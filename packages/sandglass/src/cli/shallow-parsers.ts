import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type * as WebTreeSitter from 'web-tree-sitter'
import type { ShallowLanguage } from '../scan/shallow/shallow-language.js'
import type { Parse } from '../scan/shallow/syntax-tree.js'

/** Longer than this a text is not parsed: what is no source code can keep the parser's error recovery busy for minutes. */
const LIMIT_MS = 5000

/** The build puts the parser and the grammars beside the bundle; seen from the sources that is `dist`. */
const FOLDERS = ['./tree-sitter/', '../../dist/tree-sitter/']

let loading: Promise<typeof WebTreeSitter> | null = null
const parsers = new Map<ShallowLanguage, Promise<Parse>>()

/** The parser of a language, loaded when it is first asked for (about 30 ms); rejects where the installation lacks its files. */
export function shallowParser(language: ShallowLanguage): Promise<Parse> {
  const known = parsers.get(language) ?? load(language)
  parsers.set(language, known)
  return known
}

async function load(language: ShallowLanguage): Promise<Parse> {
  const folder = FOLDERS.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(new URL('web-tree-sitter.js', url)))
  if (!folder) throw new Error(`the parser of ${language} is missing in this installation: no dist/tree-sitter/web-tree-sitter.js`)
  loading ??= start(folder)
  const { Language, Parser } = await loading
  const parser = new Parser()
  parser.setLanguage(await Language.load(fileURLToPath(new URL(`tree-sitter-${language}.wasm`, folder))))
  return (text) => {
    const endAt = performance.now() + LIMIT_MS
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > endAt })
    if (!tree) parser.reset()
    return tree
  }
}

async function start(folder: URL): Promise<typeof WebTreeSitter> {
  const module = (await import(new URL('web-tree-sitter.js', folder).href)) as typeof WebTreeSitter
  await module.Parser.init()
  return module
}
