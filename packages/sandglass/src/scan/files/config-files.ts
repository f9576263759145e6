import { load } from 'js-yaml'
import type { Source } from '../../model/sourced.js'
import { readYaml, type YamlNode } from '../../model/yaml-tree.js'
import { folderOf, foldersUp } from '../lockfile/folder-path.js'

/** The files from which the npm package `config` reads, as code. */
export interface ConfigFiles {
  readonly defaults: Source
  readonly production: Source | null
  /** Which variables of the environment win over them. */
  readonly environment: Source | null
}

/** Aliases may make as much of a few lines as no configuration has. */
const MAX_NODES = 50_000
const ENDS = ['ts', 'js', 'cjs', 'mjs', 'json', 'json5', 'yaml', 'yml']

/**
 * Tells from which files the npm package `config` reads for a file: those of the nearest folder `config` beside or above it. Null where there is none,
 * and where nobody can follow what it says: a file that cannot be read, or several of one name in different forms, each of which wins over others.
 */
export function configFiles(textOf: (file: string) => string | null): (file: string) => ConfigFiles | null {
  const known = new Map<string, ConfigFiles | 'unclear' | null>()
  const read = (folder: string, name: string): Source | 'unclear' | null => {
    const texts = ENDS.flatMap((end) => {
      const file = join(folder, `config/${name}.${end}`)
      const text = textOf(file)
      return text === null ? [] : [{ file, text }]
    })
    const [first, ...others] = texts
    if (!first) return null
    return others.length > 0 ? 'unclear' : (asCode(first.file, first.text) ?? 'unclear')
  }
  const readIn = (folder: string): ConfigFiles | 'unclear' | null => {
    const defaults = read(folder, 'default')
    if (defaults === null || defaults === 'unclear') return defaults
    const [production, environment] = [read(folder, 'production'), read(folder, 'custom-environment-variables')]
    return production === 'unclear' || environment === 'unclear' ? 'unclear' : { defaults, production, environment }
  }
  const filesIn = (folder: string): ConfigFiles | 'unclear' | null => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const files = readIn(folder)
    known.set(folder, files)
    return files
  }
  return (file) => {
    for (const folder of foldersUp(folderOf(file))) {
      const files = filesIn(folder)
      if (files !== null) return files === 'unclear' ? null : files
    }
    return null
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

const sizeOf = (node: YamlNode) => (node.kind === 'scalar' ? 1 : node.size)

/** JSON is what an assignment in a module may hold; YAML says the same in other letters. */
function asCode(file: string, text: string): Source | null {
  if (/\.json5?$/.test(file)) return { file, text: `module.exports = ${text}`, isCode: true }
  if (!/\.ya?ml$/.test(file)) return { file, text, isCode: true }
  const tree = readYaml({ file, text })
  if (!tree.ok) return null
  if (tree.root === null) return { file, text: 'module.exports = {}', isCode: true }
  if (sizeOf(tree.root) > MAX_NODES) return null
  try {
    return { file, text: `module.exports = ${JSON.stringify(load(text) ?? {}, null, 2)}`, isCode: true }
  } catch {
    return null
  }
}
