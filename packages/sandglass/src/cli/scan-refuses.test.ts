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

it.each([
  [['--node', '0'], '--node: there is no Node 0; '],
  [['--node', '99'], '--node: there is no Node 99; '],
  [['--rule', 'inverted'], 'sandglass scan: "inverted" is a rule of check, not of scan; there are unbounded-call, '],
])('%j names nothing that there is', async (args, said) => {
  const { code, stderr } = await scan(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(said)
})

it('says which patterns mean no file', async () => {
  const { stderr } = await scan('--exclude', 'lib/*', '--exclude', 'src/b*', '--severity', 'src/*=info', '--severity', 'lib/*=off')
  expect(stderr.split('\n').filter((line) => line.startsWith('note: --'))).toEqual([
    'note: --exclude lib/*: no source file is meant by it',
    'note: --exclude src/b*: no source file is meant by it',
    'note: --severity lib/*: no file that was scanned is meant by it',
  ])
})

it('explain proposes what begins as the word does', async () => {
  const system = memorySystem({})
  expect(await run(['explain', 'unbounded'], system)).toBe(2)
  expect(system.said.stderr).toContain('there is no rule "unbounded" (did you mean "unbounded-call"?)')
})

it('a file that is found under a link too has the name of its own', async () => {
  const text = "import axios from 'axios'\naxios.get(x)\n"
  const system = memorySystem({ 'a/link.ts': text, 'b/real.ts': text })
  const linked = { ...system, folders: { ...system.folders, identity: (path: string) => `/root/${path.replace('a/link', 'b/real')}` } }
  await run(['scan'], linked)
  expect(system.said.stdout).toMatch(/^b\/real\.ts:2:1: error unbounded-call [^\n]*\n$/)
})

it('what a compiler wrote to load WebAssembly is only read where it is named', async () => {
  const glue = `var ENVIRONMENT_IS_WEB = true, ENVIRONMENT_IS_WORKER = false\nif (ENVIRONMENT_IS_WEB) fetch('http://a/kit.wasm')\n`
  const of = async (...args: readonly string[]) => {
    const system = memorySystem({ 'src/kit.js': glue, 'src/a.ts': 'export {}\n' })
    await run(['scan', ...args], system)
    return system.said
  }
  const { stdout, stderr } = await of()
  expect(stdout).toBe('')
  expect(stderr).toContain('not read: src/kit.js: what a compiler wrote to load WebAssembly; name it to read it\n')
  expect((await of('src/kit.js')).stdout).toContain('default-bound')
})
