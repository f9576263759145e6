import { expect, test } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { projectInput } from '../scan.fixture.js'
import { scanSources } from '../scan-sources.js'

const APP = '{"private":true}'
const LOAD = `export const load1 = () => fetch('http://a')\nexport const other = 1\n`

/** What is said of each finding: how severe, where, and of how it is called. */
function said(files: Record<string, string>, seesAllUsers = true): string[] {
  return scanSources(projectInput({ files: { 'package.json': APP, ...files } }), { seesAllUsers })
    .diagnostics.map(({ severity, spot, message }) => {
      const { file, line } = placeOf(spot)
      return `${severity} ${file}:${line}${/; (nothing here calls it|only the build of pages calls it)$/.exec(message)?.[0] ?? ''}`
    })
    .toSorted()
}

const UNCALLED = ['info src/net.ts:1; nothing here calls it']
const CALLED = ['warning src/net.ts:1']

test.each([
  ['nobody names it', `import { other } from './net'\nother`],
  ['it is imported and not called', `import { load1, other } from './net'\nother`],
  ['a comment names it', `import { other } from './net'\n// load1()\nother`],
  ['it is passed on', `import { other } from './net'\nexport { load1 } from './net'\nother`],
  ['what calls it is not called', `import { load1, other } from './net'\nconst again = () => load1()\nother`],
  ['it is taken out and not called', `const { load1, other } = require('./net')\nother`],
  ['a member of the module is asked for', `import * as net from './net'\nnet.other`],
])('nothing calls a function of an application where %s', (_, main) => {
  expect(said({ 'src/net.ts': LOAD, 'src/main.ts': main })).toEqual(UNCALLED)
})

test.each([
  ['it is called', `import { load1 } from './net'\nload1()`],
  ['it is given away', `import { load1 } from './net'\nserve({ load1 })`],
  ['it has another name there', `import { load1 as ask } from './net'\nask()`],
  ['it is called as a member', `import * as net from './net'\nnet.load1()`],
  ['the module is given away', `import * as net from './net'\nserve(net)`],
  ['the module is passed on', `import { other } from './net'\nexport const net = require('./net')\nother`],
  ['the module is asked for a name that is made', `const net = require('./net')\nnet['load' + 1]()`],
  ['a function of the same name calls it', `import * as net from './net'\nexport const load1 = () => net.load1()\nserve(load1)`],
  ['a class calls it', `import { load1 } from './net'\nexport class A { a() { return load1() } }`],
  ['a text names it', `import { other } from './net'\nserve(other, 'load1')`],
])('something may call it where %s', (_, main) => {
  expect(said({ 'src/net.ts': LOAD, 'src/main.ts': main })).toEqual(CALLED)
})

test('a name that a file of an application only passes on is called where something takes it from there', () => {
  const files = { 'src/net.ts': LOAD, 'src/own.ts': 'export const own = 1' }
  const barrel = `export { load1 } from './net'\nexport { own } from './own'`
  const asked = (main: string, index = barrel) => said({ ...files, 'src/all/index.ts': index.replaceAll('./', '../'), 'src/main.ts': main })
  expect(asked(`import { own } from './all'\nown`)).toEqual(UNCALLED)
  expect(asked(`import { own } from './all'\nown`, `export * from './net'\nexport * from './own'`)).toEqual(UNCALLED)
  expect(asked(`import { load1 } from './all'\nload1()`)).toEqual(CALLED)
  expect(asked(`import { own } from './all'\nown`, barrel.replace('load1', 'load1 as ask'))).toEqual(CALLED)
  expect(asked(`import * as all from './all'\nserve(all)`)).toEqual(CALLED)
  expect(asked('serve()')).toEqual(CALLED)
  expect(
    said({
      ...files,
      'package.json': '{"main":"src/all/index.js"}',
      'src/all/index.ts': barrel.replaceAll('./', '../'),
      'src/main.ts': `import { own } from './all'\nown`,
    }),
  ).toEqual(CALLED)
})

test('where not all users are seen, or a framework or others may call it, nothing is said', () => {
  const main = `import { other } from './net'\nother`
  expect(said({ 'src/net.ts': LOAD, 'src/main.ts': main }, false)).toEqual(CALLED)
  expect(said({ 'src/net.ts': LOAD, 'src/main.ts': main, 'package.json': '{"exports":"./a.js"}' })).toEqual(CALLED)
  expect(said({ 'src/net.ts': LOAD, 'src/main.ts': main, 'package.json': '{"private":true,"dependencies":{"serverless":"4"}}' })).toEqual(
    CALLED,
  )
  const pages = { 'pages/package.json': '{"dependencies":{"svelte":"5"}}', 'pages/src/page.ts': 'fetch()' }
  expect(said({ 'src/net.ts': LOAD, 'src/main.ts': main, ...pages })).toEqual(CALLED)
  expect(said({ 'src/net.ts': LOAD.replace('load1', 'register'), 'src/main.ts': main })).toEqual(CALLED)
  expect(said({ 'src/net.ts': LOAD })).toEqual(CALLED)
  expect(said({ 'src/routes/net.ts': LOAD, 'src/main.ts': `import { other } from './routes/net'\nother` })).toEqual([
    'warning src/routes/net.ts:1',
  ])
})

