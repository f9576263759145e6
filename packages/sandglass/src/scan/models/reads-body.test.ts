import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

test.each([
  ['const res = await fetch(u, o); return res.ok', 500],
  ['const { status, headers } = await fetch(u, o); return status', 500],
  ['let res; res = await fetch(u, o); log(res.status, res.headers.get("a"))', 500],
  ['return (await fetch(u, o)).ok', 500],
  ['await fetch(u, o)', 500],
  ['const res = await fetch(u, o); return res.json()', 1000],
  ['const res = await fetch(u, o); return res', 1000],
  ['const { ok, ...rest } = await fetch(u, o); return rest', 1000],
  ['return fetch(u, o)', 1000],
  ['const res = await fetch(u, o); log(res)', 1000],
])('the time for the body counts where somebody reads it: %s', (body, worstMs) => {
  const code = `import fetch from 'node-fetch'
import { log } from './log.js'
const o = { timeout: 500 }
export async function load(u: string) { ${body} }`
  const { calls } = scanTexts({ files: { 'code.ts': code }, versions: { 'node-fetch': '2.7.0' } })
  expect(calls.map((call) => call.worstMs)).toEqual([worstMs])
})
