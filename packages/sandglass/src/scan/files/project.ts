import type { Program } from 'oxc-parser'
import type { Source } from '../../model/sourced.js'
import { type Module, moduleOf } from '../syntax/module.js'
import type { ConfigFiles } from './config-files.js'
import type { Manifest } from './manifest.js'

/** What an import leads to: a file of the project, something of a package, or nothing that is known. */
export type Resolved =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'package'; readonly name: string; readonly subpath: string }
  | { readonly kind: 'nothing' }

/** What a parser gives: a tree, or the first thing that is wrong with the text. */
export type Parsed =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly message: string; readonly offset: number }

/** What scanning needs from outside: texts, a parser, and what an import leads to. */
export interface ProjectInput {
  readonly sources: readonly Source[]
  readonly parse: (source: Source) => Parsed
  readonly resolve: (request: string, fromFile: string) => Resolved
  /** The installed version of a package as a file of the project gets it; null where no lockfile tells. */
  readonly versionOf: (packageName: string, fromFile: string) => string | null
  /** The folder of the package that a file belongs to. Default: all files are one package. */
  readonly packageOf?: (file: string) => string
  /** What the manifest of a file's package says. Default: nobody knows. */
  readonly manifestOf?: (file: string) => Manifest | null
  /** After how many ms the platform ends the function that a file is, as its configuration has it. Default: nobody knows. */
  readonly functionEndMsOf?: (file: string) => number | null
  /** After how many ms the platform ends the longest function of the service that a file is of, as its configuration has it. Default: nobody knows. */
  readonly longestFunctionMsOf?: (file: string) => number | null
  /** After how many ms Azure ends each function of the app that a file is of, as its `host.json` has it. Default: nobody knows. */
  readonly azureMostMsOf?: (file: string) => number | null
  /** From which files the npm package `config` reads for a file. Default: from none. */
  readonly configOf?: (file: string) => ConfigFiles | null
}

/** The files from which the npm package `config` reads, parsed. */
export interface ConfigModules {
  readonly defaults: Module
  readonly production: Module | null
  readonly environment: Module | null
}

/** A file that could not be parsed. */
export interface Unparsed {
  readonly source: Source
  readonly message: string
  readonly offset: number
}

/** The files of a project, parsed when they are first asked for. */
export interface Project {
  readonly sources: readonly Source[]
  readonly moduleOf: (file: string) => Module | null
  /** Parses a file only to see whether it can be; nothing of it is kept. */
  readonly look: (file: string) => void
  readonly resolve: (request: string, fromFile: string) => Resolved
  readonly versionOf: (packageName: string, fromFile: string) => string | null
  readonly packageOf: (file: string) => string
  readonly manifestOf: (file: string) => Manifest | null
  readonly functionEndMsOf: (file: string) => number | null
  readonly longestFunctionMsOf: (file: string) => number | null
  readonly azureMostMsOf: (file: string) => number | null
  readonly configOf: (file: string) => ConfigModules | null
  readonly unparsed: readonly Unparsed[]
}

/** A project from its texts. */
export function openProject(input: ProjectInput): Project {
  const { sources, parse, resolve, versionOf, packageOf = () => '', manifestOf = () => null } = input
  const { functionEndMsOf = () => null, longestFunctionMsOf = () => null, azureMostMsOf = () => null } = input
  const { configOf = () => null } = input
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const modules = new Map<string, Module | null>()
  const unparsed: Unparsed[] = []
  const looked = new Set<string>()
  const read = (source: Source): Parsed => {
    const parsed = parse(source)
    if (!parsed.ok && !looked.has(source.file)) unparsed.push({ source, message: parsed.message, offset: parsed.offset })
    looked.add(source.file)
    return parsed
  }
  const open = (file: string): Module | null => {
    const source = byFile.get(file)
    const parsed = source && read(source)
    return source && parsed?.ok ? moduleOf(source, parsed.program) : null
  }
  const knownModuleOf = (file: string): Module | null => {
    const known = modules.get(file)
    if (known !== undefined) return known
    const module = open(file)
    modules.set(file, module)
    return module
  }
  const configs = new Map<string, Module | null>()
  /** A file of a configuration that is no source has no other reader. */
  const configModuleOf = (source: Source): Module | null => {
    if (byFile.has(source.file)) return knownModuleOf(source.file)
    const known = configs.get(source.file)
    if (known !== undefined) return known
    const parsed = parse(source)
    const module = parsed.ok ? moduleOf(source, parsed.program) : null
    configs.set(source.file, module)
    return module
  }
  return {
    sources,
    moduleOf: knownModuleOf,
    look: (file) => {
      const source = byFile.get(file)
      if (source && !looked.has(file)) read(source)
    },
    resolve,
    versionOf,
    packageOf,
    manifestOf,
    functionEndMsOf,
    longestFunctionMsOf,
    azureMostMsOf,
    configOf: (file) => {
      const files = configOf(file)
      const defaults = files && configModuleOf(files.defaults)
      if (!defaults) return null
      const [production, environment] = [files.production, files.environment].map((source) => source && configModuleOf(source))
      return { defaults, production: production ?? null, environment: environment ?? null }
    },
    unparsed,
  }
}
