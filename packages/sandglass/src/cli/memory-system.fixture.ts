import { tidyPath } from './find-files.js'
import type { Entry, Folders } from './folders.js'
import type { System } from './system.js'

/** A system of texts in memory, and what was written to it. */
export interface MemorySystem extends System {
  readonly files: Map<string, string>
  readonly said: { stdout: string; stderr: string }
}

/** A system for tests: nothing outside it is touched. */
export function memorySystem(texts: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}): MemorySystem {
  const files = new Map(Object.entries(texts))
  const said = { stdout: '', stderr: '' }
  return {
    files,
    said,
    env,
    version: () => '1.2.3',
    stdout: { isTerminal: false, columns: null, write: (text) => void (said.stdout += text) },
    stderr: { isTerminal: false, columns: null, write: (text) => void (said.stderr += text) },
    folders: foldersOf(files),
    gitShow(revision, path) {
      const text = files.get(`git ${revision}:${tidyPath(path)}`)
      return text === undefined ? { ok: false, reason: 'git says: no such path' } : { ok: true, bytes: new TextEncoder().encode(text) }
    },
    readStdin: () => Promise.resolve(new TextEncoder().encode(files.get('-') ?? '')),
  }
}

function foldersOf(files: Map<string, string>): Folders {
  const isFolder = (path: string) => path === '.' || [...files.keys()].some((file) => file.startsWith(`${path}/`))
  return {
    look(path): Entry | null {
      const text = files.get(tidyPath(path))
      if (text !== undefined) return { kind: 'file', size: text.length }
      return isFolder(tidyPath(path)) ? { kind: 'folder' } : null
    },
    read: (path) => new TextEncoder().encode(files.get(tidyPath(path)) ?? ''),
    list(path) {
      const prefix = path === '.' ? '' : `${path}/`
      const below = [...files.keys()].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length))
      return [...new Set(below.map((name) => (name.includes('/') ? name.slice(0, name.indexOf('/') + 1) : name)))].sort()
    },
    write: (path, text) => void files.set(tidyPath(path), text),
    identity: tidyPath,
  }
}
