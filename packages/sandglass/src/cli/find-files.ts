import type { NotRead } from '../report/check-report.js'
import { wildcardMatches } from '../report/wildcard.js'
import type { Folders } from './folders.js'
import { reasonOf } from './read-text.js'

/** Files below a folder, and the folders that could not be looked into. */
export interface Found {
  readonly files: readonly string[]
  readonly notRead: readonly NotRead[]
}

const MAX_ENTRIES = 200_000
const MAX_DEPTH = 40

/** True for a pattern that stands for more than one name. */
export function isPattern(path: string): boolean {
  return /[*?]/.test(path)
}

/** `a/./b/../c` as `a/c`; a leading `..` stays. */
export function tidyPath(path: string): string {
  const parts: string[] = []
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '.' || part === '') continue
    const last = parts[parts.length - 1]
    if (part === '..' && last !== undefined && last !== '..') parts.pop()
    else parts.push(part)
  }
  const tidy = parts.join('/')
  return path.startsWith('/') ? `/${tidy}` : tidy === '' ? '.' : tidy
}

/** A path as it stands in a file, seen from where the program runs. */
export function besideFile(file: string, path: string): string {
  if (path.startsWith('/')) return tidyPath(path)
  const slash = file.lastIndexOf('/')
  return tidyPath(slash < 0 ? path : `${file.slice(0, slash + 1)}${path}`)
}

/** The files that a pattern names: `*` and `?` within one name, `**` for any folders; hidden ones and node_modules only where they are named. */
export function findFiles(pattern: string, folders: Folders): Found {
  const parts = tidyPath(pattern).split('/')
  const fixed = parts.findIndex(isPattern)
  const root = parts.slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '.')
  return walk(root, parts.slice(fixed), folders)
}

/** The chain files in a folder and below it: `sandglass.yaml`, `sandglass.yml` and `<name>.sandglass.yaml`. */
export function chainFilesIn(folder: string, folders: Folders): Found {
  const names = ['sandglass.yaml', 'sandglass.yml', '*.sandglass.yaml', '*.sandglass.yml'].map((name) =>
    walk(folder, ['**', name], folders),
  )
  const notRead = names[0]?.notRead ?? []
  return { files: [...new Set(names.flatMap(({ files }) => files))].sort(), notRead }
}

/** A folder still to be looked into, with the parts of the pattern that its names must match. */
interface Place {
  readonly folder: string
  readonly parts: readonly string[]
  readonly depth: number
}

function walk(root: string, pattern: readonly string[], folders: Folders): Found {
  const files = new Set<string>()
  const notRead: NotRead[] = []
  const places: Place[] = [{ folder: root, parts: pattern, depth: 0 }]
  let seen = 0
  for (let place = places.pop(); place; place = places.pop()) {
    const names = listed(place.folder, folders, notRead)
    seen += names.length
    if (seen > MAX_ENTRIES) {
      notRead.push({ file: place.folder, why: `more than ${MAX_ENTRIES} files and folders; name a smaller folder` })
      break
    }
    for (const name of names) enter(name, place, places, files)
  }
  return { files: [...files].sort(), notRead }
}

function enter(name: string, { folder, parts, depth }: Place, places: Place[], files: Set<string>): void {
  const [first = '', ...rest] = parts
  const isFolder = name.endsWith('/')
  const plain = isFolder ? name.slice(0, -1) : name
  const path = folder === '.' ? plain : `${folder === '/' ? '' : folder}/${plain}`
  if (first === '**') {
    if (rest.length > 0) enter(name, { folder, parts: rest, depth }, places, files)
    else if (!isFolder && !isHidden(plain)) files.add(path)
    if (isFolder && !isHidden(plain) && depth < MAX_DEPTH) places.push({ folder: path, parts, depth: depth + 1 })
    return
  }
  if (!wildcardMatches(first, plain) || (isHidden(plain) && isPattern(first))) return
  if (rest.length === 0 && !isFolder) files.add(path)
  if (rest.length > 0 && isFolder) places.push({ folder: path, parts: rest, depth: depth + 1 })
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function listed(folder: string, folders: Folders, notRead: NotRead[]): readonly string[] {
  try {
    return folders.list(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    notRead.push({ file: folder, why: `cannot be read: ${reasonOf(error)}` })
    return []
  }
}
