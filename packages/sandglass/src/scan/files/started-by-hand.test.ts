import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

function severities(files: Record<string, string>, scripts: readonly string[] = []): string[] {
  const { diagnostics } = scanTexts({ files }, { isRunByScript: (file) => scripts.includes(file) })
  return diagnostics.map(({ severity, spot }) => `${severity} ${spot.source.file}`).toSorted()
}

const CALL = `await fetch('http://a')`

test('what a script of the package runs, and what only that uses beside it, is started by hand', () => {
  const files = {
    'release/main.mjs': `import { tags } from './tags.mjs'\nimport { name } from '../lib/name.mjs'\ntags(name())\n${CALL}`,
    'release/tags.mjs': `export const tags = () => fetch('http://a')`,
    'lib/name.mjs': `export const name = () => fetch('http://a')`,
  }
  expect(severities(files, ['release/main.mjs'])).toEqual(['info release/main.mjs', 'info release/tags.mjs', 'warning lib/name.mjs'])
  expect(severities(files)).toEqual(['warning lib/name.mjs', 'warning release/main.mjs', 'warning release/tags.mjs'])
})

test('a script that others use, or that is a server, is not', () => {
  const files = {
    'a.mjs': `import { b } from './b.mjs'\nb()`,
    'b.mjs': `export const b = () => fetch('http://a')`,
    'c.mjs': `import express from 'express'\nexpress().listen(80)\n${CALL}`,
  }
  expect(severities(files, ['b.mjs', 'c.mjs'])).toEqual(['warning b.mjs', 'warning c.mjs'])
})

test('a script with a driver is started by hand, one that takes what waits in a queue is not', () => {
  const files = {
    'db/reset.ts': `import postgres from 'postgres'\nconst sql = postgres(process.env.URL)\nawait sql\`drop schema public\``,
    'jobs.ts': `import { Queue } from 'bullmq'\nawait new Queue('mails').add('a', {})`,
    'loop.ts': `import { Worker } from 'node:worker_threads'\nnew Worker('./a.js')\n${CALL}`,
  }
  expect(severities(files, ['db/reset.ts', 'jobs.ts', 'loop.ts'])).toEqual(['error jobs.ts', 'info db/reset.ts', 'warning loop.ts'])
})

test('what asks a person at a terminal is started by hand', () => {
  const files = {
    'src/index.ts': `import { init } from './init'\ninit()\n${CALL}`,
    'src/init/index.ts': `import prompts from 'prompts'\nimport { load } from './load'\nexport const init = async () => { await prompts([]); await load(); ${CALL} }`,
    'src/init/load.ts': `export const load = () => fetch('http://a')`,
  }
  expect(severities(files)).toEqual(['info src/init/index.ts', 'info src/init/load.ts', 'warning src/index.ts'])
})

test('examples of something are examples', () => {
  for (const file of ['extra/push-examples/index.ts', 'packages/hub/src/example-app/worker.ts'])
    expect(severities({ [file]: CALL })).toEqual([`info ${file}`])
  expect(severities({ 'src/example-of/index.ts': CALL })).toEqual(['warning src/example-of/index.ts'])
})

test('a command of a package, and what only it uses, is started by hand; one that starts a server is not', () => {
  const manifest = (...names: string[]) =>
    JSON.stringify({ bin: { tool: 'dist/a.js' }, dependencies: Object.fromEntries(names.map((name) => [name, '1'])) })
  const files = {
    'src/a.ts': `import { Command } from 'commander'\nimport { load } from './net/load'\nnew Command().action(load)\n${CALL}`,
    'src/net/load.ts': `export const load = () => fetch('http://a')`,
    'src/other.ts': CALL,
  }
  const byHand = ['info src/a.ts', 'info src/net/load.ts', 'warning src/other.ts']
  const served = ['warning src/a.ts', 'warning src/net/load.ts', 'warning src/other.ts']
  expect(severities({ ...files, 'package.json': manifest('commander') })).toEqual(byHand)
  expect(severities({ ...files, 'package.json': manifest('commander', 'express') })).toEqual(served)
  expect(severities({ ...files, 'package.json': '{}' })).toEqual(served)
})

