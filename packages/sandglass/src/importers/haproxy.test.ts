import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundMs, ownBounds } from '../model/arithmetic.js'
import { linkChain } from '../model/link.js'
import { importSources } from './import-sources.js'

const read = (text: string, file = 'haproxy.cfg') => {
  const imported = importSources([{ file, text }])
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    chain,
    calls: chain.calls,
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    dead: imported.file.deadSettings?.map(({ setting, effective }) => [setting, effective]) ?? [],
    notes: imported.notes.map(({ kind, text: says }) => `${kind}: ${says}`),
  }
}

const HAPROXY = `global
  maxconn 4000
defaults slow
  timeout server 90s
defaults
  mode http
  timeout connect 5000   # ms
  timeout client 1m
  timeout server 30s
frontend web
  bind *:80
  use_backend api if { path_beg /api }
  default_backend site
backend api
  timeout server "10s"
  timeout check 2s
  retries 1
  retry-on conn-failure response-timeout 503
  server a1 api:8080 maxconn 50 check
  server a2 api:8080 maxconn 50 check
backend site from slow
  server s1 10.0.0.1:80
  server s2 10.0.0.2:80
listen db
  bind :5433
  mode tcp
  retry-on 503
  server pg postgres:5432
`

describe('haproxy', () => {
  it('leaves default_backend to requests whose computed backend is not there, as HAProxy does', () => {
    const cfg = (uses: string) =>
      `defaults\n  mode http\n  timeout connect 1s\n  timeout server 3s\nfrontend web\n  bind :80\n${uses}  default_backend b\nbackend a\n  server a a:80\nbackend b\n  server b b:80\n`
    expect(read(cfg('  use_backend %[req.hdr(host),map(/hosts.map)]\n')).dead).toEqual([])
    expect(read(cfg('  use_backend a\n')).dead).toEqual([['default_backend', 'backend a']])
    expect(read(cfg('  use_backend %[req.hdr(host),map(/hosts.map)]\n  use_backend a\n')).dead).toEqual([
      ['use_backend', 'backend %[req.hdr(host),map(/hosts.map)]'],
    ])
  })

  it('says that set-timeout replaces a limit for some requests', () => {
    const cfg =
      'defaults\n  mode http\n  timeout connect 1s\n  timeout server 30s\nfrontend web\n  bind :80\n  default_backend app\nbackend app\n  http-request set-timeout server 3s if { path_beg /api }\n  http-request set-timeout tunnel 1h\n  server a app:80\n'
    expect(read(cfg).notes).toEqual([
      'unknown: set-timeout server 3s replaces timeout server for some requests; the chain has what holds for the others',
      'unknown: set-timeout tunnel 1h replaces timeout tunnel for some requests; the chain has what holds for the others',
    ])
    expect(read(cfg).calls[0]?.silenceMs?.value).toBe(30_000)
  })

  it('gives each backend its own values, those of the defaults above it, or of the ones it names', () => {
    const { edges, calls } = read(HAPROXY)
    expect(edges).toEqual(['haproxy.web/api -> api.request', 'haproxy.web/site -> site.request', 'haproxy.db -> postgres.query'])
    const limits = calls.map(({ connectMs, silenceMs, attempts }) => [connectMs?.value, silenceMs?.value, attempts.value])
    expect(limits).toEqual([
      [5000, 10_000, 2],
      [undefined, 90_000, 4],
      [5000, 30_000, 4],
    ])
  })

  it('takes a bare number for milliseconds, and waits for a slot only where a server has a limit', () => {
    const { calls } = read(HAPROXY)
    expect(calls[0]?.queue?.perAttemptMs?.value).toBe(5000)
    expect(calls[2]?.queue).toBeUndefined()
  })

  it('repeats connecting alone unless it is told more, and in tcp mode always', () => {
    const { calls, dead } = read(HAPROXY)
    expect(calls.map(({ retryOn }) => retryOn?.value)).toEqual([['connect', 'timeout', '503'], ['connect'], ['connect']])
    expect(dead).toEqual([['retry-on', 'only connecting is repeated']])
    expect(calls[2] && boundMs(ownBounds(calls[2]).total)).toBe(35_000)
  })

  it('knows idle times, falls back as HAProxy does, and says which timers limit no request', () => {
    const { chain, notes } = read(HAPROXY)
    expect(chain.services.get('haproxy')?.keepAlive?.idleMs?.value).toBe(60_000)
    expect(notes).toContain('ignored: timeout check limits health checks, no request')
  })

  it('takes the first part of a time with two units, as older versions do, and says so', () => {
    const { calls, dead } = read('listen a\n  bind :80\n  mode http\n  timeout server 1m30s\n  server s app:80\n')
    expect(calls[0]?.silenceMs?.value).toBe(60_000)
    expect(dead).toEqual([['timeout server', '60 s']])
  })

  it('waits without end where nothing is set, refuses other units, and leaves templates unknown', () => {
    const cfg = (lines: string) => `listen a\n  bind :80\n  mode http\n${lines}\n  server s app:80\n`
    const bare = read(cfg(''))
    expect(bare.calls[0] && ownBounds(bare.calls[0]).total.state).toBe('unbounded')
    expect(read(cfg('  timeout server 1.5s')).dead).toEqual([['timeout server', 'no limit, the default of haproxy']])
    expect(read(cfg('  timeout server {{ t }}')).calls[0]?.silenceMs?.value).toBe('unknown')
    expect(read(cfg('  timeout server "$' + '{T}"')).calls[0]?.silenceMs?.value).toBe('unknown')
  })

  it('reads any text without an error', () => {
    const piece = fc.constantFrom(
      'frontend',
      'backend',
      'listen',
      'a',
      '\n',
      ' ',
      '"',
      "'",
      '\\',
      '#',
      'timeout',
      'server',
      '10s',
      ':80',
      'from',
      'default_backend',
      '{{',
      '}}',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 50 }), (words) => {
        expect(importSources([{ file: 'h.cfg', text: `backend a\n${words.join('')}` }]).file.problems).toEqual([])
      }),
    )
    const startedAt = performance.now()
    read(`listen a\n${'"\\'.repeat(50_000)}\n${'a'.repeat(100_000)}`)
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})

