import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const code = (options: string) => `import config from 'config'
import Redis from 'ioredis'
export const redis = new Redis(${options})
export const read = () => redis.get('a')`

const lines = (options: string, files: Readonly<Record<string, string>>) =>
  callLines(scanTexts({ files: { 'src/code.ts': code(options), ...files }, versions: { ioredis: '5.4.1' } }))

const silent = ['4 ioredis unbounded']
const ends = (ms: number) => [`4 ioredis bounded ${ms} total`]
const unknown = ['4 ioredis unknown']

test.each([
  ["config.get('redis')", 'config/default.js', "module.exports = { redis: { host: 'a' } }", silent],
  [
    "config.get('cache.redis')",
    'config/default.cjs',
    "module.exports = { cache: { redis: { host: 'a', commandTimeout: 500 } } }",
    ends(500),
  ],
  ['config.redis', 'config/default.ts', "export default { redis: { host: 'a' } }", silent],
  ["{ host: config.get('host'), commandTimeout: config.get('ms') }", 'config/default.json', '{\n  "host": "a", "ms": 700\n}', ends(700)],
  ["config.get('redis')", 'config/default.json5', "{ redis: { host: 'a' } /* near */ }", silent],
  ["config.get('redis')", 'config/default.yaml', 'redis:\n  host: a\n  commandTimeout: 300\n', ends(300)],
  ["config.get('redis')", 'config/production.js', "module.exports = { redis: { host: 'a' } }", unknown],
  ["config.get('queue')", 'config/default.js', "module.exports = { redis: { host: 'a' } }", unknown],
  ["config.get('redis')", 'config/default.js', 'module.exports = load()', unknown],
])('%s is what %s says: %s', (options, file, text, expected) => {
  expect(lines(options, { [file]: text })).toEqual(expected)
})

test('what production or a variable of the environment sets wins over the default file', () => {
  const defaults = { 'config/default.js': "module.exports = { redis: { host: 'a', family: 4 } }" }
  const redis = "config.get('redis')"
  expect(lines(redis, { ...defaults, 'config/production.json': '{ "redis": { "commandTimeout": 900 } }' })).toEqual(ends(900))
  const names = (text: string) => ({ ...defaults, 'config/custom-environment-variables.json': text })
  expect(lines(redis, names('{ "redis": { "host": "REDIS_HOST" } }'))).toEqual(silent)
  expect(lines(redis, names('{ "redis": { "commandTimeout": "REDIS_MS" } }'))).toEqual(unknown)
  expect(lines(redis, names('{ "redis": { "commandTimeout": { "__name": "REDIS_MS", "__format": "number" } } }'))).toEqual(unknown)
  expect(lines(redis, { ...defaults, 'config/production.js': 'module.exports = load(module)' })).toEqual(silent)
})

test('files that nobody can follow say nothing, and those further up are not asked instead', () => {
  const redis = "config.get('redis')"
  const above = { 'config/default.js': "module.exports = { redis: { host: 'a' } }" }
  const said = (files: Readonly<Record<string, string>>) =>
    lines(redis, { ...above, ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`src/config/${name}`, text])) })
  expect(said({})).toEqual(silent)
  expect(said({ 'default.json': '{ "redis": { "host": "b" } }' })).toEqual(silent)
  expect(said({ 'default.json': '{ "redis": {} }', 'default.yaml': 'redis: { commandTimeout: 700 }' })).toEqual(unknown)
  expect(said({ 'default.json': '{ "redis": {} }', 'default.yaml': 'redis: [' })).toEqual(unknown)
  expect(said({ 'default.yaml': 'redis: [' })).toEqual(unknown)
  expect(said({ 'default.json': '{ "redis": {} }', 'production.yaml': '# nothing\n' })).toEqual(silent)
  expect(said({ 'default.json': '{ "redis": {} }', 'production.yaml': 'redis: [' })).toEqual(unknown)
})

test('a folder of another package, and what only is called config, say nothing', () => {
  const own = { 'config/default.js': "module.exports = { redis: { host: 'a' } }" }
  expect(lines("config.get('redis')", { 'other/config/default.js': own['config/default.js'] })).toEqual(unknown)
  const files = {
    ...own,
    'code.ts': code("config.get('redis')").replace("'config'", "'./config.js'"),
    'config.ts': 'export default load()',
  }
  expect(callLines(scanTexts({ files, versions: { ioredis: '5.4.1' } }))).toEqual(unknown)
})
