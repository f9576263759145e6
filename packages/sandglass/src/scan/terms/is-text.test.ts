import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const CLIENT = (argument: string, before = '') => `import Redis from 'ioredis'
import { settings, read } from './elsewhere'
${before}
export const get = (key: string) => new Redis(${argument}).get(key)`

test.each([
  ['a type', 'address', 'const address: string = read()'],
  ['a cast', 'address', 'const address = read() as string'],
  ['a cast in place', 'read() as string'],
  ['what is done with it', 'address', `const address = read()\nexport const hosts = address.split(',')`],
  ['its name', 'redisUrl', 'const redisUrl = read()'],
  ['a name of what it is read from', 'settings.cache.REDIS_URL!'],
  ['what it is asked for by', "settings.get('redis.url')"],
  ['what it is asked for as', "settings.get<string>('redis')"],
  ['the name of what gives it', 'redisUrl()', "import { redisUrl } from './elsewhere'"],
  ['a name in a package', 'config.redis.url', "import config from 'config'"],
])('what is told a text by %s holds no limits', (_, argument, before = '') => {
  const { diagnostics } = scanTexts(CLIENT(argument, before))
  expect(diagnostics.map(({ rule }) => rule)).toEqual(['unbounded-call'])
})

test.each([
  ['where nothing tells', 'options', 'const options = read()'],
  ['of a list', 'options', 'const options = read()\nexport const first = options.includes(1)'],
  ['of an object in it', 'settings.redis'],
  ['of an object it is asked for', "settings.get('redis')"],
  ['of an object in a package', 'config.redis', "import config from 'config'"],
  ['where options come after it', 'settings.url, settings.redis'],
])('nothing is said %s', (_, argument, before = '') => {
  const scanned = scanTexts(CLIENT(argument, before))
  expect(findingLines(scanned)).toEqual([])
  expect(callLines(scanned)[0]).toMatch(/unknown/)
})

test('a parameter that is a text holds no limits, what a caller gives for it may', () => {
  const scan = (type: string, call = '') =>
    scanTexts(`import Redis from 'ioredis'
export const make = (address${type}) => new Redis(address)
${call}`)
  expect(findingLines(scan(': string'))).toEqual(['code.ts:2 unbounded-call'])
  expect(findingLines(scan(''))).toEqual([])
  expect(findingLines(scan(': string', "export const redis = make('redis://a?commandTimeout=500')"))).toEqual([])
})
