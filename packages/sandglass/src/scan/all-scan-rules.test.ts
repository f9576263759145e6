import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { allScanRules } from './all-scan-rules.js'

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url))

describe('the rules of scan', () => {
  test('are all in the list, by the names of their files', () => {
    const files = readdirSync(folder('./rules/')).flatMap((name) => /^([a-z-]+)\.ts$/.exec(name)?.[1] ?? [])
    expect(allScanRules.map(({ id }) => id).toSorted()).toEqual(files.toSorted())
  })

  test('have every id that the models of libraries give to a finding', () => {
    const texts = readdirSync(folder('./models/'))
      .filter((name) => !name.includes('.test.'))
      .map((name) => readFileSync(folder(`./models/${name}`), 'utf8'))
    const used = new Set(texts.flatMap((text) => [...text.matchAll(/\brule: '([a-z-]+)'/g)].map(([, id]) => id)))
    expect(used.size).toBeGreaterThan(2)
    expect([...used].filter((id) => !allScanRules.some((rule) => rule.id === id))).toEqual([])
  })
})
