import { describe, expect, it } from 'vitest'
import { allImporters } from '../../src/importers/all-importers.js'
import { importOnce } from './import-once.js'
import { importRound } from './import-round.js'
import { importSeeds } from './import-seeds.js'
import { randomFrom } from './mutate.js'

const LONGEST_MS = 500
const ROUNDS = 150
/** CPU time of one round: what grows faster than its texts takes more. */
const MOST_CPU_MS = 5000

const seeds = importSeeds()

describe.each(allImporters.map(({ format }) => format))('mutations of %s', (format) => {
  it('are imported, linked, written, read back and checked without an exception', () => {
    expect(seeds.get(format)?.length, 'texts to mutate: a test of the importer with a text, or a file among the samples').toBeGreaterThan(0)
    const random = randomFrom(20_261_130)
    const endAt = performance.now() + LONGEST_MS
    let imported = 0
    for (let round = 0; round < ROUNDS && (performance.now() < endAt || imported === 0); round++) {
      const sources = importRound(format, seeds, random)
      const before = process.cpuUsage()
      try {
        if (importOnce(format, sources) === 'imported') imported++
      } catch (error) {
        throw new Error(`round ${round} throws; the texts are\n${sources.map(({ file, text }) => `--- ${file}\n${text}`).join('\n')}`, {
          cause: error,
        })
      }
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1000, `round ${round}`).toBeLessThan(MOST_CPU_MS)
    }
    expect(imported).toBeGreaterThan(0)
  })
})
