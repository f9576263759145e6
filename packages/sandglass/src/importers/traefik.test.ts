import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf } from '../model/sourced.js'
import { imported } from './import-run.fixture.js'
import { importSources } from './import-sources.js'

const STATIC = `entryPoints:
  web:
    address: ":80"
    transport: { respondingTimeouts: { readTimeout: 30, writeTimeout: 40s, idleTimeout: 2m } }
serversTransport:
  forwardingTimeouts: { dialTimeout: 5, responseHeaderTimeout: 20s }
`
const DYNAMIC = `http:
  routers:
    shop: { rule: "Host(\`shop.example\`) && PathPrefix(\`/api\`)", service: shop, middlewares: [again, guard] }
    static: { rule: "PathPrefix(\`/static\`)", service: files }
  services:
    shop: { loadBalancer: { serversTransport: slow, servers: [{ url: "http://shop:8080" }] } }
    files: { loadBalancer: { servers: [{ url: "http://files:80" }] } }
  serversTransports:
    slow: { forwardingTimeouts: { dialTimeout: 500ms, responseHeaderTimeout: 1m30s, idleConnTimeout: 30 } }
  middlewares:
    again: { retry: { attempts: 4, initialInterval: 100ms } }
    guard: { circuitBreaker: { expression: "NetworkErrorRatio() > 0.30", fallbackDuration: 20s } }
`
const both = imported({ 'traefik/traefik.yml': STATIC, 'traefik/dynamic/shop.yml': DYNAMIC })

