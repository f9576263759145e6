import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundMs, ownBounds } from '../model/arithmetic.js'
import { linkChain } from '../model/link.js'
import { importSources } from './import-sources.js'

const read = (text: string, file = 'envoy.yaml') => {
  const imported = importSources([{ file, text }])
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    chain,
    calls: chain.calls,
    dead: imported.file.deadSettings?.map(({ setting, effective }) => [setting, effective]) ?? [],
    notes: imported.notes.map(({ kind, text: says }) => `${kind}: ${says}`),
  }
}

const envoyWith = (route: string, more = '') => `static_resources:
  listeners:
  - address: { socket_address: { address: 0.0.0.0, port_value: 10000 } }
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          ${more}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - match: { prefix: /api }
                route: { cluster: app, ${route} }
  clusters:
  - name: app
    connect_timeout: 0.25s
    health_checks: [{ timeout: 1s }]
    load_assignment: { cluster_name: app, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: app.internal, port_value: 8080 } } } }] }] }
`

describe('envoy', () => {
  it('keeps all tries within its default of 15 s, where a longer limit of one try never fires (C025)', () => {
    const { calls, dead, chain } = read(envoyWith('retry_policy: { retry_on: 5xx, per_try_timeout: 30s, num_retries: 3 }'))
    const [call] = calls
    expect(call && boundMs(ownBounds(call).total)).toBe(15_000)
    expect(call).toMatchObject({
      timeoutMs: { value: 15_000, origin: { kind: 'default', product: 'envoy' } },
      attemptMs: { value: 30_000 },
      attempts: { value: 4 },
      connectMs: { value: 250 },
    })
    expect(dead).toEqual([['per_try_timeout', '15 s for all tries']])
    expect([...chain.services.keys()]).toEqual(['envoy', 'app-internal'])
  })

  it('takes 0s for no limit, and says how long the stream may be idle instead', () => {
    const [call] = read(envoyWith('timeout: 0s')).calls
    expect(call).toMatchObject({ timeoutMs: { value: 'none' }, silenceMs: { value: 300_000 } })
    expect(read(envoyWith('timeout: 0s, idle_timeout: 7s')).calls[0]?.silenceMs?.value).toBe(7000)
    expect(read(envoyWith('timeout: { seconds: 2, nanos: 500000000 }', 'stream_idle_timeout: 1s')).calls[0]).toMatchObject({
      timeoutMs: { value: 2500 },
      silenceMs: { value: 1000 },
    })
  })

  it('never repeats a slow try that has no limit of its own', () => {
    const [call] = read(envoyWith('timeout: 5s, retry_policy: { retry_on: "5xx,reset", num_retries: 2 }')).calls
    expect(call?.retryOn?.value).toEqual(['5xx', 'reset', 'connect'])
    expect(call?.attempts.value).toBe(3)
  })

  it('refuses a duration in another grammar, and tells health checks from requests', () => {
    const { dead, notes } = read(envoyWith('timeout: 1500ms'))
    expect(dead).toEqual([['timeout', '15 s, the default of envoy']])
    expect(notes).toContain('ignored: health_checks limit health checks, no request')
  })

  it('reads JSON, and any text without an error', () => {
    const json =
      '{"static_resources": {"listeners": [{"filter_chains": [{"filters": [{"name": "tcp_proxy", "typed_config": {"cluster": "db"}}]}]}], "clusters": []}}'
    expect(read(json, 'envoy.json').calls[0]).toMatchObject({ silenceMs: { value: 3_600_000 }, connectMs: { value: 5000 } })
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('listeners:', 'clusters:', '- ', '\n', '  ', 'route:', '{', '}', '[', ']', 'timeout: 1s', 'name: x', ':'),
          { maxLength: 40 },
        ),
        (words) => {
          expect(importSources([{ file: 'e.yaml', text: `static_resources:\n  ${words.join('')}` }]).file.problems).toEqual([])
        },
      ),
    )
  })
})

const vs = (http: string, more = '') => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: vs }
spec:
  hosts: [report]${more}
  http:
${http}`

describe('istio', () => {
  it('has no limit of the whole request, repeats by default, and applies nothing beside a fault (C039)', () => {
    const { calls, dead } = read(
      vs(`  - route: [{ destination: { host: a } }]
    retries: { attempts: 1, perTryTimeout: 0.2s, retryOn: 5xx }
  - route: [{ destination: { host: b } }]
  - fault: { delay: { fixedDelay: 2s, percentage: { value: 100 } } }
    route: [{ destination: { host: c } }]
    timeout: 1s
