import { describe, expect, it } from 'vitest'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'
import { streamLimit } from './stream-limit.js'

const chain = (call: string, stream = 'stream: { heartbeat: 30s }', more = '') => `
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: feed.x${call} }] } } }
  feed: { operations: { x: { does: read, ${stream} ${more} } } }
`

describe('stream-limit', () => {
  it('reports a total limit on a stream', () => {
    const found = onlyFinding(streamLimit, chain(', timeout: 60s'))
    expect(found).toMatchObject({ severity: 'warning', path: ['web.x', 'feed.x'], values: { boundMs: 60_000, heartbeatMs: 30_000 } })
    expect(underlined(found.spot)).toBe('60s')
    expect(factorLines(found)).toEqual(['timeout = 60000 (declared)', 'heartbeat = 30000 (declared)'])
    expect(onlyFinding(streamLimit, chain('', 'stream: true,', 'limits: { request: 5m }')).values).toEqual({
      boundMs: 300_000,
      heartbeatMs: null,
    })
  })

  it('reports a silence limit shorter than the heartbeat', () => {
    const found = onlyFinding(streamLimit, chain(', silence: 15s'))
    expect(found.values).toEqual({ boundMs: 15_000, heartbeatMs: 30_000 })
    expect(factorLines(found)).toEqual(['silence = 15000 (declared)', 'heartbeat = 30000 (declared)'])
    expect(found.suggestion).toMatchObject({
      text: 'silence 15 s -> 60 s (two heartbeats), or a heartbeat shorter than 15 s',
      edits: [{ text: '60s' }],
    })
    expect(findings(streamLimit, chain('', 'stream: { heartbeat: 30s },', 'limits: { idle: 10s }'))).toHaveLength(1)
  })

  it('is quiet at the heartbeat itself, without limits, and for what is no stream', () => {
    expect(findings(streamLimit, chain(', silence: 30s'))).toEqual([])
    expect(findings(streamLimit, chain(', silence: 29.999s'))).toHaveLength(1)
    expect(findings(streamLimit, chain(''))).toEqual([])
    expect(findings(streamLimit, chain(', timeout: 60s', ''))).toEqual([])
  })

  it('says nothing about unknown limits or heartbeats', () => {
    expect(findings(streamLimit, chain(', timeout: unknown, silence: unknown'))).toEqual([])
    expect(findings(streamLimit, chain(', silence: 1s', 'stream: { heartbeat: unknown }'))).toEqual([])
    expect(findings(streamLimit, chain(', silence: 1s', 'stream: true'))).toEqual([])
  })

  it('asks for a quicker heartbeat where the platform fixes the silence', () => {
    expect(onlyFinding(streamLimit, chain(', silence: { value: 15s, fixed: true }')).suggestion?.text).toBe(
      'heartbeat 30 s -> 7.5 s (two in each 15 s)',
    )
  })
})
