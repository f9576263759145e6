import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckSettings, SeveritySetting } from '../model/chain.js'
import { applyIgnores } from '../model/ignores.js'
import { declared, type Source } from '../model/sourced.js'
import { baselineText, compareBaseline, readBaseline } from './baseline.js'
import { fingerprints } from './fingerprint.js'
import { exampleFinding, spotAt } from './report.fixture.js'
import { applySeverities, pathMatcher } from './severity-settings.js'
import { wildcardMatches } from './wildcard.js'

const yaml = (text: string): Source => ({ file: 'a.yaml', text })
const known = ['inverted', 'uniform', 'no-basis']

describe('a path pattern', () => {
  const path = ['app.pay', 'gateway.pay', 'order.create']
  it.each([
    ['order.*', true],
    ['order', true],
    ['gateway.*', false],
    ['gateway.* > order.create', true],
    ['app.* > order.create', false],
    ['gateway > **', true],
    ['app.pay > ** > order.create', true],
    ['**', true],
    ['ord', false],
    ['or?er.*', true],
  ])('%s of a call to order.create: %s', (pattern, expected) => {
    expect(pathMatcher(pattern)(path)).toBe(expected)
  })

  it('takes time in proportion, whatever stars it has', () => {
    const startedAt = performance.now()
    expect(wildcardMatches(`${'*a'.repeat(1000)}b`, 'a'.repeat(2000))).toBe(false)
    expect(pathMatcher(`${'** > '.repeat(500)}x`)(Array.from({ length: 500 }, () => 'a.b'))).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })

  it('agrees with a regular expression on small patterns', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
    fc.assert(
      fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (pattern, text) => {
        const expected = new RegExp(`^${pattern.replace(/\*+/g, '.*').replace(/\?/g, '.')}$`).test(text)
        expect(wildcardMatches(pattern, text)).toBe(expected)
      }),
    )
  })
})

describe('severities of the chain', () => {
  const source = yaml('x')
  const rules = (pairs: Record<string, SeveritySetting>) =>
    new Map(Object.entries(pairs).map(([rule, value]) => [rule, declared(value, { source, start: 0, end: 1 })]))
  const settings = (severities: Record<string, SeveritySetting>, paths: CheckSettings['paths'] = []): CheckSettings => ({
    severities: rules(severities),
    limits: new Map(),
    paths,
  })

  it('replace the severity of a rule, and "off" drops its findings', () => {
    const found = [exampleFinding(), exampleFinding({ rule: 'uniform', severity: 'warning' })]
    expect(applySeverities(found, settings({ inverted: 'info', uniform: 'off' })).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['inverted', 'info'],
    ])
  })

  it('of a path win over those of the whole chain, and the later path over the earlier', () => {
    const paths = [
      { pattern: 'payments.*', severities: rules({ inverted: 'off' }) },
      { pattern: 'checkout.* > payments.charge', severities: rules({ inverted: 'warning' }) },
      { pattern: 'other.*', severities: rules({ inverted: 'info' }) },
    ]
    expect(applySeverities([exampleFinding()], settings({ inverted: 'info' }, paths)).map(({ severity }) => severity)).toEqual(['warning'])
  })

  it('leave what they do not name untouched', () => {
    const one = exampleFinding()
    expect(applySeverities([one], settings({ uniform: 'off' }))[0]).toBe(one)
  })
})

