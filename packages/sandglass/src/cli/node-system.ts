import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Entry, Folders } from './folders.js'
import type { GitFile, Output, System } from './system.js'

const folders: Folders = {
  look,
  read,
  list: (path) =>
    readdirSync(path, { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort(),
  write(path, text) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  },
  identity(path) {
    try {
      return realpathSync(path)
    } catch {
      return resolve(path)
    }
  },
}

function look(path: string): Entry | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return null
  if (stat.isDirectory()) return { kind: 'folder' }
  // Node's realpath looks at the last stat of anybody and stops where that was a pipe or a socket: links in modules' paths stay unresolved.
  if (stat.isFIFO() || stat.isSocket()) statSync('/')
  if (stat.isFIFO()) return { kind: 'file', size: stat.size, isPipe: true }
  return stat.isFile() ? { kind: 'file', size: stat.size } : { kind: 'other' }
}

const FIRST_BUFFER_BYTES = 16 * 1024

/** A pipe has no size that could be looked at first. */
function read(path: string, most: number): Uint8Array {
  const handle = openSync(path, 'r')
  try {
    // Most files are small: a large buffer for each of thousands takes longer than reading them.
    let bytes: Uint8Array = new Uint8Array(FIRST_BUFFER_BYTES)
    let size = 0
    while (size <= most) {
      if (size === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
      const count = readSync(handle, bytes, size, Math.min(bytes.length, most + 1) - size, null)
      if (count === 0) break
      size += count
    }
    return bytes.subarray(0, size)
  } finally {
    closeSync(handle)
  }
}

/** The process this runs in; `packageFile` is where its version stands. */
export function nodeSystem(packageFile: URL): System {
  const version = () => (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
  return { env: process.env, version, stdout: outputOf(process.stdout), stderr: outputOf(process.stderr), folders, readStdin, gitShow }
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return { isTerminal: stream.isTTY === true, columns: stream.isTTY ? stream.columns : null, write: (text) => void stream.write(text) }
}

async function readStdin(most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}

function gitShow(revision: string, path: string, most: number): GitFile {
  // What begins with a dash would be an option.
  if (revision.startsWith('-')) return { ok: false, reason: `"${revision}" is no revision` }
  // Loaded here, because nearly no run needs it and every start would pay for it.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout, stderr, error } = spawnSync('git', ['cat-file', 'blob', `${revision}:${path}`], { maxBuffer: most + 1 })
  if (status === 0 && !error) return { ok: true, bytes: stdout }
  const code = error && 'code' in error ? error.code : null
  if (code === 'ENOBUFS') return { ok: false, reason: `more than ${Math.floor(most / 1024 / 1024)} MB` }
  if (code === 'ENOENT') return { ok: false, reason: 'git could not be started; is it installed?' }
  const said = stderr?.toString().trim().split('\n').at(-1) ?? ''
  return { ok: false, reason: said === '' ? 'git gave nothing' : `git says: ${said.replace(/^fatal: /, '')}` }
}
