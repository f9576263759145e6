import { expect, test } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { projectInput } from '../scan.fixture.js'
import { scanSources } from '../scan-sources.js'

const APP = '{"private":true,"dependencies":{"axios":"1"}}'
const CLASS = `import axios from 'axios'\nexport default class Tracks { find() { return axios.get('http://a') } }`

/** What is said of each finding: how severe, where, and whether its file is used. */
function said(files: Record<string, string>, options: { seesAllUsers?: boolean; isNamedOutside?: (file: string) => boolean } = {}) {
  return scanSources(projectInput({ files: { 'package.json': APP, ...files } }), { seesAllUsers: true, ...options })
    .diagnostics.map(({ severity, spot, message }) => {
      const { file, line } = placeOf(spot)
      return `${severity} ${file}:${line}${/; nothing here uses its file$/.exec(message)?.[0] ?? ''}`
    })
    .toSorted()
}

const UNUSED = ['info src/find/tracks.ts:2; nothing here uses its file']
const USED = ['error src/find/tracks.ts:2']
const MAIN = `import express from 'express'\nexpress().listen(80)`

test.each([
  ['nobody imports it', MAIN],
  ['a comment imports it', `${MAIN}\n// import Tracks from './find/tracks'`],
  ['only its types are imported', `import type Tracks from './find/tracks'\n${MAIN}`],
  ['it is imported under a name that nothing asks for', `import Tracks from './find/tracks'\n${MAIN}`],
  ['it is required and nothing is taken out', `const tracks = require('./find/tracks')\nrequire('express')().listen(80)`],
  ['a route has its name', `import express from 'express'\nexpress().post('/tracks', answer).listen(80)`],
  ['another text has its name', `${MAIN}\nconst path = '/v1/tracks'`],
  ['a text has stars that are no pattern', `${MAIN}\nsay(\`*Points:*\\n\${points.sums}\`)`],
  ['its folder is listed and nothing loads what is found', `${MAIN}\nserve(fs.readdirSync(path.join(__dirname, 'find')))`],
  ['files are loaded from another folder', `${MAIN}\nfs.readdirSync(path.join(__dirname, 'routes')).forEach((each) => require(each))`],
])('nothing uses a file of an application where %s', (_, main) => {
  expect(said({ 'src/find/tracks.ts': CLASS, 'src/main.ts': main })).toEqual(UNUSED)
})

test.each([
  ['it is imported', `import Tracks from './find/tracks'\nnew Tracks()`],
  ['it is passed on', `export { default as Tracks } from './find/tracks'\nserve()`],
  ['it is required and asked', `const Tracks = require('./find/tracks')\nnew Tracks.default()`],
  ['it is loaded later', `export const load = () => import('./find/tracks')\nserve()`],
  ['its path is a text', `fork('./find/tracks.js')`],
  ['its path is joined', `fork(path.join(home, '/tracks'))`],
  ['its path is put together', `const all = ['tracks'].map((name) => require('./find/' + name))`],
  ['its path has a gap', `serve((name) => import(\`./find/\${name}.js\`))`],
  ['its folder is read', `fs.readdirSync(path.join(__dirname, 'find')).forEach((each) => require(each))`],
  [
    'its folder is listed and what is found is started',
    `import { fork } from 'child_process'\nfs.readdirSync(path.join(__dirname, 'find')).map((each) => fork(each))`,
  ],
  ['a pattern finds it', `serve({ loads: ['src/**/*.ts'] })`],
  ['a pattern with several endings finds it', `serve({ loads: [\`\${__dirname}/**/*.{ts,js}\`] })`],
])('something may use a file where %s', (_, main) => {
  expect(said({ 'src/find/tracks.ts': CLASS, 'src/main.ts': main })).toEqual(USED)
})

test('what only an unused file uses is not used either', () => {
  const files = {
    'src/find/tracks.ts': CLASS,
    'src/find/albums.ts': `import Tracks from './tracks'\nexport const albums = () => new Tracks()`,
    'src/main.ts': MAIN,
  }
  expect(said(files)).toEqual(UNUSED)
  expect(said({ ...files, 'src/main.ts': `import { albums } from './find/albums'\nserve(albums)` })).toEqual(USED)
})

