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
])('what is told a text by %s holds no limits', (_, argument, before = '') => {
  const { diagnostics } = scanTexts(CLIENT(argument, before))
  expect(diagnostics.map(({ rule }) => rule)).toEqual(['unbounded-call'])
})

test.each([
  ['where nothing tells', 'options', 'const options = read()'],
  ['of a list', 'options', 'const options = read()\nexport const first = options.includes(1)'],
  ['of an object in it', 'settings.redis'],
  ['where options come after it', 'settings.url, settings.redis'],
])('nothing is said %s', (_, argument, before = '') => {
  const scanned = scanTexts(CLIENT(argument, before))
  expect(findingLines(scanned)).toEqual([])
  expect(callLines(scanned)[0]).toMatch(/unknown/)
})
