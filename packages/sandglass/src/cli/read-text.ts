import type { Problem } from '../model/diagnostic.js'
import { nearest } from '../model/nearest.js'
import type { Source } from '../model/sourced.js'
import type { Folders } from './folders.js'
import { lookAt } from './look-at.js'

/** No file larger than this is read. */
export const MAX_FILE_BYTES: number = 32 * 1024 * 1024

/** The text of a file, or the one problem that stands against it. */
export type ReadText = { readonly ok: true; readonly source: Source } | { readonly ok: false; readonly problem: Problem }

/** Reads one file as UTF-8 text; whatever stands against it is a value. */
export function readText(file: string, folders: Folders): ReadText {
  try {
    const entry = folders.look(file)
    if (!entry)
      return refused(file, file.includes('\ufffd') ? 'its name is not UTF-8' : `there is no such file${nearestFile(file, folders)}`)
    if (entry.kind === 'folder') return refused(file, 'this is a folder; a file was expected')
    if (entry.kind === 'other') return refused(file, 'this is neither a file nor a folder')
    if (entry.size > MAX_FILE_BYTES) return refused(file, tooLarge(entry.size))
    return decoded(file, folders.read(file, MAX_FILE_BYTES))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error // ours, not the file system's
    return refused(file, `cannot be read: ${reasonOf(error)}`)
  }
}

/** Reads a file as {@link readText} does, but no named pipe, which could keep one waiting for ever; what a shell hands over (`/dev/fd/63`) is read. */
export function readStanding(file: string, folders: Folders): ReadText {
  const entry = lookAt(file, folders)
  const isPipe = entry?.kind === 'file' && entry.isPipe === true && !/^\/(dev|proc)\//.test(file)
  return isPipe ? refused(file, 'this is a pipe; a file was expected') : readText(file, folders)
}

/** Turns bytes into text, or says why they are none. */
export function decoded(file: string, bytes: Uint8Array): ReadText {
  if (bytes.length > MAX_FILE_BYTES) return refused(file, tooLarge(bytes.length))
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return refused(file, 'this is UTF-16; save the file as UTF-8 text')
  const zero = bytes.indexOf(0)
  if (zero >= 0) return refused(file, `byte ${zero} is zero: this is binary; a text in UTF-8 was expected`)
  try {
    return { ok: true, source: { file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) } }
  } catch {
    const { line, column } = firstBadByte(bytes)
    return {
      ok: false,
      problem: { file: `${file}:${line}:${column}`, spot: null, message: 'not valid UTF-8; save the file as UTF-8 text' },
    }
  }
}

/** Where decoding first fails: the text up to it decodes to the same bytes. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  const shown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const back = new TextEncoder().encode(shown)
  let at = 0
  while (at < bytes.length && bytes[at] === back[at]) at++
  const before = bytes.subarray(0, at)
  const lineStart = before.lastIndexOf(10) + 1
  let line = 1
  for (const byte of before) if (byte === 10) line++
  return { line, column: new TextDecoder().decode(before.subarray(lineStart)).length + 1 }
}

function tooLarge(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB; at most ${MAX_FILE_BYTES / 1024 / 1024} MB are read`
}

function refused(file: string, message: string): ReadText {
  return { ok: false, problem: { file, spot: null, message } }
}

/** ` (did you mean "chain.yaml"?)`, from the names beside it. */
function nearestFile(file: string, folders: Folders): string {
  const slash = file.lastIndexOf('/')
  const folder = slash < 0 ? '.' : slash === 0 ? '/' : file.slice(0, slash)
  try {
    const own = file.slice(slash + 1)
    const names = folders.list(folder).slice(0, 10_000)
    // A link that leads nowhere is among them itself.
    const others = names.map((name) => name.replace(/\/$/, '')).filter((name) => name !== own)
    const near = nearest(own, others)
    return near === null ? '' : ` (did you mean "${file.slice(0, slash + 1)}${near}"?)`
  } catch {
    return ''
  }
}

/** An error of the file system in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a part of the path is a file, not a folder'
  if (code === 'ELOOP') return 'its links go in a circle'
  if (code === 'ENAMETOOLONG') return 'the name is too long'
  if (code === 'EROFS') return 'the file system is read-only'
  if (code === 'ENOSPC') return 'the disk is full'
  return code === '' ? String(error) : code
}