test('all of an unused file is unused: a client that it makes, and what it is given to', () => {
  const text = `const axios = require('axios')\nconst api = axios.create()\nmodule.exports = { account: { login: (body) => api.post('/login', body) } }`
  expect(said({ 'src/find/manager.js': text, 'src/main.js': `const manager = require('./find/manager')\nserve()` })).toEqual([
    'info src/find/manager.js:2; nothing here uses its file',
  ])
})

test.each([
  ['does something by itself', `import axios from 'axios'\naxios.get('http://a')\nexport default 1`],
  ['gives nothing to others', `import axios from 'axios'\nconst ask = () => axios.get('http://a')`],
  ['gives a function away as it is loaded', `import axios from 'axios'\nexport default job(() => axios.get('http://a'))`],
  ['has something decorated', `import axios from 'axios'\n@Task() export class Ask { ask() { return axios.get('http://a') } }`],
  ['has what is called by its name', `import axios from 'axios'\nexport const handler = () => axios.get('http://a')`],
])('a file that %s may be started by something', (_, text) => {
  expect(said({ 'src/find/tracks.ts': text, 'src/main.ts': MAIN }).filter((each) => each.includes('uses its file'))).toEqual([])
})

test('nothing is said of a file that a framework, a configuration, or others may load', () => {
  const files = { 'src/find/tracks.ts': CLASS, 'src/main.ts': MAIN }
  expect(said(files, { seesAllUsers: false })).toEqual(USED)
  expect(said(files, { isNamedOutside: (file) => file === 'src/find/tracks.ts' })).toEqual(USED)
  expect(said({ ...files, 'package.json': '{"exports":"./a.js"}' })).toEqual(USED)
  expect(said({ ...files, 'package.json': '{"private":true,"dependencies":{"sails":"1"}}' })).toEqual(USED)
  expect(said({ ...files, 'web/package.json': '{"dependencies":{"svelte":"5"}}', 'web/src/page.ts': 'fetch()' })).toEqual(USED)
  for (const file of ['src/jobs/tracks.ts', 'pages/tracks.ts', 'src/find/tracks.service.ts', 'src/find/index.ts'])
    expect(said({ [file]: CLASS, 'src/main.ts': MAIN })).toEqual([`error ${file}:2`])
})

test('what checks requests by their description loads a folder only where it is told to', () => {
  const ofService = (main: string) =>
    said({
      'package.json': '{"private":true,"dependencies":{"express-openapi-validator":"5"}}',
      'src/find/tracks.ts': CLASS,
      'src/main.ts': `import express from 'express'\nimport { middleware } from 'express-openapi-validator'\n${main}`,
    })
  expect(ofService(`express().use(middleware({ apiSpec: './api.yml' })).listen(80)`)).toEqual(UNUSED)
  expect(ofService(`express().use(middleware({ apiSpec: './api.yml', operationHandlers: base })).listen(80)`)).toEqual(USED)
})

test('what imports into its own files what they name leaves other packages alone', () => {
  const web = { 'web/package.json': '{"dependencies":{"nuxt":"3"}}', 'web/src/page.ts': 'export const page = 1' }
  expect(said({ 'src/find/tracks.ts': CLASS, 'src/main.ts': MAIN, ...web })).toEqual(UNUSED)
  const shared = { ...web, 'web/nuxt.config.ts': `export default defineNuxtConfig({ imports: { dirs: ['../src/find'] } })` }
  expect(said({ 'src/find/tracks.ts': CLASS, 'src/main.ts': MAIN, ...shared })).toEqual(USED)
})

