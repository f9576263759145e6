import { describe, expect, it, test } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { nodeVersionIn } from './node-versions.js'
import { run } from './run.js'

const CALL = `await fetch('http://a')`

async function scan(texts: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const system = memorySystem(texts)
  return { code: await run(['scan', ...args], system), ...system.said }
}

test.each([
  ['20', '20'],
  ['v22.11.0\n', '22.11.0'],
  ['lts/iron', '20'],
  ['lts/*', null],
  ['banana', null],
  ['', null],
])('%j names Node %s', (text, version) => {
  expect(nodeVersionIn(text)).toBe(version)
})

describe('the Node that code runs in', () => {
  it('is that of the nearest file that names one', async () => {
    const { stdout } = await scan({ '.nvmrc': '20', 'a.ts': CALL, 'old/.nvmrc': 'lts/hydrogen', 'old/src/a.ts': CALL })
    expect(stdout).toContain('a.ts:1:7: warning default-bound nothing but the default of fetch of Node 20 ')
    expect(stdout).toContain(
      'old/src/a.ts:1:7: warning default-bound nothing but the default of fetch of Node 18 ends this call: 10 s for the connection, 300 s',
    )
  })

  it('is that of the image it is put into, before what a developer has beside it', async () => {
    const { stdout } = await scan({
      '.nvmrc': '22',
      'a.ts': CALL,
      'app/Dockerfile': 'FROM node:18-alpine',
      'app/.nvmrc': '22',
      'app/a.ts': CALL,
    })
    expect(stdout).toContain('app/a.ts:1:7: warning default-bound nothing but the default of fetch of Node 18 ')
    expect(stdout).toMatch(/^a\.ts:1:7: warning default-bound nothing but the default of fetch of Node 22 /)
  })

  it('is none that there is not', async () => {
    const { stdout } = await scan({ Dockerfile: `FROM node:${'9'.repeat(30)}`, '.nvmrc': '22', 'a.ts': CALL })
    expect(stdout).toContain(' of fetch of Node 22 ')
  })

  it.each(['banana', '', '20.x'])('is refused where somebody names %j', async (named) => {
    const { code, stderr } = await scan({ 'a.ts': CALL }, '--node', named)
    expect(stderr).toBe(`--node: "${named}" is no version of Node; expected one such as 20, 22.11.0 or lts/iron\n`)
    expect(code).toBe(2)
  })
})

test('an empty path and a budget of nothing are refused', async () => {
  expect(await scan({ 'a.ts': CALL }, '')).toMatchObject({
    code: 2,
    stderr: 'sandglass scan: one of the paths is empty; expected a file or a folder\n',
  })
  expect(await scan({ 'a.ts': CALL }, '--budget', '0s')).toMatchObject({
    code: 2,
    stderr: 'sandglass scan: --budget "0s": expected more than 0, such as 800ms or 5s\n',
  })
})
