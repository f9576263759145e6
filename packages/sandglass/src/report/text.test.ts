import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { type Palette, plainStyle } from './palette.js'
import { exampleFinding, exampleReport, spotAt } from './report.fixture.js'
import { coverageText, summaryLine, textReport } from './text.js'

const painted = (name: string) => (text: string) => `<${name}>${text}</${name}>`
const palette: Palette = {
  error: painted('e'),
  warning: painted('w'),
  info: painted('i'),
  strong: painted('b'),
  faint: (text) => text,
  place: (text) => text,
  good: painted('g'),
}

describe('the text report', () => {
  it('reads as the documentation shows it: sentence, path with its sum, both places, fix, summary', () => {
    const text = textReport(exampleReport([exampleFinding({ why: '', consequences: [] })]))
    expect(text).toBe(`error inverted  payments can outlive its caller: it may take 4.6 s, checkout gives up after 3 s
  2 attempts x 2 s + back-off up to 0.6 s = 4.6 s
  app.pay 5s > gateway.pay 4s > checkout.pay 3s > payments.charge
  deploy/checkout.yaml:14:14                      services/payments/client.ts:22:25
  14 |     timeout: 3s                            22 | axios.create({ timeout: 2000 })
     |              ^^ the caller stops waiting      |                         ^^^^ each attempt
  fix: attempt 2s -> 1.2s, or attempts 2 -> 1      sandglass explain inverted

1 error in 2 journeys, 14 calls (1 has no limit at all). Not read: 2 files, 1 service without data.
`)
  })

  it('tells what one file has at more than twenty places once, with the lines of the others', () => {
    const at = (count: number) =>
      Array.from({ length: count }, (_, k) => {
        const { source } = exampleFinding().spot
        return exampleFinding({ spot: { source, start: k, end: k + 1 }, related: [] })
      })
    const heads = (count: number) => textReport(exampleReport(at(count))).match(/^error inverted/gm)?.length
    expect([heads(20), heads(21)]).toEqual([20, 1])
    expect(textReport(exampleReport(at(21)))).toContain('the same at 20 more places of this file, in lines 1, 1')
    expect(textReport(exampleReport(at(21)))).toContain('21 errors')
    const others = exampleFinding({ message: 'another' })
    expect(textReport(exampleReport([...at(20), others])).match(/^error inverted/gm)?.length).toBe(21)
  })

  it('puts the sum beside the path where both fit on a line', () => {
    const text = textReport(exampleReport([exampleFinding({ path: ['a.b', 'c.d'], pathBoundsMs: [3000] })]))
    expect(text).toContain('  a.b 3s > c.d (2 attempts x 2 s + back-off up to 0.6 s = 4.6 s)\n')
  })

  it('stacks the two places in a narrow terminal', () => {
    const lines = textReport(exampleReport(), { ...plainStyle, width: 60 }).split('\n')
    const first = lines.findIndex((line) => line.includes('deploy/checkout.yaml:14:14'))
    expect(lines[first]).toBe('  deploy/checkout.yaml:14:14')
    expect(lines[first + 3]).toBe('  services/payments/client.ts:22:25')
  })

  it.each([40, 60, 72, 100, 200])('keeps within %i columns', (width) => {
    const long = exampleFinding({
      message: 'a sentence that goes on '.repeat(12),
      arithmetic: 'one + two + '.repeat(20),
      path: Array.from({ length: 12 }, (_, i) => `service-${i}.operation`),
      pathBoundsMs: [],
    })
    for (const line of textReport(exampleReport([exampleFinding(), long]), { ...plainStyle, width })
      .split('\n')
      .slice(0, -2)) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width)
    }
  })

  it('says why, what follows, and has no fix line where nothing is suggested', () => {
    const text = textReport(exampleReport([exampleFinding({ suggestion: null })]))
    expect(text).toContain(
      '  Nobody takes the answer, and the work goes on.\n  so: bank.charge may go on 1.2 s longer than anybody waits\n  sandglass explain inverted\n',
    )
    expect(text).not.toContain('fix:')
  })

  it('says "no limit" on a path for a call that has none, and "unknown" for one that nobody knows', () => {
    const path = ['app.pay', 'gateway.pay', 'nowhere']
    expect(textReport(exampleReport([exampleFinding({ path, pathBoundsMs: [null, null], arithmetic: '' })]))).toContain(
      '  app.pay unknown > gateway.pay no limit > nowhere\n',
    )
  })

  it('shows what could rewrite the screen as a replacement character', () => {
    const source = { file: 'a\u001b[2J.yaml', text: 'timeout: "\u001b]8;;x\u0007"\u202e' }
    const spot = spotAt(source, 'timeout')
    const text = textReport(exampleReport([exampleFinding({ message: 'bad \u001b[31m name\r\nnext', spot, related: [] })]))
    for (const char of ['\u001b', '\u0007', '\u202e', '\r']) expect(text).not.toContain(char)
    expect(text).toContain('bad \ufffd[31m name')
  })

  it('prints the gravest first', () => {
    const text = textReport(
      exampleReport([exampleFinding({ severity: 'info' }), exampleFinding({ severity: 'warning' }), exampleFinding({ severity: 'error' })]),
    )
    expect(text.match(/^(error|warning|info) /gm)).toEqual(['error ', 'warning ', 'info '])
  })

  it('paints the severity of each finding', () => {
    expect(textReport(exampleReport([exampleFinding({ severity: 'warning' })]), { ...plainStyle, palette })).toMatch(
      /^<w>warning inverted<\/w><b> {2}payments/,
    )
  })
})

describe('the summary line', () => {
  it('counts one as one and two as two', () => {
    const report = exampleReport([exampleFinding(), exampleFinding(), exampleFinding({ severity: 'warning' })])
    expect(summaryLine(report)).toMatch(/^2 errors, 1 warning in 2 journeys/)
  })

  it('says when nothing was found and nothing was left out', () => {
    const { coverage } = exampleReport([])
    const whole = { ...coverage, journeys: 1, calls: 1, unboundedCalls: 0, notRead: [], servicesWithoutData: [] }
    expect(summaryLine({ ...exampleReport([]), coverage: whole })).toBe('Nothing found in 1 journey, 1 call. Nothing was left out.')
  })

  it('tells calls without a limit from calls whose limit nobody knows', () => {
    const { coverage } = exampleReport([])
    expect(coverageText({ ...coverage, unboundedCalls: 2, unknownCalls: 1 })).toContain('(2 have no limit at all, 1 is unknown)')
  })
})
