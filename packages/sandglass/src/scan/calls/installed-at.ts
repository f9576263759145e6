import type { LibraryModel, Site } from '../models/library-model.js'
import type { Module } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'

const rootOf = (name: string) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name))

/** The installed package of a library as the files that lead to it get it, the one that imports it first: the one it is taken from, else what they import, where it has several, and no other one where they import that; of what the runtime gives Node's. */
export function installedAt(
  model: LibraryModel,
  modules: readonly Module[],
  { project }: Evaluator,
  takenFrom: string | null,
): Pick<Site, 'packageName' | 'version'> {
  const all = model.packages.map((name) => (name === 'global' || name.startsWith('node:') ? 'node' : rootOf(name)))
  // What Nest wraps a library in has versions of its own.
  const plain = all.filter((name) => !name.startsWith('@nestjs/'))
  const names = plain.length > 0 ? plain : all
  for (const { source, requests } of modules) {
    const imported = [...(takenFrom === null ? [] : [takenFrom]), ...requests]
      .map(rootOf)
      .filter((name) => names.some((each) => isNameOf(each, name)))
    for (const name of imported.length > 0 ? imported : names) {
      const version = project.versionOf(name, source.file)
      if (version !== null) return { packageName: name, version }
    }
  }
  return { packageName: null, version: null }
}

function isNameOf(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}
