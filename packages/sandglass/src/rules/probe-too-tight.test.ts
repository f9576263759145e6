import { describe, expect, test } from 'vitest'
import { probeTooTight } from './probe-too-tight.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (probe: string, { call = 'timeout: 5s', service = 'instances: 12, ', operation = '' } = {}): string => `services:
  api: { ${service}probe: { operation: ready, ${probe} }, operations: { ready: { does: read, ${operation}calls: [{ to: db.ping, ${call} }] } } }
  db: { kind: database, operations: { ping: { does: read } } }
`

describe('probe-too-tight', () => {
  test('says when one slow database takes out all 12 instances: 21 to 31 s after it starts', () => {
    const found = onlyFinding(probeTooTight, chain('timeout: 1s, period: 10s, failures: 3'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe(
      'the probe of api waits 1 s, its check may take 5 s: a slow db.ping takes out 12 of 12 instances 21 to 31 s after it starts',
    )
    expect(found.values).toEqual({ checkMs: 5000, probeTimeoutMs: 1000, instances: 12, outFromMs: 21_000, outToMs: 31_000 })
    expect(found.path).toEqual(['api.ready', 'db.ping'])
    expect(underlined(found.spot)).toBe('1s')
  })

  test('says 20 to 35 s for a probe of 5 s every 15 s that may fail twice; equal times are too tight', () => {
    const found = onlyFinding(probeTooTight, chain('timeout: 5s, period: 15s, failures: 2'))
    expect(found.values).toMatchObject({ outFromMs: 20_000, outToMs: 35_000 })
    expect(found.message).toContain('20 to 35 s after it starts')
  })

  test('is silent where the check is quicker than its probe, by its own limit too', () => {
    expect(findings(probeTooTight, chain('timeout: 5001ms, period: 10s, failures: 3'))).toEqual([])
    expect(findings(probeTooTight, chain('timeout: 1s, period: 10s, failures: 3', { operation: 'limits: { request: 900ms }, ' }))).toEqual(
      [],
    )
  })

  test('adds up what the check does one after the other', () => {
    const text = chain('timeout: 1s, period: 10s, failures: 3', { call: 'timeout: 600ms }, { to: db.ping, timeout: 500ms' })
    expect(onlyFinding(probeTooTight, text).values['checkMs']).toBe(1100)
  })

  test('says what is missing and invents no default', () => {
    expect(onlyFinding(probeTooTight, chain('timeout: 1s')).message).toContain(
      'how long that takes cannot be said: period and failures of the probe are not written',
    )
    expect(onlyFinding(probeTooTight, chain('timeout: 1s, failures: 3')).message).toContain('period of the probe is not written')
    expect(findings(probeTooTight, chain('period: 10s, failures: 3'))).toEqual([])
    expect(onlyFinding(probeTooTight, chain('timeout: 1s, period: 10s, failures: 3', { service: '' })).message).toContain(
      'takes out every instance 21 to 31 s',
    )
  })

  test('is silent where a part is unknown, where the check asks nobody, and where nothing ends it (another rule says so)', () => {
    expect(findings(probeTooTight, chain('timeout: unknown, period: 10s, failures: 3'))).toEqual([])
    for (const call of ['timeout: unknown', 'timeout: none', 'optional: true', 'timeout: 5s, async: true'])
      expect(findings(probeTooTight, chain('timeout: 1s, period: 10s, failures: 3', { call }))).toEqual([])
    expect(
      findings(
        probeTooTight,
        'services: { api: { probe: { operation: ready, timeout: 1s }, operations: { ready: { does: read, latency: { p50: 2s, p99: 3s } } } } }',
      ),
    ).toEqual([])
  })

  test('suggests a bound below the probe, with the margin of the call where it has one', () => {
    expect(onlyFinding(probeTooTight, chain('timeout: 1s')).suggestion?.text).toBe(
      "the call to db.ping to less than 1 s, or the probe's timeout 1 s -> more than 5 s, or leave what all instances share out of the check",
    )
    const margin = onlyFinding(probeTooTight, chain('timeout: 1s', { call: 'timeout: 5s, network: 10ms, reserve: 40ms' }))
    expect(margin.suggestion?.text).toContain('timeout 5 s -> 950 ms')
    expect(margin.suggestion?.edits.map(({ text }) => text)).toEqual(['950ms'])
    expect(onlyFinding(probeTooTight, chain('timeout: { value: 1s, fixed: true }')).suggestion?.text).not.toContain("the probe's timeout")
  })

  test('gives each factor with its origin', () => {
    expect(factorLines(onlyFinding(probeTooTight, chain('timeout: 1s, period: 10s, failures: 3')))).toEqual([
      'probe.timeout = 1000 (declared)',
      'probe.period = 10000 (declared)',
      'probe.failures = 3 (declared)',
      'instances = 12 (declared)',
      'db.ping timeout = 5000 (declared)',
    ])
  })
})
