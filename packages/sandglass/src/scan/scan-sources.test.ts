import { describe, expect, test } from 'vitest'
import { allScanRules } from './all-scan-rules.js'
import { callLines, findingLines, scanTexts } from './scan.fixture.js'

describe('calls and what bounds them', () => {
  test('C001: fetch without a signal is bounded by its own long default, which is said in numbers and never called infinite', () => {
    const scanned = scanTexts(`// price.ts
export async function loadPrice(sku: string) {
  const r = await fetch(\`http://pricing.internal/v1/\${sku}\`);
  return r.json();
}`)
    expect(callLines(scanned)).toEqual(['3 fetch bounded 300000 silence'])
    expect(findingLines(scanned)).toEqual(['code.ts:3 default-bound'])
    expect(scanned.diagnostics[0]?.message).toContain('300 s')
    expect(scanned.diagnostics[0]?.message).not.toMatch(/infinite|forever/)
    expect(scanned.calls[0]?.target).toBe('http://pricing.internal/v1/')
  })

  test('C003: an undefined timeout keeps the default of the instance, 0 and null switch it off, a signal bounds all the same', () => {
    const scanned = scanTexts(`import axios from "axios";
const api = axios.create({ baseURL: "http://users.internal", timeout: 500 });
api.get("/1");
api.get("/2", { timeout: undefined });
api.get("/3", { timeout: 0 });
api.get("/4", { timeout: null as any });
axios.get("http://x.internal/5");
api.get("/6", { timeout: 0, signal: AbortSignal.timeout(700) });`)
    expect(callLines(scanned)).toEqual([
      '3 axios bounded 500 silence',
      '4 axios bounded 500 silence',
      '5 axios unbounded',
      '6 axios unbounded',
      '7 axios unbounded',
      '8 axios bounded 700 total',
    ])
    expect(findingLines(scanned)).toEqual(['code.ts:5 unbounded-call', 'code.ts:6 unbounded-call', 'code.ts:7 unbounded-call'])
  })

  test('a client of another file, a constant of a third, a wrapper and its caller are followed', () => {
    const scanned = scanTexts({
      files: {
        'limits.ts': 'export const LIMITS = { users: 5 * 60_000 / 100 }',
        'api.ts': `import axios from 'axios'; import { LIMITS } from './limits.js'
export const api = axios.create({ timeout: LIMITS.users })
export function load(path: string, options: object = {}) {
  return api.get(path, options)
}`,
        'main.ts': `import { load } from './api.js'
load('/a'); load('/b', { timeout: 0 })`,
      },
    })
    expect(callLines(scanned)).toEqual(['4 axios unbounded'])
    expect(findingLines(scanned)).toEqual(['main.ts:2 unbounded-call'])
  })

  test('a class keeps its client, and an environment look-up its default', () => {
    const scanned = scanTexts(`import axios, { type AxiosInstance } from 'axios'
export class Users {
  private readonly http: AxiosInstance
  constructor(private base: string) { this.http = axios.create({ baseURL: base, timeout: Number(process.env.USERS_TIMEOUT ?? 800) }) }
  load(id: string) { return this.http.get('/' + id) }
}
export class Injected { constructor(private http: AxiosInstance) {}
  load() { return this.http.get('/') } }`)
    expect(callLines(scanned)).toEqual(['5 axios bounded 800 silence', '8 axios unknown'])
    expect(findingLines(scanned)).toEqual([])
  })

  test('C019: own methods, shadowed names, comments and strings are nobody’s calls', () => {
    const scanned = scanTexts({
      files: {
        'repo.ts': `class Repo { constructor(private requests: Map<string, () => number>, private cache: { fetch(k: string): Promise<string> }) {}
  a() { return this.requests.get("x"); }
  b() { return this.cache.fetch("k"); } }
function fetch2(u: string) { return u; } fetch2("http://x");
// axios.get("http://x")
const doc = "await fetch('http://x')";
const fetch = (u: string) => Promise.resolve(u); fetch("http://shadowed");`,
        'repo.test.ts': `import { vi } from "vitest"; vi.spyOn(globalThis, "fetch"); await globalThis.fetch("http://x");`,
        'scripts/backfill.d.ts': 'declare function get(u: string): Promise<unknown>;',
      },
    })
    expect(scanned.calls).toEqual([])
    expect(scanned.diagnostics).toEqual([])
  })
})

test('a client whose options come from elsewhere is still one cause: where it is made', () => {
  const scanned = scanTexts(`import axios from 'axios'
export function usersApi(options) {
  const api = axios.create(options)
  return { one: () => api.get('/1', { timeout: 0 }), two: () => api.get('/2'), three: () => api.post('/3') }
}
usersApi({ baseURL: 'http://users' })`)
  expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call', 'code.ts:4 unbounded-call'])
})

test('what a pattern takes out of a parameter is not in its rest', () => {
  const scanned = scanTexts(`import axios from 'axios'
function send(url, init) {
  const { timeout, ...rest } = init
  return axios.get(url, { timeout: 900, ...rest })
}
send('http://a', { timeout: 0, headers: {} })`)
  expect(callLines(scanned)).toEqual(['4 axios bounded 900 silence'])
  expect(findingLines(scanned)).toEqual([])
})

test('what is being done is said while files are read, calls are followed and rules are run', () => {
  const steps: string[] = []
  scanTexts("fetch('http://x')", { onStep: (what) => steps.push(what) })
  expect(steps.slice(0, 3)).toEqual(['scanning code.ts', 'following the calls of code.ts', `looking for ${allScanRules[0]?.id}`])
})
