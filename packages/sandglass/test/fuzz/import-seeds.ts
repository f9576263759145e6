import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allImporters } from '../../src/importers/all-importers.js'
import type { Source } from '../../src/model/sourced.js'

/** Names under which configs are tried where the test they stand in gives none. */
const NAMES = [
  'app.yaml',
  'app.json',
  'app.conf',
  'app.cfg',
  'app.ini',
  'app.properties',
  'app.xml',
  'app.toml',
  'app.sql',
  'app.py',
  'Procfile',
  'Dockerfile',
]
const SHORTEST = 25
const LONGEST = 20_000

/**
 * Texts of each format: those of the samples beside this file, and every text that the importers' own tests hold, so that a
 * format is mutated from the day it has a test.
 */
export function importSeeds(): ReadonlyMap<string, readonly Source[]> {
  const seeds = new Map<string, Source[]>(allImporters.map(({ format }) => [format, []]))
  const add = (source: Source) => {
    let isTaken = false
    for (const { format, accepts, unpack } of allImporters)
      if (accepts(source) || (unpack?.(source).length ?? 0) > 0) {
        seeds.get(format)?.push(source)
        isTaken = true
      }
    return isTaken
  }
  const folder = fileURLToPath(new URL('samples', import.meta.url))
  for (const file of filesBelow(folder)) add({ file: relative(folder, file), text: readFileSync(file, 'utf8') })
  const importers = fileURLToPath(new URL('../../src/importers', import.meta.url))
  for (const file of filesBelow(importers).filter((name) => name.endsWith('.test.ts'))) {
    const literals = literalsOf(readFileSync(file, 'utf8'))
    const names = [...literals.filter((text) => /^[\w./-]*\.[a-z]{2,10}$/.test(text) && !text.startsWith('.')), ...NAMES]
    for (const text of new Set(literals))
      if (text.length >= SHORTEST && text.length <= LONGEST) names.some((name) => add({ file: name, text }))
  }
  return seeds
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? filesBelow(path) : [path]
    })
}

/** The strings of a test, with something in the place of what they are filled with. */
function literalsOf(code: string): readonly string[] {
  return [...code.matchAll(/`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'/gs)].map(([, template, quoted]) =>
    (template ?? quoted ?? '')
      .replace(/\$\{[^}]*\}/g, '1s')
      .replaceAll('\\n', '\n')
      .replace(/\\(.)/g, '$1'),
  )
}