test('an action of a page of Next.js, and what stands beside its pages, is used by those that import it', () => {
  const next = '{"private":true,"dependencies":{"axios":"1","next":"14"}}'
  const action = `'use server'\nimport axios from 'axios'\nexport const ask = async () => (await axios.get('http://a')).data`
  const of = (file: string, text: string, manifest = next) =>
    said({ 'package.json': manifest, 'app/page.tsx': 'export default () => null', [file]: text })
  expect(of('src/actions/ask.ts', action)).toEqual(['info src/actions/ask.ts:3; nothing here uses its file'])
  expect(of('src/actions/ask.ts', action.replace('ask', 'generateText'))).toEqual(['info src/actions/ask.ts:3; nothing here uses its file'])
  expect(of('app/shop/ask.ts', action.replace("'use server'", ''))).toEqual(['info app/shop/ask.ts:3; nothing here uses its file'])
  expect(of('src/actions/ask.ts', action, APP)).toEqual(['error src/actions/ask.ts:3'])
  expect(of('src/actions/ask.ts', action.replace("'use server'", ''))).toEqual(['error src/actions/ask.ts:3'])
  expect(of('app/shop/route.ts', action.replace('ask', 'GET'))).toEqual(['error app/shop/route.ts:3'])
  const page = `import { ask } from '../src/actions/ask'\nexport default async () => <p>{await ask()}</p>`
  expect(said({ 'package.json': next, 'app/page.tsx': page, 'src/actions/ask.ts': action })).toEqual(['error src/actions/ask.ts:3'])
})

test('nothing looks for files in a folder whose files others import by name', () => {
  const listed = ['one', 'two', 'three']
  const main = `import express from 'express'\n${listed.map((name) => `import ${name} from './controllers/${name}'`).join('\n')}
express().use(one, two, three).listen(80)`
  const files = {
    'src/controllers/tracks.ts': CLASS,
    ...Object.fromEntries(listed.map((name) => [`src/controllers/${name}.ts`, 'export default () => {}'])),
  }
  const unused = ['info src/controllers/tracks.ts:2; nothing here uses its file']
  expect(said({ ...files, 'src/main.ts': main })).toEqual(unused)
  expect(said({ ...files, 'src/main.ts': MAIN })).toEqual(['error src/controllers/tracks.ts:2'])
  const reading = `${main}\nfs.readdirSync(path.join(__dirname, 'controllers')).forEach((each) => require(each))`
  expect(said({ ...files, 'src/main.ts': reading })).toEqual(['error src/controllers/tracks.ts:2'])
})

test('a test that names a file does not use it', () => {
  const mock = `jest.mock('find/tracks', () => ({ Tracks: jest.fn() }))`
  expect(said({ 'src/find/tracks.ts': CLASS, 'src/main.ts': MAIN, 'src/test/mocks.ts': mock })).toEqual(UNUSED)
  expect(said({ 'src/find/tracks.ts': CLASS, 'src/main.ts': MAIN, 'src/mocking.ts': `mock('find/tracks')` })).toEqual(USED)
})

test('what loads the folders that it is called with loads none where nothing asks for it', () => {
  const of = (name: string, main: string) =>
    said({
      'package.json': JSON.stringify({ private: true, dependencies: { axios: '1', [name]: '1' } }),
      'src/find/tracks.ts': CLASS,
      'src/main.ts': main,
    })
  expect(of('require-directory', MAIN)).toEqual(UNUSED)
  expect(of('require-directory', `${MAIN}\nserve(require('require-directory')(module))`)).toEqual(USED)
  expect(of('awilix', `import { createContainer } from 'awilix'\n${MAIN}`)).toEqual(UNUSED)
  expect(of('awilix', `import { createContainer } from 'awilix'\ncreateContainer().loadModules(all)\n${MAIN}`)).toEqual(USED)
})

test('what makes routes of decorated classes loads no other file', () => {
  const of = (text: string) =>
    said({
      'package.json': '{"private":true,"dependencies":{"axios":"1","tsoa":"6"}}',
      'src/find/tracks.ts': text,
      'src/main.ts': MAIN,
    })
  expect(of(CLASS)).toEqual(UNUSED)
  expect(of(CLASS.replace('export default class', '@Route() export class'))).toEqual(USED)
})

test('a name that begins as those do which Next.js calls is one of them only where it is', () => {
  const of = (name: string) =>
    said({ 'src/find/tracks.ts': `import axios from 'axios'\nexport const ${name} = () => axios.get('http://a')`, 'src/main.ts': MAIN })
  expect(of('generateToken')).toEqual(UNUSED)
  expect(of('generateMetadata')).toEqual(USED)
})
