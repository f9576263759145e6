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

test('what cucumber loads beside its steps is of tests, a part of a service that is called so is not', () => {
  const files = {
    'features/step_definitions/orders.js': `import { When } from '@cucumber/cucumber'\nimport { ask } from '../support/ask.js'\nimport { tax } from '../../src/features/support/tax.js'\nWhen('a', () => ask(tax))`,
    'features/support/ask.js': `export const ask = () => fetch('http://a')`,
    'src/features/support/tax.js': `export const tax = () => fetch('http://a')`,
  }
  expect(judged(files)).toEqual(['src/features/support/tax.js'])
})

test.each([
  `describe('orders', () => { it('asks', async () => {}) })`,
  `describe.skip('orders', function () {})`,
  `it.each([1, 2])('asks %s', async (n) => {})`,
  `test(\`asks\`, () => {}, 5000)`,
  `beforeAll(async () => {})`,
])('what describes tests at its top is one, whatever its name: %s', (text) => {
  expect(judged({ 'src/orders/index.js': `${CALL}\n${text}` })).toEqual([])
})

test.each([
  `import { describe } from '../log'\ndescribe('orders', () => {})`,
  `const it = (name, of) => of()\nit('asks', () => {})`,
  `export const run = () => { describe('orders', () => {}) }`,
  `describe('orders', { level: 1 })`,
  `it(() => {})`,
])('names of its own, or what others call, describe none: %s', (text) => {
  expect(judged({ 'src/orders/index.js': `${CALL}\n${text}` })).toEqual(['src/orders/index.js'])
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
