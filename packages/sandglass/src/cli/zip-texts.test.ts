import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nacosTexts } from './found-by-content.js'
import { zipTexts } from './zip-texts.js'

interface Packed {
  readonly name: string
  readonly bytes: Uint8Array
  readonly method?: 0 | 8
  readonly flags?: number
  /** What the directory says of the size. */
  readonly size?: number
}

/** An archive as `zip` writes it: a header before each file, and a directory at the end. */
function zip(files: readonly Packed[], comment = ''): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, bytes, method = 8, flags = 0, size } of files) {
    const packed = method === 8 ? new Uint8Array(deflateRawSync(bytes)) : bytes
    const title = new TextEncoder().encode(name)
    const local = new DataView(new ArrayBuffer(30))
    local.setUint32(0, 0x04034b50, true)
    local.setUint16(26, title.length, true)
    const central = new DataView(new ArrayBuffer(46))
    central.setUint32(0, 0x02014b50, true)
    central.setUint16(8, flags, true)
    central.setUint16(10, method, true)
    central.setUint32(20, packed.length, true)
    central.setUint32(24, size ?? bytes.length, true)
    central.setUint16(28, title.length, true)
    central.setUint32(42, at, true)
    const whole = [new Uint8Array(local.buffer), title, packed]
    parts.push(...whole)
    directory.push(new Uint8Array(central.buffer), title)
    at += whole.reduce((sum, part) => sum + part.length, 0)
  }
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(10, files.length, true)
  end.setUint32(16, at, true)
  const all = [...parts, ...directory, new Uint8Array(end.buffer), new TextEncoder().encode(comment)]
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of all) {
    out.set(part, offset)
    offset += part.length
  }
  return out
}

const text = (name: string, content: string, more: Partial<Packed> = {}): Packed => ({
  name,
  bytes: new TextEncoder().encode(content),
  ...more,
})

describe('texts of an archive', () => {
  it('are those that are packed in it, stored or deflated, whatever comment stands behind', () => {
    const bytes = zip([text('G/a.yml', 'a: 1\n'.repeat(100)), text('G/b.yml', 'ü: 2', { method: 0 })], 'a comment')
    expect(zipTexts('x.zip', bytes)).toEqual([
      { file: 'x.zip!/G/a.yml', text: 'a: 1\n'.repeat(100), isConfig: true },
      { file: 'x.zip!/G/b.yml', text: 'ü: 2', isConfig: true },
    ])
  })

  it('leave out what is encrypted, no text, or larger than it says', () => {
    const bytes = zip([
      text('G/encrypted.yml', 'x', { flags: 1 }),
      { name: 'G/binary', bytes: Uint8Array.of(1, 0, 2) },
      { name: 'G/latin', bytes: Uint8Array.of(0xfc) },
      text('G/bomb.yml', ' '.repeat(3 * 1024 * 1024), { size: 10 }),
      text('../../G/plain.yml', 'y'),
    ])
    expect(zipTexts('x.zip', bytes)?.map(({ file }) => file)).toEqual(['x.zip!/G/plain.yml'])
  })

  it('of anything else are none', () => {
    expect(zipTexts('x.zip', new TextEncoder().encode('PK no archive'))).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(180), (noise, from) => {
        const bytes = zip([text('G/a.yml', 'a')])
        bytes.set(noise.subarray(0, Math.max(0, bytes.length - from)), Math.min(from, bytes.length))
        expect(() => zipTexts('x.zip', bytes)).not.toThrow()
      }),
    )
  })
})

describe('an archive of Nacos', () => {
  it('says how many files are too many', () => {
    const bytes = new TextEncoder().encode('a: 1\n')
    const many = Array.from({ length: 5_002 }, (_, at) => ({ name: `DEFAULT_GROUP/${at}.yml`, bytes, method: 0 as const }))
    const said: string[] = []
    expect(nacosTexts('x.zip', zip(many), (why) => said.push(why))).toHaveLength(5_000)
    expect(said).toEqual(['2 of the 5002 files in it: at most 5000 are looked at; unpack it and name a smaller folder'])
    nacosTexts('x.zip', zip(many.slice(2)), (why) => said.push(why))
    expect(said).toHaveLength(1)
  })

  it('is known by its description or by how groups are called, and holds data IDs in groups', () => {
    const ids = (...files: readonly Packed[]) => nacosTexts('x.zip', zip(files))?.map(({ file }) => file)
    expect(ids(text('.metadata.yml', 'metadata: []'), text('shop/a.yml', 'a: 1'))).toEqual(['x.zip!/shop/a.yml'])
    expect(ids(text('DEFAULT_GROUP/sentinel-shop', '[]'))).toEqual(['x.zip!/DEFAULT_GROUP/sentinel-shop'])
    expect(ids(text('src/a.yml', 'a: 1'))).toBeUndefined()
  })
})