describe('traefik', () => {
  it('reads routers, services and transports: a named transport replaces the default one', () => {
    expect(both.edges).toEqual(['traefik.shop -> shop.request', 'traefik.static -> files.request'])
    expect(both.call('traefik.shop -> shop.request')).toMatchObject({
      connectMs: { value: 500 },
      silenceMs: { value: 90_000 },
      keepAliveMs: { value: 30_000 },
    })
    expect(both.call('traefik.static -> files.request')).toMatchObject({
      connectMs: { value: 5000 },
      silenceMs: { value: 20_000 },
      keepAliveMs: { value: 90_000, origin: { kind: 'default', product: 'traefik' } },
    })
  })

  it('takes a bare number for seconds', () => {
    expect(both.call('traefik.static -> files.request')?.connectMs?.value).toBe(5000)
    expect(both.service('traefik')?.keepAlive?.idleMs?.value).toBe(120_000)
  })

  it('counts the first try among the attempts, and repeats only what was not sent', () => {
    const call = both.call('traefik.shop -> shop.request')
    expect(call?.attempts).toMatchObject({ value: 4, origin: { kind: 'declared' } })
    expect(call?.retryOn?.value).toEqual(['connect'])
    expect(call?.backoff).toMatchObject({ kind: 'list' })
    const once = imported({ 'd.yml': DYNAMIC.replace('attempts: 4', 'attempts: 1') }).call('traefik.shop -> shop.request')
    expect([once?.attempts.value, once?.retryOn]).toEqual([1, undefined])
  })

  it('repeats answers of a status where it is told', () => {
    const text = DYNAMIC.replace('attempts: 4,', 'attempts: 3, status: ["503", "500-599"], timeout: 10,')
    expect(imported({ 'd.yml': text }).call('traefik.shop -> shop.request')).toMatchObject({
      retryOn: { value: ['connect', '503', '5xx'] },
      retryStartWithinMs: { value: 10_000 },
    })
  })

  it('waits for an answer without end unless it is told', () => {
    const call = imported({ 'd.yml': DYNAMIC }).call('traefik.static -> files.request')
    expect(call?.silenceMs).toBeUndefined()
    expect(call?.connectMs).toMatchObject({ value: 30_000, origin: { kind: 'default', setting: 'forwardingTimeouts.dialTimeout' } })
  })

  it('reads a breaker, requests at once, and what an entry point gives an answer', () => {
    expect(both.call('traefik.shop -> shop.request')?.breaker).toMatchObject({
      failureRate: { value: 0.3 },
      open: { value: { baseMs: 20_000 } },
    })
    expect(both.operation('traefik.shop')?.limits?.requestMs?.value).toBe(40_000)
    expect(both.notes).toContain('ignored: readTimeout limits how long the caller may take to send its request')
    const text = DYNAMIC.replace(
      'circuitBreaker: { expression: "NetworkErrorRatio() > 0.30", fallbackDuration: 20s }',
      'inFlightReq: { amount: 10 }',
    )
    expect(imported({ 'd.yml': text }).call('traefik.shop -> shop.request')?.bulkhead?.value).toBe(10)
  })

  it('reads TOML as it reads YAML, with the places of its values', () => {
    const toml = `[http.routers.shop]
rule = "PathPrefix(\`/api\`)"
service = "shop"
middlewares = ["again"]
[http.services.shop.loadBalancer]
serversTransport = "slow"
[[http.services.shop.loadBalancer.servers]]
url = "http://shop:8080"
[http.serversTransports.slow.forwardingTimeouts]
responseHeaderTimeout = "45s"
dialTimeout = 3
[http.middlewares.again.retry]
attempts = 3
`
    const { call, edges } = imported({ 'dynamic.toml': toml })
    expect(edges).toEqual(['traefik.shop -> shop.request'])
    const found = call('traefik.shop -> shop.request')
    expect(found).toMatchObject({ silenceMs: { value: 45_000 }, connectMs: { value: 3000 }, attempts: { value: 3 } })
    const spot = found?.silenceMs?.origin.spot
    expect(spot && [spot.source.text.slice(spot.start, spot.end), placeOf(spot).line]).toEqual(['45s', 10])
  })

  const COMPOSE = `services:
  proxy:
    image: traefik:v3.1
    command:
      - --entrypoints.web.address=:80
      - --entrypoints.web.transport.respondingTimeouts.idleTimeout=75
      - --serverstransport.forwardingtimeouts.responseheadertimeout=15s
  shop:
    image: shop
    labels:
      - traefik.enable=true
      - "traefik.http.routers.shop.rule=Host(\`shop.example\`)"
      - traefik.http.routers.shop.middlewares=again@docker
      - traefik.http.services.shop.loadbalancer.server.port=8080
      - traefik.http.services.shop.loadbalancer.serversTransport=slow@file
      - traefik.http.middlewares.again.retry.attempts=2
  blog:
    image: blog
    labels: { traefik.http.routers.blog.rule: "Host(\`blog.example\`)", traefik.http.routers.blog.service: blog, traefik.http.services.blog.loadbalancer.server.port: 3000 }
  hidden: { image: hidden, labels: ["traefik.enable=false", "traefik.http.routers.hidden.rule=Host(\`h\`)"] }
  plain: { image: plain, labels: ["traefik.enable=true"] }
`

  it('reads labels of a compose file, with names in any case, and flags of its command', () => {
    const files = {
      'compose.yaml': COMPOSE,
      'dynamic.yml': 'http: { serversTransports: { slow: { forwardingTimeouts: { responseHeaderTimeout: 3s } } } }\n',
    }
    const { edges, call, service } = imported({
      ...files,
      'dynamic.yml': files['dynamic.yml'].replace('http: {', 'http:\n ').replace(/\}\n$/, '\n'),
    })
    expect(edges).toEqual(['proxy.shop -> shop.request', 'proxy.blog -> blog.request', 'proxy.plain -> plain.request'])
    expect(call('proxy.shop -> shop.request')).toMatchObject({ silenceMs: { value: 3000 }, attempts: { value: 2 } })
    expect(call('proxy.blog -> blog.request')?.silenceMs?.value).toBe(15_000)
    expect(service('proxy')?.keepAlive?.idleMs?.value).toBe(75_000)
  })

  it('says so where a label names what is not among what is read', () => {
    const { notes, call } = imported({ 'compose.yaml': COMPOSE })
    expect(notes).toContain('unknown: serversTransport slow@file: not among what is read; its limits are unknown')
    expect(call('proxy.shop -> shop.request')?.timeoutMs?.value).toBe('unknown')
  })

  it('reads the resources of Kubernetes', () => {
    const crd = `apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: { name: shop, namespace: store }
spec:
  entryPoints: [websecure]
  routes:
    - match: PathPrefix(\`/api\`)
      kind: Rule
      middlewares: [{ name: again }]
      services: [{ name: shop, port: 80, serversTransport: slow }]
    - match: PathPrefix(\`/\`)
      kind: Rule
      services: [{ name: web, port: 80 }]
---
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: { name: again, namespace: store }
spec: { retry: { attempts: 3 } }
---
apiVersion: traefik.io/v1alpha1
kind: ServersTransport
metadata: { name: slow, namespace: store }
spec: { forwardingTimeouts: { responseHeaderTimeout: 25s, dialTimeout: 2s } }
---
apiVersion: v1
kind: Service
metadata: { name: shop, namespace: store }
spec: { selector: { app: shop }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, namespace: store }
spec: { template: { metadata: { labels: { app: shop } }, spec: { containers: [{ name: shop, image: shop }] } } }
`
    const { edges, call } = imported({ 'all.yaml': crd })
    expect(edges).toEqual(['traefik.shop-1 -> shop.request', 'traefik.shop-2 -> web-store.request'])
    expect(call('traefik.shop-1 -> shop.request')).toMatchObject({
      silenceMs: { value: 25_000 },
      connectMs: { value: 2000 },
      attempts: { value: 3 },
    })
  })

  it('gives every router what its entry point has before it', () => {
    const files = (routerPoint: string) => ({
      'traefik.yml': 'entryPoints:\n  web: { address: ":80", http: { middlewares: ["twice@file"] } }\n  inside: { address: ":8080" }\n',
      'dynamic.yml': `http:
  routers:
    shop: { rule: "PathPrefix(\`/\`)", service: shop, entryPoints: [${routerPoint}] }
  services:
    shop: { loadBalancer: { servers: [{ url: "http://shop:8080" }] } }
  middlewares:
    twice: { retry: { attempts: 2 } }
`,
    })
    expect(imported(files('web')).call('traefik.shop -> shop.request')?.attempts?.value).toBe(2)
    expect(imported(files('inside')).call('traefik.shop -> shop.request')?.attempts).toMatchObject({
      value: 1,
      origin: { kind: 'default' },
    })
    expect(imported(files('inside')).dead).toMatchObject([{ setting: 'twice.retry.attempts' }])
  })

  it('leaves what a template makes unknown, and reads the rest', () => {
    const text = DYNAMIC.replace('responseHeaderTimeout: 1m30s', 'responseHeaderTimeout: {{ env "SLOW" }}')
    const { call, notes } = imported({ 'd.yml': text })
    expect(call('traefik.shop -> shop.request')?.silenceMs?.value).toBe('unknown')
    expect(notes).toContain('unknown: responseHeaderTimeout: a template is not resolved; the value is unknown')
    expect(call('traefik.static -> files.request')?.connectMs?.value).toBe(30_000)
  })

  it('refuses what is no duration of Go, and keeps what holds then', () => {
    const { dead } = imported({ 'd.yml': DYNAMIC.replace('dialTimeout: 500ms', 'dialTimeout: 5 seconds') })
    expect(dead).toEqual([{ setting: 'dialTimeout', written: '5 seconds', effective: '30 s, the default of traefik', line: 9 }])
  })

  it('reports a transport and a retry that nothing names', () => {
    const text = DYNAMIC.replace(' serversTransport: slow,', '').replace(', middlewares: [again, guard]', '')
    expect(imported({ 'd.yml': text }).dead).toEqual([
      { setting: 'slow.dialTimeout', written: '500ms', effective: 'the default transport', line: 9 },
      { setting: 'slow.responseHeaderTimeout', written: '1m30s', effective: 'the default transport', line: 9 },
      { setting: 'slow.idleConnTimeout', written: '30', effective: 'the default transport', line: 9 },
      { setting: 'again.retry.attempts', written: '4', effective: '1 attempt', line: 11 },
    ])
  })

  it('reports a router that another one leaves nothing to, by priority, not by what is more exact', () => {
    const text = `http:
  routers:
    all: { rule: "PathPrefix(\`/\`)", priority: 1000, service: web }
    api: { rule: "PathPrefix(\`/api\`)", service: api }
    own: { rule: "Host(\`a\`)", entryPoints: [internal], service: api, priority: 2000 }
  services:
    web: { loadBalancer: { servers: [{ url: "http://web:80" }] } }
    api: { loadBalancer: { servers: [{ url: "http://api:80" }] } }
`
    expect(imported({ 'd.yml': text }).dead).toEqual([
      { setting: 'router api', written: 'PathPrefix(`/api`)', effective: 'PathPrefix(`/`) of router all', line: 4 },
    ])
    expect(imported({ 'd.yml': text }).edges).toEqual(['traefik.all -> web.request', 'traefik.own -> api.request'])
    expect(imported({ 'd.yml': text.replace('priority: 1000, ', '') }).dead).toEqual([])
    expect(imported({ 'd.yml': text.replace('priority: 1000, ', 'priority: 1000, entryPoints: [internal], ') }).dead).toEqual([])
    expect(imported({ 'd.yml': text.replace('priority: 1000, ', 'priority: 1000, tls: { certResolver: x }, ') }).dead).toEqual([])
  })

  it('reports timeouts that stand a level too high or too low', () => {
    const { dead } = imported({
      'traefik.yml': 'entryPoints:\n  web:\n    address: ":80"\n    respondingTimeouts: { idleTimeout: 10s }\n',
      'd.yml': DYNAMIC.replace(
        'slow: { forwardingTimeouts: { dialTimeout: 500ms, responseHeaderTimeout: 1m30s, idleConnTimeout: 30 } }',
        'slow: { responseHeaderTimeout: 9s }',
      ),
    })
    expect(dead).toEqual([
      { setting: 'respondingTimeouts.idleTimeout', written: '10s', effective: 'the value there, or the default', line: 4 },
      { setting: 'responseHeaderTimeout', written: '9s', effective: 'the value there, or the default', line: 9 },
    ])
  })

  it('reads TCP routers, and says that version 1 is another language', () => {
    const tcp =
      'tcp:\n  routers:\n    db: { rule: "HostSNI(`*`)", service: db }\n  services:\n    db: { loadBalancer: { servers: [{ address: "db:5432" }] } }\n'
    expect(imported({ 'd.yml': tcp }).call('traefik.tcp-db -> db.query')?.connectMs?.value).toBe(30_000)
    expect(imported({ 'd.yml': tcp }).call('traefik.tcp-db -> db.query')?.timeoutMs?.value).toBe('unknown')
    const old = imported({ 'traefik.toml': '[frontends]\n  [frontends.a]\n  backend = "a"\n[backends]\n' })
    expect(old.notes).toEqual(['unknown: frontends and backends are of Traefik 1, which is not read'])
  })

  it('says how few idle connections a named transport keeps', () => {
    const remarks = (text: string) =>
      [...importSources([{ file: 'd.yml', text }]).file.remarks.values()].flat().filter((each) => each.includes('idle'))
    expect(remarks(DYNAMIC)).toEqual([
      'serversTransport slow keeps 2 idle connections to a server, the default transport 200: maxIdleConnsPerHost is not set.',
    ])
    expect(remarks(DYNAMIC.replace('slow: {', 'slow: { maxIdleConnsPerHost: 50,'))).toEqual([])
  })

  it('takes the dial timeout of a TCP transport that a service names', () => {
    const tcp = `tcp:
  routers: { db: { rule: "HostSNI(\`*\`)", service: db } }
  services: { db: { loadBalancer: { serversTransport: quick, servers: [{ address: "db:5432" }] } } }
  serversTransports: { quick: { dialTimeout: 2 } }
`
    expect(imported({ 'd.yml': tcp }).call('traefik.tcp-db -> db.query')?.connectMs?.value).toBe(2000)
  })

  it('takes nothing from health checks and from comments', () => {
    const text =
      DYNAMIC.replace(
        'servers: [{ url: "http://files:80" }]',
        'healthCheck: { path: /, timeout: 3s, interval: 10s }, servers: [{ url: "http://files:80" }]',
      ) + '# responseHeaderTimeout: 1s\n'
    expect(imported({ 'd.yml': text }).call('traefik.static -> files.request')?.silenceMs).toBeUndefined()
  })

  it('reads any text without an error', () => {
    const words = [
      'http:\n',
      '[http.routers.a]\n',
      ' routers:',
      ' a:',
      '\n',
      '  ',
      'rule: ',
      '"',
      '`',
      '(',
      ')',
      '&&',
      '||',
      'services',
      '{',
      '}',
      '[',
      ']',
      '=',
      '[[',
      ']]',
      '"""',
      "'",
      '{{',
      '}}',
      '.',
      '5',
    ]
    fc.assert(
      fc.property(fc.constantFrom('d.yml', 'd.toml'), fc.array(fc.constantFrom(...words), { maxLength: 40 }), (file, parts) => {
        const head = file === 'd.toml' ? '[http.routers.x]\n' : 'http:\n  routers:\n    x: {}\n'
        expect(imported({ [file]: head + parts.join('') }).chain).toBeDefined()
      }),
    )
  })

  it('answers for its own dashboard, and calls nobody for it', () => {
    const compose = `services:
  edge:
    image: traefik:v3.0
    labels:
      - traefik.http.routers.board.rule=Host("board.local")
      - traefik.http.routers.board.service=api@internal
  tea:
    image: acme/tea
    labels:
      - traefik.http.routers.tea.rule=Host("tea.local")
`
    expect(imported({ 'compose.yaml': compose }).edges).toEqual(['edge.tea -> tea.request'])
  })
})