describe('an ignore comment', () => {
  const found = (source: Source, rule = 'inverted') => exampleFinding({ rule, spot: spotAt(source, '30s'), related: [] })
  const silenced = (text: string) => {
    const source = yaml(text)
    return applyIgnores([found(source)], [source], known)
  }

  it.each([
    ['beside the line', 'timeout: 30s # sandglass-ignore inverted: replaced in May'],
    ['above the line', '# sandglass-ignore inverted: replaced in May\ntimeout: 30s'],
    ['above other comments and blank lines', '  # sandglass-ignore inverted: reason\n\n  # more\n  timeout: 30s'],
    ['among several rules', 'timeout: 30s # sandglass-ignore uniform, inverted: reason'],
  ])('silences a finding %s', (_, text) => {
    expect(silenced(text)).toMatchObject({ diagnostics: [], problems: [], silenced: 1 })
  })

  it('silences by the second place of a finding too', () => {
    const source = yaml('a: 1\nb: 2 # sandglass-ignore inverted: reason')
    const one = exampleFinding({ spot: spotAt(source, 'a'), related: [{ spot: spotAt(source, 'b'), label: '' }] })
    expect(applyIgnores([one], [source], known).diagnostics).toEqual([])
  })

  it.each([
    ['without a reason', 'timeout: 30s # sandglass-ignore inverted', 'gives no reason'],
    ['with an empty reason', 'timeout: 30s # sandglass-ignore inverted:  ', 'gives no reason'],
    ['without a rule', 'timeout: 30s # sandglass-ignore', 'names no rule'],
    [
      'with a rule that does not exist',
      'timeout: 30s # sandglass-ignore invertd: reason',
      'there is no rule "invertd" (did you mean "inverted"?)',
    ],
  ])('%s silences nothing and is a problem', (_, text, message) => {
    const { diagnostics, problems } = silenced(text)
    expect(diagnostics).toHaveLength(1)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
    expect(problems[0]?.spot?.start).toBe(text.indexOf('#'))
  })

  it('for another rule or another line is noted as unused', () => {
    expect(silenced('timeout: 30s # sandglass-ignore uniform: reason')).toMatchObject({
      silenced: 0,
      notes: [{ message: 'this comment silences nothing: there is no uniform here' }],
    })
    expect(silenced('timeout: 30s\nother: 1 # sandglass-ignore inverted: reason').notes).toHaveLength(1)
  })
})

describe('a baseline', () => {
  it('knows the same finding when lines moved, and no other', () => {
    const moved = exampleFinding({ spot: spotAt({ file: 'elsewhere.ts', text: '\n\n\n2000' }, '2000') })
    const other = exampleFinding({ path: ['app.pay', 'gateway.pay'] })
    const baseline = readBaseline(baselineText([exampleFinding()]))
    if ('message' in baseline) throw new Error(baseline.message)
    expect(compareBaseline([moved, other], baseline)).toEqual({ diagnostics: [other], known: 1, stale: [] })
  })

  it('reports what is no longer found', () => {
    const baseline = readBaseline(baselineText([exampleFinding()]))
    if ('message' in baseline) throw new Error(baseline.message)
    expect(compareBaseline([], baseline).stale).toMatchObject([{ rule: 'inverted', path: exampleFinding().path }])
  })

  it('does not call stale what a rule found that was not run', () => {
    const baseline = readBaseline(baselineText([exampleFinding()]))
    if ('message' in baseline) throw new Error(baseline.message)
    expect(compareBaseline([], baseline, ['uniform']).stale).toEqual([])
    expect(compareBaseline([], baseline, ['inverted']).stale).toHaveLength(1)
  })

  it('tells two findings of one call apart, so that a third one is new', () => {
    const twice = [exampleFinding(), exampleFinding()]
    expect(new Set(fingerprints(twice).values()).size).toBe(2)
    const baseline = readBaseline(baselineText(twice))
    if ('message' in baseline) throw new Error(baseline.message)
    expect(compareBaseline([...twice, exampleFinding()], baseline).diagnostics).toHaveLength(1)
  })

  it('is the same text whatever the order of the findings', () => {
    const [a, b] = [exampleFinding({ path: ['a.b'] }), exampleFinding({ path: ['c.d'] })]
    expect(baselineText([a, b])).toBe(baselineText([b, a]))
  })

  it.each([
    ['{', 'not JSON'],
    ['[]', 'no list "findings"'],
    ['{"findings":[],"schemaVersion":2}', 'schemaVersion 2'],
    ['{"findings":[{}],"schemaVersion":1}', 'finding 1 has no fingerprint'],
  ])('that reads %s is refused', (text, message) => {
    expect(readBaseline(text)).toMatchObject({ message: expect.stringContaining(message) as string })
  })
})
