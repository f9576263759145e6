import { expect, test } from 'vitest'
import { callLines, scanTexts } from './scan.fixture.js'

test('fetch in code that runs in a browser is not judged by what Node does', () => {
  const scanned = scanTexts({
    files: {
      'page.tsx': `import { useState } from 'react'; import { load } from './load'; export function Page() { const [a] = useState(0); fetch('/x'); load(); return <p>{a}</p> }`,
      'load.ts': `export const load = () => fetch('/api')`,
      'widget.ts': `document.title = 'x'; fetch('/y')`,
      'Form.vue': '',
    },
  })
  expect(scanned.calls).toEqual([])
})

test('a module that a server imports too is judged, and so is one that imports what only Node has', () => {
  const scanned = scanTexts({
    files: {
      'page.tsx': `import { load } from './load'; load()`,
      'server.ts': `import { load } from './load'; load()`,
      'load.ts': `export const load = () => fetch('http://a')`,
      'route.tsx': `import { readFile } from 'node:fs/promises'; await fetch('http://b')`,
    },
  })
  expect(callLines(scanned)).toEqual(['1 fetch bounded 300000 silence', '1 fetch bounded 300000 silence'])
})

test('what is started by hand is worth a note', () => {
  const { diagnostics } = scanTexts({ files: { 'scripts/fill.ts': `await fetch('http://a')`, 'src/a.ts': `await fetch('http://a')` } })
  expect(diagnostics.map(({ severity }) => severity)).toEqual(['info', 'warning'])
})
