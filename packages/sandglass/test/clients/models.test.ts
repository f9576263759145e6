import { describe, expect, test } from 'vitest'
import { placeOf } from '../../src/model/sourced.js'
import { allModels } from '../../src/scan/all-models.js'
import { scanTexts } from '../../src/scan/scan.fixture.js'
import { allCases } from './all-cases.js'
import type { ClientCase } from './client-case.js'

const known = new Set(allModels.map(({ id }) => id))
const cases = allCases.filter(({ library }) => known.has(library))

describe('what a model says of a call is what was measured', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    const call = scannedAt(each)
    expect({ library: call?.library, outcome: call?.outcome }).toEqual({ library: each.library, outcome: each.expected })
    const worst = each.worstMs ?? null
    if (worst !== null && each.expected.state === 'bounded') {
      const [least, most] = typeof worst === 'number' ? [worst, worst] : worst
      expect(call?.worstMs).toBeGreaterThanOrEqual(least)
      expect(call?.worstMs).toBeLessThanOrEqual(most)
    }
  })
})

function scannedAt({ code, packages }: ClientCase) {
  const line = code.split('\n').findIndex((text) => text.includes('// measured')) + 1
  const versions = Object.fromEntries(packages.map((name) => [name.slice(0, name.lastIndexOf('@')), name.slice(name.lastIndexOf('@') + 1)]))
  const { calls } = scanTexts({ files: { 'case.mjs': code }, versions: { node: '20.20.2', ...versions } })
  return calls.find(({ spot }) => placeOf(spot).line === line)
}
