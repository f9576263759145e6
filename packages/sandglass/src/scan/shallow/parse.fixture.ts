import { Language, Parser } from 'web-tree-sitter'
import type { Diagnostic } from '../../model/diagnostic.js'
import { placeOf } from '../../model/sourced.js'
import { type ShallowOptions, scanShallow } from './scan-shallow.js'
import type { ShallowLanguage } from './shallow-language.js'
import type { Parse } from './syntax-tree.js'

const modules = new URL('../../../../../node_modules/', import.meta.url)
const parsers = new Map<ShallowLanguage, Promise<Parse>>()

/** The parser of a language as the tests use it: straight from the packages. */
export function parserOf(language: ShallowLanguage): Promise<Parse> {
  const known = parsers.get(language) ?? load(language)
  parsers.set(language, known)
  return known
}

async function load(language: ShallowLanguage): Promise<Parse> {
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(new URL(`tree-sitter-${language}/tree-sitter-${language}.wasm`, modules).pathname))
  return (text) => parser.parse(text)
}

const FILES: Readonly<Record<ShallowLanguage, string>> = { go: 'main.go', java: 'Main.java', python: 'main.py' }

/** A scan in short: findings as `line rule`, calls as `line library outcome`. */
export interface ScannedText {
  readonly findings: readonly string[]
  /** With `N` for the version that the table of defaults has. */
  readonly messages: readonly string[]
  readonly calls: readonly string[]
  readonly problems: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The version of a product behind `as of` and `the default of`. */
const VERSION = /(?<=(?:as of|the default of) [\w ./-]*?) \d[\w./]*(?=\)| ends )/

/** Scans a text as a file of a language. */
export async function scanText(
  language: ShallowLanguage,
  text: string,
  file: string = FILES[language],
  options: ShallowOptions = {},
): Promise<ScannedText> {
  const source = { file, text }
  const { calls, diagnostics, problems } = scanShallow(source, language, await parserOf(language), options)
  return {
    findings: diagnostics.map(({ rule, spot }) => `${placeOf(spot).line} ${rule}`),
    messages: diagnostics.map(({ message }) => message.replace(VERSION, ' N')),
    calls: calls.map(({ spot, library, outcome }) => {
      const state = outcome.state === 'bounded' ? `${outcome.ms} ${outcome.kind}` : outcome.state
      return `${placeOf(spot).line} ${library} ${state}`
    }),
    problems: problems.map(({ message }) => message),
    diagnostics,
  }
}
