import { describe, expect, it } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

const CALL = "import axios from 'axios'\n"

async function scan(texts: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const system = memorySystem(texts)
  const code = await run(['scan', ...args], system)
  return { code, ...system.said }
}

describe('comments that are to silence a finding', () => {
  it.each([
    ['// sandglass-ignore unbounded-call', 'expected "// sandglass-ignore rule-id: reason"'],
    ['/* sandglass-ignore unbounded-call */', 'expected "/* sandglass-ignore rule-id: reason */"'],
    ['// sandglass-ignore', 'names no rule; expected "// sandglass-ignore rule-id: reason"'],
  ])('%s is told how it is written in its language', async (comment, said) => {
    const { code, stderr } = await scan({ 'a.ts': `${CALL}${comment}\naxios.get(x)\n` })
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  it('are told how Python writes them', async () => {
    const { stderr } = await scan({ 'a.py': 'import requests\n# sandglass-ignore unbounded-call\nrequests.get(x)\n' })
    expect(stderr).toContain('expected "# sandglass-ignore rule-id: reason"')
  })

  it.each(['/** sandglass-ignore unbounded-call: may wait */', '/**\n * Loads.\n * sandglass-ignore unbounded-call: may wait\n */'])(
    'silence nothing where they describe code, which is noted: %s',
    async (comment) => {
      const { code, stdout, stderr } = await scan({ 'a.ts': `${CALL}${comment}\naxios.get(x)\n` })
      expect(code).toBe(1)
      expect(stdout).toContain('unbounded-call')
      expect(stderr).toContain('this comment silences nothing: it describes code; expected "// sandglass-ignore rule-id: reason"')
    },
  )

  it('count for all findings of their rules on the next line of code, over blank lines and comments', async () => {
    const text = `${CALL}// sandglass-ignore unbounded-call, default-bound: may wait\n\n// why\naxios.get(x); axios.post(y); fetch(z)\n`
    const { code, stdout } = await scan({ 'a.ts': text })
    expect([code, stdout]).toEqual([0, ''])
  })
})

describe('a baseline of scan', () => {
  it('groups what is no longer found, and counts it', async () => {
    const entry = (rule: string, k: number) => ({ rule, path: [], fingerprint: `${rule}${k}` })
    const findings = [...[1, 2, 3].map((k) => entry('default-bound', k)), entry('unbounded-call', 1)]
    const { stderr } = await scan(
      { 'a.ts': 'export {}\n', 'b.json': JSON.stringify({ schemaVersion: 1, findings }) },
      '--baseline',
      'b.json',
    )
    expect(stderr.split('\n').filter((line) => line.includes('no longer found'))).toEqual([
      'note: b.json: 3 of default-bound are no longer found',
      'note: b.json: unbounded-call is no longer found',
      'note: "sandglass scan --write-baseline" takes what is no longer found out of b.json',
    ])
  })

  it('is said to be written by scan where it is broken', async () => {
    const { code, stderr } = await scan({ 'a.ts': 'export {}\n', 'b.json': '{' }, '--baseline', 'b.json')
    expect([code, stderr]).toEqual([2, 'b.json: not JSON; expected what `sandglass scan --write-baseline` writes\n'])
  })
})