`),
      'istio.yaml',
    )
    const [first, second, third] = calls
    expect(first).toMatchObject({ attempts: { value: 2 }, attemptMs: { value: 200 } })
    expect(first && boundMs(ownBounds(first).total)).toBe(425)
    expect(second?.timeoutMs).toBeUndefined()
    expect(second).toMatchObject({
      attempts: { value: 3, origin: { kind: 'default', product: 'istio' } },
      retryOn: { value: ['connect'] },
    })
    expect(second && ownBounds(second).total.state).toBe('unbounded')
    expect(third?.timeoutMs).toBeUndefined()
    expect(third?.attempts.value).toBe(1)
    expect(dead).toEqual([['timeout', 'no limit']])
    expect(
      JSON.stringify(calls.map(({ timeoutMs, attemptMs, silenceMs }) => [timeoutMs?.value, attemptMs?.value, silenceMs?.value])),
    ).not.toContain('15000')
  })

  it('takes a limit of one try for the request’s where nothing repeats a slow one (C023)', () => {
    const http = (retryOn: string) =>
      vs(`  - retries: { attempts: 3, perTryTimeout: 2s, retryOn: "${retryOn}" }\n    route: [{ destination: { host: report } }]\n`)
    const slow = read(http('503'), 'istio.yaml')
    expect(slow.calls[0] && boundMs(ownBounds(slow.calls[0]).total)).toBe(2000)
    expect(slow.dead).toEqual([['attempts', 'perTryTimeout acts as the request timeout: a slow answer fails after 2 s, with 0 retries']])
    const repeated = read(http('5xx'), 'istio.yaml')
    expect(repeated.calls[0] && boundMs(ownBounds(repeated.calls[0]).total)).toBe(8275)
    expect(repeated.calls[0]?.backoff).toMatchObject({ kind: 'list', largestMs: { value: [25, 75, 175] } })
    expect(repeated.dead).toEqual([])
  })

  it('stands between callers and the host it routes, with the limits of its DestinationRule', () => {
    const rule = `---
apiVersion: networking.istio.io/v1
kind: DestinationRule
spec:
  host: report.shop.svc.cluster.local
  trafficPolicy: { connectionPool: { tcp: { connectTimeout: 3s } }, outlierDetection: { consecutive5xxErrors: 7, baseEjectionTime: 30s } }
  subsets: [{ name: v2, trafficPolicy: { connectionPool: { tcp: { connectTimeout: 1s } } } }]
`
    const http =
      '  - route: [{ destination: { host: report.shop.svc.cluster.local, subset: v2 } }, { destination: { host: report.shop } }]\n'
    const files = [
      { file: 'istio.yaml', text: vs(http) + rule },
      { file: 'nginx.conf', text: 'server { location / { proxy_pass http://report; } }' },
    ]
    const { chain } = linkChain([importSources(files).file])
    expect(chain.calls.map(({ from, to, connectMs }) => `${from.id} -> ${to.value} ${String(connectMs?.value)}`)).toEqual([
      'nginx.request -> sidecar-vs.request 60000',
      'sidecar-vs.request -> report-shop.request 1000',
      'sidecar-vs.request -> report-shop.request 3000',
    ])
    expect(chain.calls[2]?.breaker).toMatchObject({ consecutive: { value: 7 }, open: { value: { baseMs: 30_000 } } })
  })

  it('reads the rules alone, without what is around them', () => {
    expect(
      read(
        'http:\n- retries: { attempts: 3, perTryTimeout: 2s, retryOn: "503" }\n  route: [{ destination: { host: report } }]\n',
        'vs.yaml',
      ).calls[0]?.attemptMs?.value,
    ).toBe(2000)
  })

  it('reads past Helm’s placeholders', () => {
    const { calls } = read(
      vs('  {{- if .Values.x }}\n  - timeout: {{ .Values.timeout }}\n    route: [{ destination: { host: a } }]\n  {{- end }}\n'),
      'istio.yaml',
    )
    expect(calls[0]?.timeoutMs?.value).toBe('unknown')
  })
})
