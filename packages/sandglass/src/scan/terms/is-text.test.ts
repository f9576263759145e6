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
  ['the type of what gives it', 'place()', 'function place(): string { return settings.place }'],
  ['the type of what gave it', 'place', 'const find = (): string => settings.place\nconst place = find()'],
  ['a name for one of two', 'redisUrl', 'const redisUrl = settings.main ? read(1) : read(2)'],
  ['the environment under a name that is handed in', 'place', 'const env = (key: string) => process.env[key]\nconst place = env("PLACE")'],
  ['a name in a package', 'config.redis.url', "import config from 'config'"],
])('what is told a text by %s holds no limits', (_, argument, before = '') => {
  const { diagnostics } = scanTexts(CLIENT(argument, before))
  expect(diagnostics.map(({ rule }) => rule)).toEqual(['unbounded-call'])
})

test.each([
  ['where nothing tells', 'options', 'const options = read()'],
  ['of a list', 'options', 'const options = read()\nexport const first = options.includes(1)'],
  ['of one of two of which one is written', 'redisUrl', 'const redisUrl = settings.main ? read(1) : { host: settings.host }'],
  ['of what gives no text', 'place()', 'function place(): object { return settings.place }'],
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

test('a function that looks into the environment gives a text, or its default', () => {
  const scan = (call: string) =>
    scanTexts({
      files: {
        'env.ts': `export function fromEnv<T extends string>(key: string, otherwise?: T): T {
  const value = process.env[key] as T | undefined
  if (!value) {
    if (otherwise !== undefined) return otherwise
    throw new Error(key)
  }
  return value
}
export const PLACE = ${call}`,
        'code.ts': "import Redis from 'ioredis'\nimport { PLACE } from './env'\nexport const cache = new Redis(PLACE)",
      },
    })
  expect(findingLines(scan("fromEnv('PLACE')"))).toEqual(['code.ts:3 unbounded-call'])
  expect(findingLines(scan("fromEnv('PLACE', 'redis://a')"))).toEqual(['code.ts:3 unbounded-call'])
  expect(findingLines(scan("fromEnv('PLACE', 'redis://a?commandTimeout=500')"))).toEqual([])
})

test('a number out of the environment has its default, whatever gives the name', () => {
  const scanned = scanTexts(`import Redis from 'ioredis'
const numberOf = (key: string, otherwise: number) => Number(process.env[key] ?? otherwise)
export const get = (key: string) => new Redis({ commandTimeout: numberOf('WAIT', 700) }).get(key)
export const other = (key: string) => new Redis({ commandTimeout: Number(process.env[key]) }).get(key)`)
  expect(callLines(scanned)).toEqual(['3 ioredis bounded 700 total', '4 ioredis unknown'])
})
