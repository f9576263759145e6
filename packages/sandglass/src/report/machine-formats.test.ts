import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { conciseReport } from './concise.js'
import { githubReport } from './github.js'
import { jsonReport } from './json.js'
import { exampleFinding, exampleReport, spotAt } from './report.fixture.js'
import { sarifReport } from './sarif.js'

const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as AnySchemaObject

describe('the JSON report', () => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(readJson('../../schema/check.schema.json'))

  it('is what its published schema says, with and without findings', () => {
    for (const report of [
      exampleReport(),
      exampleReport([]),
      exampleReport([exampleFinding({ suggestion: null, journey: null, path: [], factors: [] })]),
    ]) {
      void validate(JSON.parse(jsonReport(report)))
      expect(validate.errors).toBeNull()
    }
  })

  it('carries the names of the contract', () => {
    const { schemaVersion, journeys, summary, diagnostics } = JSON.parse(jsonReport(exampleReport())) as Record<string, unknown> & {
      diagnostics: unknown[]
    }
    expect(schemaVersion).toBe(1)
    expect(journeys).toEqual([{ name: 'pay', promiseMs: 5000, worstMs: 5000, typicalMs: 900 }])
    expect(summary).toEqual({ errors: 1, warnings: 0, infos: 0 })
    expect(diagnostics[0]).toMatchObject({
      rule: 'inverted',
      severity: 'error',
      at: { file: 'services/payments/client.ts', line: 22, column: 25 },
      journey: 'pay',
      path: ['app.pay', 'gateway.pay', 'checkout.pay', 'payments.charge'],
      values: { boundMs: 4600 },
      suggestion: { text: 'attempt 2s -> 1.2s, or attempts 2 -> 1', edits: [{ old: '2000', new: '1200', end: { line: 22, column: 29 } }] },
    })
  })

  it('names product and version of a default, and neither of what is written', () => {
    const [finding] = (JSON.parse(jsonReport(exampleReport())) as { diagnostics: [{ factors: unknown[] }] }).diagnostics
    expect(finding.factors).toEqual([
      {
        name: 'attempt',
        value: 2000,
        unit: 'ms',
        origin: { kind: 'declared', file: 'services/payments/client.ts', line: 22, column: 25, product: null, version: null, from: null },
      },
      {
        name: 'attempts',
        value: 2,
        unit: 'count',
        origin: {
          kind: 'default',
          file: 'services/payments/client.ts',
          line: 22,
          column: 25,
          product: 'axios-retry',
          version: '4.5.0',
          from: null,
        },
      },
    ])
  })
})

describe('the SARIF report', () => {
  // The official schema is draft-04; nothing it uses changed its meaning in draft-07 but the name of `id`.
  const { $schema: _, id: __, ...schema } = readJson('../../test/fixtures/sarif-2.1.0.schema.json')
  const validate = new Ajv({ allErrors: true, strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)
  const rules = [{ id: 'inverted', title: 'the inner layer outlives the outer', severity: 'error', page: '# inverted\n\nText.' }] as const
  const resultsOf = (text: string) => (JSON.parse(text) as { runs: [{ results: Record<string, unknown>[] }] }).runs[0].results

  it('is valid by the official schema', () => {
    for (const report of [
      exampleReport(),
      exampleReport([]),
      exampleReport([exampleFinding({ path: [], related: [], factors: [], suggestion: null })]),
    ]) {
      void validate(JSON.parse(sarifReport(report, '1.2.3', rules)))
      expect(validate.errors).toBeNull()
    }
  })

  it('refuses a level that SARIF does not have, so that the check above can fail', () => {
    expect(validate(JSON.parse(sarifReport(exampleReport(), '1.2.3', rules).replace('"level": "error"', '"level": "bad"')))).toBe(false)
  })

  it('relates the path hop by hop, each place once', () => {
    const related = resultsOf(sarifReport(exampleReport(), '1.2.3'))[0]?.['relatedLocations'] as { message: { text: string } }[]
    expect(related.map(({ message }) => message.text)).toEqual(['app.pay > gateway.pay: 5s'])
  })

  it('explains its rules and offers the edit as a fix', () => {
    const log = JSON.parse(sarifReport(exampleReport(), '1.2.3', rules)) as { runs: [{ tool: { driver: { rules: unknown[] } } }] }
    expect(log.runs[0].tool.driver.rules).toMatchObject([
      { id: 'inverted', name: 'Inverted', help: { markdown: '# inverted\n\nText.' }, defaultConfiguration: { level: 'error' } },
    ])
    expect(resultsOf(JSON.stringify(log))[0]?.['fixes']).toMatchObject([
      {
        artifactChanges: [
          {
            replacements: [
              { deletedRegion: { startLine: 22, startColumn: 25, endLine: 22, endColumn: 29 }, insertedContent: { text: '1200' } },
            ],
          },
        ],
      },
    ])
  })

  it('keeps the fingerprint when lines move', () => {
    const source = { file: 'services/payments/client.ts', text: `\n\n\n${exampleFinding().spot.source.text}` }
    const prints = [exampleFinding(), exampleFinding({ spot: spotAt(source, '2000') })].map(
      (one) => resultsOf(sarifReport(exampleReport([one]), '1'))[0]?.['partialFingerprints'],
    )
    expect(prints[0]).toEqual(prints[1])
  })

  it('writes a path as a URI', () => {
    const source = { file: 'my files/a#b.yaml', text: 'x: 1' }
    const text = sarifReport(exampleReport([exampleFinding({ spot: spotAt(source, '1'), related: [] })]), '1')
    expect(text).toContain('"uri": "my%20files/a%23b.yaml"')
  })
})

describe('the GitHub report', () => {
  it('escapes what would end a message or a property', () => {
    const source = { file: 'a,b:c%.yaml', text: 'x: 1' }
    const line = githubReport(
      exampleReport([
        exampleFinding({
          spot: spotAt(source, '1'),
          message: '50%: a, b',
          arithmetic: 'one\r\ntwo',
          path: [],
          why: '',
          consequences: [],
          suggestion: null,
        }),
      ]),
    )
    expect(line).toBe('::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=4,endColumn=5,title=inverted%3A 50%25%3A a%2C b::one%0D%0Atwo\n')
  })

  it('calls an info a notice and a warning a warning', () => {
    const text = githubReport(exampleReport([exampleFinding({ severity: 'info' }), exampleFinding({ severity: 'warning' })]))
    const hidden = githubReport(exampleReport([exampleFinding({ message: 'did you mean \u202e.pick?', why: 'a\u001b[2Jb' })]))
    for (const mark of ['\u202e', '\u001b']) expect(hidden).not.toContain(mark)
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual(['::warning', '::notice', ''])
  })
})

describe('the concise report', () => {
  it('is one line a finding', () => {
    expect(conciseReport(exampleReport())).toBe(
      'services/payments/client.ts:22:25: error inverted payments can outlive its caller: it may take 4.6 s, checkout gives up after 3 s\n',
    )
  })

  it('is empty where nothing was found', () => {
    expect(conciseReport(exampleReport([]))).toBe('')
  })
})
