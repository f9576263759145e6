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
  ['api/migrationdb/fill.ts', CALL],
  ['cookbook/chat/ask.ts', CALL],
  ['bin/demo.ts', `(async () => { ${CALL}; process.exit(0) })()`],
  ['bin/spans.ts', `const spans = async () => { ${CALL}; await writeFile('a', 'b') }\nspans().then(() => process.exit())`],
  ['ui/update-words.js', `async function start() { ${CALL}; writeFileSync('a', 'b') }\nstart()`],
  ['bin/fill.ts', `import { Pool } from 'pg'\nimport { parseArgs } from 'node:util'\nparseArgs({})\nnew Pool().query('select 1')`],
  ['checks/schema.ts', `import { warn } from 'danger'\nexport const check = async () => warn(${CALL})`],
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
  ['src/migration-service/ask.ts', CALL],
  ['src/cookbook/ask.ts', CALL],
  ['ui/words.js', `async function start() { ${CALL}; writeFileSync('a', 'b') }\nstart()`],
  ['bin/spans.ts', `const spans = async () => { ${CALL} }\nspans().catch(() => process.exit(1))`],
  ['lib/build-icons.mjs', `export const build = () => fetch('http://a')`],
])('%s may hold up others: %s', (file, text) => {
  expect(severity(file, text)).toBe('warning')
})

test('what reads its words and then takes what waits is not over', () => {
  expect(severity('bin/take.ts', `import { Pool } from 'pg'\nsetInterval(() => new Pool().query(process.argv[2]), 5)`)).toBe('error')
})

test('what something names may be started by it', () => {
  expect(
    severity('lib/fill.ts', main('process.exit(0)'), { 'a.ts': `import { fork } from 'node:child_process'\nfork('./lib/fill.js')` }),
  ).toBe('warning')
})

test('what others import is theirs', () => {
  expect(severity('lib/sync-labels.mjs', CALL, { 'a.mjs': `import './lib/sync-labels.mjs'` })).toBe('warning')
})
