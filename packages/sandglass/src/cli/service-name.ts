import { nameOf } from '../importers/target.js'
import type { Source } from '../model/sourced.js'
import { isFoundFile } from './look-at.js'
import type { System } from './system.js'

/** What the code of some files is called, and how many packages it is of. */
export interface ServiceName {
  readonly name: string
  readonly packages: number
}

const MAX_MANIFEST_BYTES = 1_000_000

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
  for (let here = folder; ; here = folderOf(here)) {
    const name = nameIn(`${here === '' ? '' : `${here}/`}package.json`, system)
    if (name !== null) return { folder: here, name }
    if (here === '') return null
  }
}

function nameIn(file: string, system: System): string | null {
  try {
    if (!isFoundFile(file, system.folders)) return null
    const manifest: unknown = JSON.parse(new TextDecoder().decode(system.folders.read(file, MAX_MANIFEST_BYTES)))
    const name = typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest.name : null
    return typeof name === 'string' && name !== '' ? name : null
  } catch {
    return null
  }
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
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
