import { expect, it } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

async function scan(...args: readonly string[]) {
  const system = memorySystem({ 'src/a.ts': 'export {}\n' })
  const code = await run(['scan', ...args], system)
  return { code, ...system.said, files: [...system.files.keys()] }
}

it.each([
  [['-'], 'sandglass scan: it reads no standard input; name files or folders, or "./-" for a file of that name\n'],
  [['--chain', '-'], 'sandglass scan: --chain writes no standard output; name a file, as in --chain sandglass.yaml\n'],
])('%j is no stream', async (args, said) => {
  const { code, stderr, files } = await scan(...args)
  expect([code, stderr, files]).toEqual([2, said, ['src/a.ts']])
})
