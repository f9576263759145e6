import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lineOf = (handler: string, target = 'axios.create({ timeout: 500 })') =>
  callLines(
    scanTexts(`import axios from 'axios'
function watched(target, names = []) { return new Proxy(target, ${handler}) }
const client = watched(${target})
client.get('a')`),
  ).join()

const SEEN = '{ get(to, name) { names.push(name); return Reflect.get(to, name) } }'

test('a client behind a proxy that knows nothing of time is that client', () => {
  expect(lineOf(SEEN)).toBe('4 axios bounded 500 silence')
  expect(lineOf(SEEN, 'axios.create()')).toBe('4 axios unbounded')
})

test('nothing is said where the proxy may limit what goes through it, or makes it', () => {
  expect(lineOf('{ get: (to, name) => (...args) => withTimeout(to[name](...args), 50) }')).not.toContain('axios')
  expect(lineOf('handler')).not.toContain('axios')
  expect(lineOf('{ get: (to, name) => Reflect.get(made(), name) }', '{}')).not.toContain('axios')
})
