import { expect, test } from 'vitest'
import { functionEnds } from './function-ends.js'
import { memorySystem } from './memory-system.fixture.js'

test('the nearest vercel.json above a file says when its function is ended', () => {
  const { folders } = memorySystem({
    'vercel.json': '{ "functions": { "**": { "maxDuration": 300 } } }',
    'shop/vercel.json': `{ "functions": { "src/pages/api/*": { "maxDuration": 25 }, "src/pages/api/hooks/**/*.ts": { "maxDuration": 20 },
      "src/pages/api/hooks/slow.ts": { "maxDuration": 40 }, "app/[id]/route.ts": { "memory": 512 } } }`,
    'till/vercel.json': '{ "regions": ["dub1"] }',
    'bad/vercel.json': '{',
  })
  const endOf = functionEnds(folders)
  expect(
    [
      'shop/src/pages/api/a.ts',
      'shop/src/pages/api/hooks/a.ts',
      'shop/src/pages/api/hooks/b/c.ts',
      'shop/src/pages/api/hooks/slow.ts',
      'shop/app/[id]/route.ts',
      'till/api/a.ts',
      'other/api/a.ts',
      'bad/api/a.ts',
    ].map(endOf),
  ).toEqual([25_000, 20_000, 20_000, 40_000, null, null, 300_000, 300_000])
})

test.each([
  ['api/*.ts', 'api/a.ts', true],
  ['api/*.ts', 'api/b/a.ts', false],
  ['api/**/a.ts', 'api/a.ts', true],
  ['api/**/a.ts', 'api/b/c/a.ts', true],
  ['api/**/a.ts', 'api/ba.ts', false],
  ['api/**', 'api/b/c/a.ts', true],
  ['./api/?.ts', 'api/a.ts', true],
  ['api/?.ts', 'api/ab.ts', false],
  ['api/[id].ts', 'api/[id].ts', true],
  ['api/[id].ts', 'api/i.ts', false],
])('%s finds %s: %s', (pattern, file, expected) => {
  const { folders } = memorySystem({ 'vercel.json': JSON.stringify({ functions: { [pattern]: { maxDuration: 1 } } }) })
  expect(functionEnds(folders)(file)).toBe(expected ? 1000 : null)
})

test('a pattern of nothing but stars costs no time, and words of the language are plain names', () => {
  const stars = '**/'.repeat(40)
  const names = `api/${'a*'.repeat(100)}z.ts`
  const { folders } = memorySystem({
    'vercel.json': JSON.stringify({
      functions: { [`${stars}b.ts`]: { maxDuration: 1 }, [names]: { maxDuration: 3 }, constructor: { maxDuration: 2 } },
    }),
  })
  const endOf = functionEnds(folders)
  expect(['a/'.repeat(200), 'constructor', `api/${'a'.repeat(240)}.ts`, `api/${'a'.repeat(240)}z.ts`].map(endOf)).toEqual([
    null,
    2000,
    null,
    3000,
  ])
})
