import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a file that goes with the code is no call, what its address leads to elsewhere is', () => {
  const text = `export const font = fetch(new URL('../fonts/a.ttf', import.meta.url))
export const other = fetch(new URL(\`./\${name}.ttf\`, import.meta.url))
export const far = fetch(new URL(\`\${base}/a.ttf\`, import.meta.url))
export const near = fetch(new URL('./a', base))`
  expect(callLines(scanTexts(text))).toEqual(['3 fetch bounded 300000 silence', '4 fetch bounded 300000 silence'])
})

test('what is in memory is no call', () => {
  const text = `export const file = (part) => fetch(URL.createObjectURL(part))
export const pixel = fetch('data:image/png;base64,AAAA')
export const picture = (base64) => fetch(\`data:image/png;base64,\${base64}\`)
export const far = (part) => fetch(urlOf(part))`
  expect(callLines(scanTexts(text))).toEqual(['4 fetch bounded 300000 silence'])
})

test('a request that is handed in, or a copy of one, may bring a signal of its own', () => {
  const lines = callLines(
    scanTexts(`const send = async (input: string | Request, init?: RequestInit) => fetch(input, init)
export const again = (request: Request) => send(request.clone(), { redirect: 'manual' })
export const pass = (request: Request) => fetch(request)
export const limit = (request: Request) => fetch(request, { signal: AbortSignal.timeout(500) })`),
  )
  expect(lines).toEqual(['1 fetch unknown', '3 fetch unknown', '4 fetch bounded 500 total'])
})

test('where Node has no fetch it is not Node that asks', () => {
  const files = { 'code.ts': `await fetch('http://a')\nawait fetch('http://a', { signal: AbortSignal.timeout(500) })` }
  const linesOf = (node: string) => callLines(scanTexts({ files, versions: { node } }))
  for (const node of ['12', '16.13', '17.0.1']) expect(linesOf(node)).toEqual(['2 fetch bounded 500 total'])
  for (const node of ['18', '20.1.0']) expect(linesOf(node)).toEqual(['1 fetch bounded 300000 silence', '2 fetch bounded 500 total'])
})
