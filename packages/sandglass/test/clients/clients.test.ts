import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allCases } from './all-cases.js'
import { serverCases } from './cases/server-cases.js'
import { clientsPage, PAGE } from './clients-page.js'
import { packagesOf } from './installed-clients.js'
import { judge, kindProblems } from './judge.js'
import type { Measured } from './measure.js'
import { judgeServer } from './measure-server.js'

const manifest = readFileSync(new URL('package.json', import.meta.url), 'utf8')

describe('the cases of the client libraries', () => {
  test('have names of their own', () => {
    const names = allCases.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('mark the line of one call, and export run', () => {
    const marks = ({ code }: { code: string }) => code.split('// measured\n').length - 1
    expect(allCases.filter((one) => marks(one) !== 1 || !/export (const|async function|function) run\b/.test(one.code))).toEqual([])
  })

  test('name packages that the lock folder has', () => {
    const installed = new Set(packagesOf(manifest).map(({ name, version }) => `${name}@${version}`))
    expect(allCases.flatMap(({ packages }) => packages).filter((each) => !installed.has(each))).toEqual([])
  })

  test('claim no kind of limit that what they say of the peers denies', () => {
    expect(allCases.flatMap((one) => kindProblems(one).map((problem) => `${one.name}: ${problem}`))).toEqual([])
  })
})

test('a package under another name is found by its own name and version', () => {
  const dependencies = { axios: '1.21.1', 'redis-4': 'npm:redis@4.7.1', 'es-8': 'npm:@elastic/elasticsearch@8.19.2' }
  expect(packagesOf(JSON.stringify({ dependencies }))).toEqual([
    { folder: 'axios', name: 'axios', version: '1.21.1' },
    { folder: 'redis-4', name: 'redis', version: '4.7.1' },
    { folder: 'es-8', name: '@elastic/elasticsearch', version: '8.19.2' },
  ])
})

describe('the cases of servers', () => {
  test('have names of their own, mark one line, export the server, and name packages that the lock folder has', () => {
    const installed = new Set(packagesOf(manifest).map(({ name, version }) => `${name}@${version}`))
    expect(new Set(serverCases.map(({ name }) => name)).size).toBe(serverCases.length)
    expect(serverCases.filter(({ code }) => code.split('// measured\n').length !== 2 || !code.includes('export const server'))).toEqual([])
    expect(serverCases.flatMap(({ packages }) => packages).filter((each) => !installed.has(each))).toEqual([])
  })
})

test('docs/clients.md is what the cases say; `npm run clients -- --page` writes it', () => {
  const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8')
  expect(page).toBe(clientsPage(allCases, serverCases))
})

describe('judging a measurement of a server', () => {
  const one = serverCases.find(({ name }) => name === 'node http.Server: timeout')!
  const good = { listened: one.listened, idleMs: 6010, hangMs: 1005, latestMs: 0 }

  test('accepts what is as written, and refuses other limits and other ends', () => {
    expect(judgeServer(one, good)).toEqual([])
    expect(judgeServer(one, { ...good, listened: { ...one.listened, timeoutMs: 0 } })).toEqual(['timeoutMs is 0, not 1000'])
    expect(judgeServer(one, { ...good, idleMs: 5000 })).toEqual(['an idle connection ended after 5000 ms, not 6000'])
    expect(judgeServer(one, { ...good, hangMs: null })).toEqual(['a request that hangs was not ended, not after 1000 ms'])
  })
})

describe('judging a measurement', () => {
  const one = allCases.find(({ name }) => name === 'fetch: signal of a timeout')!
  const good: Measured = { mode: 'hang', end: 'rejects', ms: 310, latestMs: 0, words: '', attempts: 1, cancelsWork: true }
  const of = (change: Partial<Measured>) => judge(one, [{ ...good, ...change }], 1500)

  test('accepts what is as written', () => {
    expect(of({})).toEqual([])
  })

  test('refuses an end too early, too late, or none', () => {
    expect(of({ ms: 290 })).toEqual(['hang: ended after 290 ms, not 300'])
    expect(of({ ms: 430 })).toEqual(['hang: ended after 430 ms, not 300'])
    expect(of({ end: 'pending', ms: 1500 })).toContain('hang: pending at 1500 ms (), not rejects at 300')
  })

  test('forgives the lateness that a busy machine had', () => {
    expect(of({ ms: 430, latestMs: 50 })).toEqual([])
  })

  test('refuses another number of attempts, and work that goes on', () => {
    expect(of({ attempts: 2 })).toEqual(['hang: 2 attempts, not 1'])
    expect(of({ cancelsWork: false })).toEqual(['hang: the peer saw no close'])
  })
})
