import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const CONTEXT = `export class Remote { constructor(readonly url: string) {} }
export const openRemote = (url: string) => new Remote(url)
export const load = async (context: Remote) => { await fetch(context.url) }`
const found = ({ manifest = '{"private":true}', context = CONTEXT, server = '' }) =>
  findingLines(
    scanTexts({
      files: {
        'shared/package.json': manifest,
        'shared/context.ts': context,
        'shared/index.ts': `export { openRemote, load } from './context'`,
        'web/page.ts': `import { openRemote } from '../shared/index'\ndocument.title = openRemote('http://a').url`,
        'api/server.ts': `import express from 'express'\nexport const app = express()\nimport { load } from '../shared/index'\n${server}\nexport const run = (c) => load(c)`,
      },
    }),
  )

test('what is handed an instance that only pages make runs in a page', () => {
  expect(found({})).toEqual([])
  expect(found({ manifest: '{"main":"a.js","files":["dist"],"dependencies":{"log":"file:../log"}}' })).toEqual([])
})

test.each([
  ['a server makes one, too', { server: `import { openRemote } from '../shared/index'\nopenRemote('http://b')` }],
  ['another class of a server extends it', { context: `${CONTEXT}\nexport class Own extends Remote {}` }],
  ['its own file makes one', { context: `${CONTEXT}\nexport const own = new Remote('http://c')` }],
  ['nothing says what it is handed', { context: CONTEXT.replace('context: Remote', 'context: any') }],
  ['others may install the package', { manifest: '{"main":"a.js","files":["dist"]}' }],
])('it may run on a server where %s', (_, parts) => {
  expect(found(parts)).toEqual(['shared/context.ts:3 default-bound'])
})
