import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from './leftovers.js'

it('a lab removes what killed labs left, and nothing of those that run or of others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'))
  const names = [
    'sandglass-lab-999999999-abc',
    'sandglass-lab-999999999.sock',
    `sandglass-lab-${process.pid}-abc`,
    'something-999999999-else',
  ]
  mkdirSync(join(folder, names[0]!))
  for (const name of names.slice(1)) writeFileSync(join(folder, name), '')
  const made = temporaryFolder(folder)
  expect(names.map((name) => existsSync(join(folder, name)))).toEqual([false, false, true, true])
  expect(made).toContain(`sandglass-lab-${process.pid}-`)
  rmSync(folder, { recursive: true })
})
