import { expect, test } from 'vitest'
import { projectInput } from '../scan.fixture.js'
import { type ScanOptions, scanSources } from '../scan-sources.js'

const CALL = `await fetch('http://a')`

function judged(files: Record<string, string>, options: ScanOptions = {}): string[] {
  return scanSources(projectInput({ files }), options)
    .calls.map(({ spot }) => spot.source.file)
    .toSorted()
}

test.each([
  `import { expect } from 'vitest'\nexpect(1)`,
  `import request from 'supertest'\nrequest()`,
  `const nock = require('nock')\nnock('http://a')`,
  `import { GenericContainer } from 'testcontainers'\nnew GenericContainer('a')`,
  `import { http } from 'msw/node'\nhttp()`,
  `import { expect } from 'chai'\ndescribe('a', () => { expect(1) })`,
  `import test from 'node:test'\ntest()`,
])('what imports a library of tests is one: %s', (text) => {
  expect(judged({ 'checks/orders.ts': `${text}\n${CALL}` })).toEqual([])
})

test.each([
  `import type { Mock } from 'vitest'\nexport type A = Mock`,
  `import { Mock } from 'vitest'\nexport const a = (mock: Mock) => mock`,
  `import { expect } from 'chai'\nexport const sandbox = { expect }`,
  `export const rehearse = () => { const nock = require('nock'); nock('http://a') }`,
])('what only names one, or loads it for some, is none: %s', (text) => {
  expect(judged({ 'src/orders.ts': `${text}\n${CALL}` })).toEqual(['src/orders.ts'])
})

test('what stands beside it and only it imports is of tests too, what something else passes on or starts is not', () => {
  const files = {
    'src/orders/probe.ts': `import { expect } from 'vitest'\nimport { ask } from './ask'\nimport { given } from './given'\nimport { list } from '../list'\nimport './server'\nexpect([ask, given, list])`,
    'src/orders/ask.ts': `import { deeper } from './deep/deeper'\nexport const ask = () => fetch('http://a' + deeper)`,
    'src/orders/deep/deeper.ts': `export const deeper = () => fetch('http://a')`,
    'src/orders/given.ts': `export const given = () => fetch('http://a')`,
    'src/orders/index.ts': `export * from './given'`,
    'src/orders/server.ts': CALL,
    'src/list.ts': `export const list = () => fetch('http://a')`,
  }
  expect(judged(files)).toEqual(['src/list.ts', 'src/orders/given.ts', 'src/orders/server.ts'])
  expect(judged(files, { isJudgedAnyway: () => true })).toHaveLength(5)
})

test('a package of tests is known by its name, or by what its scripts do', () => {
  const of = (manifest: object) => judged({ 'apps/shop/package.json': JSON.stringify(manifest), 'apps/shop/src/a.ts': CALL })
  expect(of({ name: '@acme/shop-e2e' })).toEqual([])
  expect(of({ name: 'shop-test-utils' })).toEqual([])
  expect(of({ name: '@acme/shop', scripts: { test: 'playwright test', ui: 'npx playwright test --ui' } })).toEqual([])
  expect(of({ name: '@acme/speed-test' })).toHaveLength(1)
  expect(of({ name: '@acme/shop', scripts: { test: 'vitest' } })).toHaveLength(1)
  expect(of({ name: '@acme/shop', main: 'src/a.ts', scripts: { test: 'playwright test' } })).toHaveLength(1)
  expect(of({ name: '@acme/shop', scripts: { start: 'node src/a.js', test: 'playwright test' } })).toHaveLength(1)
})