const GRPC = `{
  "methodConfig": [
    { "name": [{ "service": "shop.Cart" }], "timeout": "1.5s",
      "retryPolicy": { "maxAttempts": 9, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE", "DEADLINE_EXCEEDED"] } },
    { "name": [{ "service": "shop.Cart", "method": "Pay" }, {}], "timeout": "10s" },
    { "name": [{ "service": "shop.Stock" }] }
  ]
}
`

describe('gRPC service config', () => {
  it('limits all tries by the timeout, makes five at most, and repeats nothing after the deadline', () => {
    const { edges, calls, dead, notes } = read(GRPC, 'cart/service_config.json')
    expect(edges.map((edge) => edge.replace(/^.*-service_config/, ''))).toEqual([
      '.Cart -> cart.request',
      '.Cart-Pay -> cart.request',
      '.Stock -> stock.request',
    ])
    expect(calls[0]).toMatchObject({
      timeoutMs: { value: 1500 },
      attempts: { value: 5 },
      retryOn: { value: ['connect', '503'] },
      backoff: { baseMs: { value: 100 }, maxMs: { value: 1000 } },
    })
    expect(calls[1]).toMatchObject({ timeoutMs: { value: 10_000 }, attempts: { value: 1 } })
    expect(calls[2] && ownBounds(calls[2]).total.state).toBe('unbounded')
    expect(dead).toEqual([
      ['maxAttempts', '5 attempts'],
      ['retryableStatusCodes', 'not repeated'],
    ])
    expect(notes.some((note) => note.includes('every method'))).toBe(true)
  })

  it('refuses a duration that is not in seconds, and reads any text without an error', () => {
    expect(read(GRPC.replace('"1.5s"', '"1500ms"'), 'c.json').dead[0]).toEqual(['timeout', 'no limit, the default of grpc service config'])
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(importSources([{ file: 'c.json', text: `{"methodConfig": [${text}` }]).file.problems).toEqual([])
      }),
    )
  })
})
