import { describe, expect, test } from 'vitest'
import { scanTexts, type TestProject } from '../scan.fixture.js'

function worst(project: TestProject | string): (string | null)[] {
  return scanTexts(project).calls.map(({ outcome, worstMs }) =>
    outcome.state === 'bounded' ? `${outcome.ms} ${outcome.kind} worst ${worstMs}` : outcome.state,
  )
}

describe('what only looks like a retry', () => {
  const call = 'fetch(u, { signal: AbortSignal.timeout(300) })'
  test.each([
    ['going through a list', `for (const id of ['a', 'b']) { try { await ${call} } catch {} }`],
    ['pages', `const all = []; while (true) { const r = await ${call}; all.push(r); if (!r.ok) return all }`],
    ['a loop whose error goes out', `for (let i = 0; i < 3; i++) { const r = await ${call}; if (r.ok) return r }`],
    [
      'a loop around a function that is only declared',
      `for (let i = 0; i < 3; i++) { later(async () => { try { return await ${call} } catch {} }) }`,
    ],
    [
      'pages by their address',
      `let next: string | null = u; while (next) { const r = await fetch(next, { signal: AbortSignal.timeout(300) }); next = r.headers.get('next') }`,
    ],
    ['one attempt', `for (let i = 0; i < 1; i++) { try { return await ${call} } catch {} }`],
  ])('%s', (_, body) => {
    const text = `const later = (work: () => Promise<unknown>) => { setImmediate(work) }
export async function main(u: string) { ${body} }`
    expect(worst(text)).toEqual(['300 total worst 300'])
  })
})
