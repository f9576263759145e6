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

/** Tells from which files the npm package `config` reads for a file: those of the nearest folder `config` beside or above it; null where there is none. */
export function configFiles(textOf: (file: string) => string | null): (file: string) => ConfigFiles | null {
  const known = new Map<string, ConfigFiles | null>()
  const filesIn = (folder: string): ConfigFiles | null => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const all = (name: string) => ENDS.flatMap((end) => sourceAt(join(folder, `config/${name}.${end}`)) ?? [])
    const read = (name: string) => all(name)[0] ?? null
    const sourceAt = (file: string): Source | null => {
      const text = textOf(file)
      return text === null ? null : asCode(file, text)
    }
    const defaults = read('default')
    // Of several in different forms each wins over others: nobody follows that.
    const isOne = ['default', 'production'].every((name) => all(name).length < 2)
    const files = defaults && isOne && { defaults, production: read('production'), environment: read('custom-environment-variables') }
    known.set(folder, files || null)
    return files || null
  }
  return (file) => {
    for (const folder of foldersUp(folderOf(file))) {
      const files = filesIn(folder)
      if (files) return files
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
  if (!tree.ok || tree.root === null || sizeOf(tree.root) > MAX_NODES) return null
  try {
    return { file, text: `module.exports = ${JSON.stringify(load(text) ?? {}, null, 2)}`, isCode: true }
  } catch {
    return null
  }
}
