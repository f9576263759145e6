import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const HELPERS = `const sleep = (ms) => new Promise((yes) => setTimeout(yes, ms))
const late = (ms) => new Promise((_, no) => setTimeout(no, ms))
`

function first(body: string, callers: string): string | undefined {
  return callLines(
    scanTexts(`${HELPERS}const load = async (timeoutMs) => {
  const ask = async () => { const res = await fetch(u); return res.json() }
  ${body}
}
${callers}`),
  )[0]
}

test.each([
  'if (timeoutMs) { return Promise.race([ask(), late(500)]) } else return await ask()',
  'if (timeoutMs) return Promise.race([ask(), late(500)]); return ask()',
  'if (!timeoutMs) return ask(); return Promise.race([ask(), late(500)])',
  'return timeoutMs > 0 ? Promise.race([ask(), late(500)]) : ask()',
])('a branch that no caller gets to counts for nothing: %s', (body) => {
  expect(first(body, 'load(1000); load(2000)')).toBe('4 fetch bounded 500 total')
  expect(first(body, 'load(1000); load(0)')).toBe('4 fetch bounded 300000 silence')
  expect(first(body, 'load(1000); load(given())')).toBe('4 fetch bounded 300000 silence')
  expect(first(body, 'load(1000); register(load)')).toBe('4 fetch bounded 300000 silence')
  expect(first(body, 'export { load }')).toBe('4 fetch unknown')
})

test.each([
  ['if (timeoutMs !== undefined) return Promise.race([ask(), late(500)]); return ask()', ['load(1000)', 'load(null)'], ['load()']],
  ['if (timeoutMs != null) return Promise.race([ask(), late(500)]); return ask()', ['load(1000)'], ['load()', 'load(null)']],
  ['if (timeoutMs === undefined) return ask(); return Promise.race([ask(), late(500)])', ['load(1000)', 'load(null)'], ['load()']],
  ['if (timeoutMs == null) return ask(); return Promise.race([ask(), late(500)])', ['load("1 s")'], ['load()', 'load(null)']],
])('what compares with nothing is for those that give something: %s', (body, limited, open) => {
  for (const callers of limited) expect(first(body, callers)).toBe('4 fetch bounded 500 total')
  for (const callers of [...open, 'load(given())']) expect(first(body, callers)).toBe('4 fetch bounded 300000 silence')
})

test('a function that sleeps and then gives what is there is a timer', () => {
  const race = (body: string) => first(`const other = async () => { ${body} }; return Promise.race([ask(), other()])`, '')
  expect(race('await sleep(500); return guess')).toBe('4 fetch bounded 500 total')
  expect(race('await sleep(500); return { ok: false }')).toBe('4 fetch bounded 500 total')
  expect(race('await sleep(timeoutMs); return guess')).toBe('4 fetch unknown')
})

test.each([
  'return Promise.race([ask(), late(timeoutMs)])',
  'const other = async () => { await sleep(timeoutMs); return guess }; return Promise.race([ask(), other()])',
  'const both = () => Promise.race([ask(), late(timeoutMs)]); return both()',
  'const soon = (work, ms) => Promise.race([work, late(ms)]); return soon(ask(), timeoutMs)',
  'if (timeoutMs) return Promise.race([ask(), late(timeoutMs)]); else return ask()',
])('callers say how long a limit around a call is, the longest of them counts: %s', (body) => {
  expect(first(body, 'load(1000); load(500)')).toBe('4 fetch bounded 1000 total')
  expect(first(body, 'load(1000); load(given())')).not.toContain('bounded 1000')
  expect(first(body, 'load(1000); register(load)')).not.toContain('bounded 1000')
})

test('a caller that gives no time gets to the branch without one', () => {
  const body = 'if (timeoutMs) return Promise.race([ask(), late(timeoutMs)]); else return ask()'
  expect(first(body, 'load(1000); load()')).toBe('4 fetch bounded 300000 silence')
})
