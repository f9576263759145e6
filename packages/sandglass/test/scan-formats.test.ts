import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { memorySystem } from '../src/cli/memory-system.fixture.js'
import { run } from '../src/cli/run.js'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const json = (path: string) => JSON.parse(read(path)) as object

describe('what scan writes for programs', () => {
  const ajv = new Ajv2020({ strict: false })
  ajv.addMetaSchema(new Ajv().getSchema('http://json-schema.org/draft-07/schema#')?.schema as object)
  const isScan = ajv.compile(json('../schema/scan.schema.json'))

  it('is JSON as its schema has it, shown by example', () => {
    expect([isScan(json('golden/scan-json/stdout')), isScan.errors]).toEqual([true, null])
  })

  it('is such JSON too for calls without limits, unknown ones, other languages, and files that could not be read', async () => {
    const system = memorySystem({
      'a.ts': "import axios from 'axios'\naxios.get(x)\naxios.get(x, { timeout: y })\naxios.get(x, { timeout: 0 })\n",
      'b.py': 'import requests\nrequests.get(x)\nrequests.get(x, timeout=1)\n',
      'c.ts': '{',
      'd.ts': '// sandglass-ignore timer-left: not here\nfetch(x)\n',
    })
    expect(await run(['scan', '--format', 'json'], system)).toBe(1)
    const document = JSON.parse(system.said.stdout) as {
      calls: { outcome: string; shallow: boolean }[]
      notRead: object[]
      notes: object[]
    }
    expect([isScan(document), isScan.errors]).toEqual([true, null])
    expect(document.calls.map(({ outcome, shallow }) => `${outcome} ${shallow}`)).toEqual([
      'unbounded false',
      'unknown false',
      'unbounded false',
      'bounded false',
      'unbounded true',
      'bounded true',
    ])
    expect([document.notRead.length, document.notes.length]).toEqual([1, 1])
  })

  it('is SARIF 2.1.0, each result with its rule', () => {
    const { $schema: _, id: __, ...schema } = json('fixtures/sarif-2.1.0.schema.json') as { $schema: string; id: string }
    const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)
    const sarif = json('golden/scan-sarif/stdout') as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string }[] }[]
    }
    expect([isSarif(sarif), isSarif.errors]).toEqual([true, null])
    const known = sarif.runs[0]?.tool.driver.rules.map(({ id }) => id)
    for (const { ruleId } of sarif.runs[0]?.results ?? []) expect(known).toContain(ruleId)
    for (const rule of sarif.runs[0]?.tool.driver.rules ?? [])
      expect(Object.keys(rule)).toEqual(expect.arrayContaining(['shortDescription', 'fullDescription', 'help', 'helpUri']))
  })

  it('is such SARIF too where files were not read: it says which, and that the scan ran', async () => {
    const { $schema: _, id: __, ...schema } = json('fixtures/sarif-2.1.0.schema.json') as { $schema: string; id: string }
    const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)
    const system = memorySystem({ 'a b.ts': '{', 'c.ts': 'export {}\n' })
    await run(['scan', '--format', 'sarif'], system)
    const sarif = JSON.parse(system.said.stdout) as { runs: { invocations: { toolExecutionNotifications: object[] }[] }[] }
    expect([isSarif(sarif), isSarif.errors]).toEqual([true, null])
    const [invocation] = sarif.runs[0]?.invocations ?? []
    expect(invocation).toMatchObject({ executionSuccessful: true })
    expect(invocation?.toolExecutionNotifications).toMatchObject([
      { level: 'warning', locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b.ts' }, region: { startLine: 1 } } }] },
    ])
  })
})
