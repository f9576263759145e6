import { describe, expect, test } from 'vitest'
import { placeOf } from '../../src/model/sourced.js'
import { allModels } from '../../src/scan/models/all-models.js'
import { scanTexts } from '../../src/scan/scan.fixture.js'
import { allCases } from './all-cases.js'
import type { ClientCase } from './client-case.js'

const known = new Set(allModels.map(({ id }) => id))
const cases = allCases.filter(({ library, isOnlyMeasured = false }) => known.has(library) && !isOnlyMeasured)

/** Measured otherwise than the model says. A model that is put right must leave this list: its test fails while it is here. */
const owed: ReadonlySet<string> = new Set(['fetch: race with a timer that begins after the fetch'])

describe('what a model says of a call is what was measured', () => {
  for (const each of cases) (owed.has(each.name) ? test.fails : test)(each.name, () => agrees(each))
})

function agrees(each: ClientCase) {
  const call = scannedAt(each)
  expect({ library: call?.library, outcome: call?.outcome }).toEqual({ library: each.library, outcome: each.expected })
  const worst = each.worstMs ?? null
  if (worst !== null && each.expected.state === 'bounded') {
    const [least, most] = typeof worst === 'number' ? [worst, worst] : worst
    expect(call?.worstMs).toBeGreaterThanOrEqual(least)
    expect(call?.worstMs).toBeLessThanOrEqual(most)
  }
}

function scannedAt({ code, packages }: ClientCase) {
  const line = code.split('\n').findIndex((text) => text.includes('// measured')) + 1
  const versions = Object.fromEntries(packages.map((name) => [name.slice(0, name.lastIndexOf('@')), name.slice(name.lastIndexOf('@') + 1)]))
  const { calls } = scanTexts({ files: { 'case.mjs': code }, versions: { node: '20.20.2', ...versions } })
  return calls.find(({ spot }) => placeOf(spot).line === line)
}
