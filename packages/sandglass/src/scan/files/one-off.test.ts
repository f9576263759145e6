import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const CALL = `await fetch('http://a')`
const severity = (file: string, text: string, others: Record<string, string> = {}) =>
  scanTexts({ files: { [file]: text, ...others } }).diagnostics.find(({ spot }) => spot.source.file === file)?.severity

const main = (end: string) => `async function main() { ${CALL}; ${end} }\nmain().catch(() => process.exit(1))`

test.each([
  ['lib/fill.ts', main('process.exit(0)')],
  ['lib/fill.ts', main(`await writeFile('a', 'b')`)],
  ['db/manual/fill.js', `// Run this using node db/manual/fill.js\n${CALL}`],
  ['db/manual/fill.js', `/**\n * Usage: npx tsx fill.js <id>\n */\nconst { Pool } = require('pg')\nnew Pool().query('select 1')`],
  ['fonts/build-icons.mjs', CALL],
  ['lib/sync-labels.mjs', CALL],
  ['src/commands/migrateOrders.ts', `const command = async () => { while (true) { ${CALL}; break }; process.exit() }\ncommand()`],
  ['lib/orders.ts', `const migrateOrders = async () => { ${CALL}; process.exit(0) }\nmigrateOrders()`],
  ['saas-migrations/orders/move.ts', CALL],
])('%s is started by hand: %s', (file, text) => {
  expect(severity(file, text)).toBe('info')
})

test.each([
  ['lib/fill.ts', main('')],
  ['lib/fill.ts', `import { on } from './queue'\n${main(`queue.consume('a'); process.exit(0)`)}`],
  ['lib/fill.ts', main(`process.on('SIGTERM', () => process.exit(0))`)],
  ['jobs/fill.ts', main('process.exit(0)')],
  ['src/main.ts', main('process.exit(0)')],
  ['src/orders.ts', `const watchOrders = async () => { ${CALL}; process.exit(0) }\nwatchOrders()`],
  ['src/orders.ts', main('while (true) {}; process.exit(0)')],
  ['lib/fill.ts', `export const a = 1\n${main('process.exit(0)')}`],
  ['lib/api.js', `// Run this using node lib/api.js\nimport express from 'express'\nexpress().listen(80)\n${CALL}`],
  ['lib/api.js', `// They run on any node of ours\n${CALL}`],
  ['lib/build-icons.mjs', `export const build = () => fetch('http://a')`],
])('%s may hold up others: %s', (file, text) => {
  expect(severity(file, text)).toBe('warning')
})

test('what something names may be started by it', () => {
  expect(
    severity('lib/fill.ts', main('process.exit(0)'), { 'a.ts': `import { fork } from 'node:child_process'\nfork('./lib/fill.js')` }),
  ).toBe('warning')
})

test('what others import is theirs', () => {
  expect(severity('lib/sync-labels.mjs', CALL, { 'a.mjs': `import './lib/sync-labels.mjs'` })).toBe('warning')
})