test('what a shell starts, a folder of commands and a helper of a pipeline are', () => {
  expect(severities({ 'a.mjs': `#!/usr/bin/env node\n${CALL}` })).toEqual(['info a.mjs'])
  expect(severities({ 'a.mjs': `#!/usr/bin/env node\nimport http from 'node:http'\nhttp.createServer().listen(80)\n${CALL}` })).toEqual([
    'warning a.mjs',
  ])
  expect(severities({ 'package.json': '{"bin":"a"}', 'src/commands/push.ts': CALL, 'src/push.ts': CALL })).toEqual([
    'info src/commands/push.ts',
    'warning src/push.ts',
  ])
  expect(severities({ 'a.ts': `import { getInput } from '@actions/core'\n${CALL}` })).toEqual(['info a.ts'])
})

test('a program with a window holds up one person', () => {
  const main = `import { app } from 'electron'\nimport https from 'node:https'\nhttps.get('https://a', (r) => app.quit())`
  expect(severities({ 'package.json': '{"devDependencies":{"electron":"1"}}', 'main.ts': main })).toEqual(['info main.ts'])
  // Served inside the window.
  const packed = '{"dependencies":{"express":"4"},"devDependencies":{"electron":"1","electron-builder":"1"}}'
  expect(severities({ 'package.json': packed, 'main.ts': main })).toEqual(['info main.ts'])
  expect(severities({ 'package.json': '{"engines":{"vscode":"1"}}', 'main.ts': CALL })).toEqual(['info main.ts'])
})

test('what reads the words that it is started with, and gives nothing to others, is started by hand', () => {
  const text = `const id = process.argv[2]\n${CALL}`
  expect(severities({ 'a.js': text, 'b.js': `${text}\nmodule.exports = id`, 'hack/c.ts': CALL })).toEqual([
    'info a.js',
    'info hack/c.ts',
    'warning b.js',
  ])
})

test('what a file of a server uses that reads its words is not', () => {
  const files = {
    'package.json': '{"dependencies":{"hono":"4"}}',
    'src/main.ts': `import { tell } from './tell'\ntell(process.argv[2])`,
    'src/tell.ts': `export const tell = (u: string) => fetch(u)`,
  }
  expect(severities(files)).toEqual(['warning src/tell.ts'])
})

test('the tools of a package are started by hand wherever the package stands, those that a server uses are not', () => {
  const files = {
    '/repo/package.json': '{}',
    '/repo/tools/fill.ts': CALL,
    '/repo/tools/ask.ts': `export const ask = () => fetch('http://a')`,
    '/repo/src/a.ts': `import { ask } from '../tools/ask'\nexport const a = () => ask()`,
    '/repo/tools/pack/package.json': '{}',
    '/repo/tools/pack/src/index.ts': CALL,
    '/repo/src/tools/search/package.json': '{}',
    '/repo/src/tools/search/index.ts': CALL,
  }
  expect(severities(files)).toEqual([
    'info /repo/tools/fill.ts',
    'info /repo/tools/pack/src/index.ts',
    'warning /repo/src/tools/search/index.ts',
    'warning /repo/tools/ask.ts',
  ])
})

test('a driver is started by hand where only a script uses it, what takes what waits in a queue is not', () => {
  const files = {
    'db/cli/migrate-all.ts': `import { sql } from './sql'\nimport { mails } from './mails'\nawait sql\`select 1\`\nawait mails.add('a', {})`,
    'db/cli/sql.ts': `import postgres from 'postgres'\nexport const sql = postgres(process.env.URL)`,
    'db/cli/mails.ts': `import { Queue } from 'bullmq'\nexport const mails = new Queue('mails')`,
  }
  expect(severities(files, ['db/cli/migrate-all.ts'])).toEqual(['error db/cli/mails.ts', 'info db/cli/sql.ts'])
  const server = {
    'main.ts': `import express from 'express'\nimport { sql } from './db/cli/sql'\nexpress().get('/', () => sql\`select 1\`).listen(80)`,
  }
  expect(severities({ ...files, ...server }, ['db/cli/migrate-all.ts'])).toEqual(['error db/cli/mails.ts', 'error db/cli/sql.ts'])
})

test('where a package begins that a script starts is no command, though a shell may start it', () => {
  const of = (manifest: object, file: string) =>
    severities({ 'package.json': JSON.stringify(manifest), [file]: `#!/usr/bin/env node\n${CALL}` })
  const started = { scripts: { start: 'node dist/index.js' } }
  expect(of(started, 'src/index.ts')).toEqual(['warning src/index.ts'])
  expect(of(started, 'src/fill.ts')).toEqual(['info src/fill.ts'])
  expect(of({ ...started, bin: { fill: 'dist/index.js' } }, 'src/index.ts')).toEqual(['info src/index.ts'])
  expect(of({ scripts: { build: 'tsc' } }, 'src/index.ts')).toEqual(['info src/index.ts'])
})