test('tests do not count, and an application may have a main file that it starts', () => {
  const files = {
    'package.json': '{"main":"src/main.js","scripts":{"start":"node src/main.js"}}',
    'src/net.js': `const load1 = () => fetch('http://a')\nmodule.exports = { load1, other: 1 }`,
    'src/main.js': `const { other } = require('./net')\nother`,
    'src/net.test.js': `const { load1 } = require('./net')\nload1()`,
    'src/check.js': `const { expect } = require('vitest')\nconst { load1 } = require('./net')\nexpect(load1())`,
  }
  expect(said(files)).toEqual(['info src/net.js:1; nothing here calls it'])
})

test('a function that is not exported is known from its own file, one that calls itself is not called', () => {
  const text = `import a from 'a'\nasync function load1() { await fetch('http://a'); await load1() }\nasync function load2() { await fetch('http://b') }\nload2()`
  expect(said({ 'src/net.ts': text }, false)).toEqual(['info src/net.ts:2; nothing here calls it', 'warning src/net.ts:3'])
})

test('what only the build of pages asks for is an info, unless pages are made again', () => {
  const page = (given: string) =>
    `import { load1 } from '../src/net'\nexport const getStaticProps = async () => ({ props: await load1()${given} })`
  const files = { 'src/net.ts': LOAD }
  expect(said({ ...files, 'pages/a.ts': page('') })).toEqual(['info src/net.ts:1; only the build of pages calls it'])
  expect(said({ ...files, 'pages/a.ts': page(', revalidate: 60') })).toEqual(CALLED)
  const params = `export async function generateStaticParams() { await fetch('http://a') }`
  expect(said({ 'app/[id]/page.ts': params })).toEqual(['info app/[id]/page.ts:1; only the build of pages calls it'])
})

test('what only a script calls is an info that says so, what a service calls as well is not', () => {
  const files = {
    'src/net.ts': LOAD,
    'src/main.ts': `import { other } from './net'\nother`,
    'src/fetch-names.ts': `import { load1 } from './net'\nawait load1()`,
  }
  const told = (more: Record<string, string> = {}, script = 'src/fetch-names.ts') =>
    scanSources(projectInput({ files: { 'package.json': APP, ...files, ...more } }), {
      seesAllUsers: true,
      isRunByScript: (file) => file === script,
    }).diagnostics.map(({ severity, message }) => `${severity} ${message.split('; ').at(-1)}`)
  expect(told()).toEqual(['info only scripts call it'])
  expect(told({}, 'src/other.ts')[0]).toMatch(/^warning /)
  expect(told({ 'src/serve.ts': `import { load1 } from './net'\nserve(load1)` })[0]).toMatch(/^warning /)
})

test('a package with an entry that its scripts start is an application, be it for one place', () => {
  const files = { 'src/net.ts': LOAD, 'src/main.ts': `import { other } from './net'\nother` }
  const of = (scripts: object) => said({ ...files, 'package.json': JSON.stringify({ main: 'src/main.js', scripts }) })
  expect(of({ 'start:test': 'node src/main.js' })).toEqual(UNCALLED)
  expect(of({ restart: 'pm2 restart a' })).toEqual(CALLED)
})

test('a client that an application makes at the top of a file, and that nothing asks, is an info that says so', () => {
  const told = (files: Record<string, string>, manifest = APP) =>
    scanSources(projectInput({ files: { 'package.json': manifest, ...files } }), { seesAllUsers: true }).diagnostics.map(
      ({ severity, spot, message }) => `${severity} ${placeOf(spot).line} ${message.split('; ').at(-1)}`,
    )
  const UNASKED = ['info 2 nothing here asks it anything']
  const db = (name = 'db', made = `pg({ client: 'pg' })`) =>
    `import pg from 'knex'\nexport const ${name} = ${made}\nexport const other = 1\n`
  const main = `import { other } from './db'\nother`
  expect(told({ 'src/db.ts': db(), 'src/main.ts': main })).toEqual(UNASKED)
  const isError = (files: Record<string, string>, manifest?: string) =>
    expect(told(files, manifest).map((each) => each.slice(0, 7))).toEqual(['error 2'])
  isError({ 'src/db.ts': `${db().replace('export const db', 'const db')}console.log(other)`, 'src/main.ts': main })
  isError({ 'src/db.ts': db(), 'src/main.ts': `import { db } from './db'\nserve(db)` })
  isError({ 'src/db.ts': db(), 'src/main.ts': `import * as all from './db'\nserve(all)` })
  isError({ 'src/db.ts': `${db()}serve({ db })`, 'src/main.ts': main })
  isError({ 'src/db.ts': db(), 'src/main.ts': main }, '{"exports":"./db.js"}')
  const common = `import { connect } from 'mongoose'\nexport const db = connect('mongodb://a')\nexport const other = 1\n`
  expect(told({ 'src/db.ts': common, 'src/main.ts': main }).filter((each) => each.endsWith('asks it anything'))).toEqual([])
})
