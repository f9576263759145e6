import { nameOf } from '../importers/target.js'
import type { Source } from '../model/sourced.js'
import { folderOf, foldersUp } from '../scan/lockfile/folder-path.js'
import { packageJsonOf } from './json-at.js'
import type { System } from './system.js'

/** What the code of some files is called, and how many packages it is of. */
export interface ServiceName {
  readonly name: string
  readonly packages: number
}

/** The service some source files belong to: the nearest package's name without its scope, else the name of their folder. */
export function serviceNameOf(sources: readonly Source[], system: System): ServiceName {
  const folders = [...new Set(sources.map(({ file }) => folderOf(file)))]
  const packages = new Set(folders.map((folder) => packageOf(folder, system)?.folder ?? null))
  const shared = folders.reduce(commonFolder, folders[0] ?? '')
  const found = packageOf(shared, system)
  const plain = found?.name.replace(/^@[^/]*\//, '') ?? lastName(shared === '' ? system.folders.identity('.') : shared)
  return { name: nameOf(plain), packages: packages.size }
}

function packageOf(folder: string, system: System): { readonly folder: string; readonly name: string } | null {
  for (const here of foldersUp(folder)) {
    const name = packageJsonOf(here, system.folders)?.['name']
    if (typeof name === 'string' && name !== '') return { folder: here, name }
  }
  return null
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function commonFolder(a: string, b: string): string {
  const [one, other] = [a.split('/'), b.split('/')]
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return one.slice(0, same).join('/')
}
