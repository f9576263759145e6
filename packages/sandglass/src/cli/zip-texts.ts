import { inflateRawSync } from 'node:zlib'
import type { Source } from '../model/sourced.js'

/** What an archive may hold: files, bytes of one, and bytes of all (a small archive can hold a huge text). */
const MAX_ENTRIES = 5_000
const MAX_ENTRY_BYTES = 2 * 1024 * 1024
const MAX_BYTES = 32 * 1024 * 1024

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30

/**
 * The texts in a zip archive as `archive.zip!/folder/name`; null where it is none. What is encrypted, too large or no text is left out; where
 * there is more than is looked at, `onCut` is told.
 */
export function zipTexts(file: string, bytes: Uint8Array, onCut: (why: string) => void = () => {}): readonly Source[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  if (end === null) return null
  const texts: Source[] = []
  let total = 0
  let at = view.getUint32(end + 16, true)
  const all = view.getUint16(end + 10, true)
  const count = Math.min(all, MAX_ENTRIES)
  if (all > count)
    onCut(`${all - count} of the ${all} files in it: at most ${MAX_ENTRIES} are looked at; unpack it and name a smaller folder`)
  for (let index = 0; index < count; index++) {
    const entry = entryAt(view, at)
    if (!entry) break
    const text = textOf(entry, bytes, view)
    total += text?.length ?? 0
    if (total > MAX_BYTES) {
      onCut(`more than ${MAX_BYTES / 1024 / 1024} MB of text in it; unpack it and name a smaller folder`)
      break
    }
    if (text !== null) texts.push({ file: `${file}!/${entry.name}`, text, isConfig: true })
    at = entry.next
  }
  return texts
}

/** The end record, from the back; a comment may stand behind it. */
function endOf(view: DataView): number | null {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) if (view.getUint32(at, true) === END) return at
  return null
}

interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly packedBytes: number
  readonly bytes: number
  readonly local: number
  /** Where the next entry of the directory begins. */
  readonly next: number
}

function entryAt(view: DataView, at: number): ZipEntry | null {
  if (at + CENTRAL_BYTES > view.byteLength || view.getUint32(at, true) !== CENTRAL) return null
  const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true)
  if (nameEnd > view.byteLength) return null
  const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + CENTRAL_BYTES, nameEnd - at - CENTRAL_BYTES))
  return {
    name: name
      .split('/')
      .filter((part) => part !== '' && part !== '.' && part !== '..')
      .join('/'),
    method: view.getUint16(at + 10, true),
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    local: view.getUint32(at + 42, true),
    next: nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true),
  }
}

function textOf({ isEncrypted, bytes: size, packedBytes, method, local }: ZipEntry, bytes: Uint8Array, view: DataView): string | null {
  if (isEncrypted || size > MAX_ENTRY_BYTES || local + LOCAL_BYTES > bytes.length || view.getUint32(local, true) !== LOCAL) return null
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = bytes.subarray(start, start + packedBytes)
  try {
    const plain = method === 0 ? packed : method === 8 ? inflateRawSync(packed, { maxOutputLength: MAX_ENTRY_BYTES }) : null
    return plain && !plain.includes(0) ? new TextDecoder('utf-8', { fatal: true }).decode(plain) : null
  } catch {
    return null
  }
}
