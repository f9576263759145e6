import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('the limits of a dispatcher count under whatever name it is imported', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import { Agent as Dispatcher, Client as Other, Pool as P2, RetryAgent as Again } from 'undici'
import * as all from 'undici'
import { Own } from './own'
const limits = { headersTimeout: 100, bodyTimeout: 200, connect: { timeout: 50 } }
const pool = new P2('http://a', limits), client = new Other('http://a', limits), agent = new Dispatcher(limits)
const again = new Again(new Dispatcher(limits)), whole = new all.Pool('http://a', limits), own = new Own('http://a', limits)
export const a = () => pool.request({ path: '/', method: 'GET' })
export const b = () => client.request({ path: '/', method: 'GET' })
export const c = () => agent.request({ path: '/', method: 'GET' })
export const d = () => again.request({ path: '/', method: 'GET' })
export const e = () => whole.request({ path: '/', method: 'GET' })
export const f = () => own.request({ path: '/', method: 'GET' })`,
      'own.ts': `export { Pool as Own } from 'undici'`,
    },
  })
  expect(callLines(scanned)).toEqual([7, 8, 9, 10, 11, 12].map((line) => `${line} undici bounded 200 silence`))
})

test('what to write for a fetch of undici is no option of its dispatchers', () => {
  const fixes = (name: string) =>
    scanTexts({
      files: { 'code.ts': `import { ${name} } from 'undici'\nexport const load = async () => { await ${name}('https://a.example') }` },
      versions: { undici: '7.29.0' },
    }).diagnostics.map(({ suggestion }) => suggestion?.text)
  expect(fixes('fetch')).toEqual(['set a limit: signal: AbortSignal.timeout(…)'])
  expect(fixes('request')).toEqual(['set a limit: headersTimeout and bodyTimeout (ms), or signal: AbortSignal.timeout(…)'])
})
