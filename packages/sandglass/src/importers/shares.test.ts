import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'
import { sharesOf } from './shares.js'

const SERVICES = `services:
  red: { image: acme/red }
  blue: { image: acme/blue }
`

const shares = (file: string, text: string) =>
  imported({ 'compose.yaml': SERVICES, [file]: text })
    .chain.calls.filter(({ to }) => /^(red|blue)\./.test(to.value))
    .map(({ to, share }) => `${to.value.split('.')[0]} ${share.value}`)

const envoy = (route: string, clusters: string) => `static_resources:
  listeners:
    - address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                route_config: { virtual_hosts: [{ name: all, domains: ["*"], routes: [{ match: { prefix: / }, route: ${route} }] }] }
  clusters: [${clusters}]
`
const endpoint = (host: string, more = '') => `{ endpoint: { address: { socket_address: { address: ${host}, port_value: 8080 } } }${more} }`

describe('the part of the requests that each of several servers gets', () => {
  it('is none for a backup of HAProxy, whatever the others weigh', () => {
    const haproxy = (servers: string) =>
      `defaults\n  timeout connect 1s\n  timeout client 5s\n  timeout server 5s\nfrontend web\n  bind :80\n  default_backend all\nbackend all\n${servers}`
    expect(shares('haproxy.cfg', haproxy('  server a red:8080 check weight 30\n  server b blue:8080 weight 10\n'))).toEqual([
      'red 0.75',
      'blue 0.25',
    ])
    expect(shares('haproxy.cfg', haproxy('  server a red:8080 check\n  server b blue:8080 check backup\n'))).toEqual(['red 1', 'blue 0'])
    expect(shares('haproxy.cfg', haproxy('  balance first\n  server a red:8080\n  server b blue:8080\n'))).toEqual(['red 1', 'blue 1'])
  })

  it('is none for a later priority of Envoy, and follows weights of endpoints and clusters', () => {
    const lb = (groups: string) => `{ name: all, connect_timeout: 1s, load_assignment: { endpoints: [${groups}] } }`
    const first = `{ lb_endpoints: [${endpoint('red')}] }`
    expect(shares('envoy.yaml', envoy('{ cluster: all }', lb(`${first}, { priority: 1, lb_endpoints: [${endpoint('blue')}] }`)))).toEqual([
      'red 1',
      'blue 0',
    ])
    const weighed = `{ lb_endpoints: [${endpoint('red', ', load_balancing_weight: 4')}, ${endpoint('blue')}] }`
    expect(shares('envoy.yaml', envoy('{ cluster: all }', lb(weighed)))).toEqual(['red 0.8', 'blue 0.2'])
    const one = (name: string) =>
      `{ name: ${name}, connect_timeout: 1s, load_assignment: { endpoints: [{ lb_endpoints: [${endpoint(name)}] }] } }`
    const split = '{ weighted_clusters: { clusters: [{ name: red, weight: 90 }, { name: blue, weight: 10 }] } }'
    expect(shares('envoy.yaml', envoy(split, `${one('red')}, ${one('blue')}`))).toEqual(['red 0.9', 'blue 0.1'])
  })

  it('follows the weights of Kong and APISIX', () => {
    const kong = `_format_version: "3.0"
services: [{ name: shop, host: all, routes: [{ name: r, paths: [/] }] }]
upstreams: [{ name: all, targets: [{ target: "red:8080", weight: 300 }, { target: "blue:8080" }] }]
`
    expect(shares('kong.yaml', kong)).toEqual(['red 0.75', 'blue 0.25'])
    const apisix = (blue: string) => `routes:
  - id: r
    uri: /*
    upstream: { name: all, nodes: [{ host: red, port: 8080, weight: 1 }, { host: blue, port: 8080, weight: 1${blue} }] }
#END
`
    expect(shares('apisix.yaml', apisix(''))).toEqual(['red 0.5', 'blue 0.5'])
    expect(shares('apisix.yaml', apisix(', priority: -1'))).toEqual(['red 1', 'blue 0'])
  })

  it('follows the weights of Istio and of the Gateway API', () => {
    const istio = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: shop }
spec:
  hosts: [shop]
  http: [{ route: [{ destination: { host: red }, weight: 95 }, { destination: { host: blue }, weight: 5 }] }]
`
    expect(shares('istio.yaml', istio)).toEqual(['red 0.95', 'blue 0.05'])
    const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec:
  parentRefs: [{ name: front }]
  rules: [{ backendRefs: [{ name: red, port: 8080, weight: 1 }, { name: blue, port: 8080, weight: 0 }] }]
`
    expect(shares('route.yaml', gateway)).toEqual(['red 1', 'blue 0'])
  })

  it('follows the weights of Traefik, and its fallback has none', () => {
    const traefik = (services: string) => `http:
  routers: { shop: { rule: "Path(\`/\`)", service: all } }
  services:
    ${services}
    red: { loadBalancer: { servers: [{ url: "http://red:8080" }] } }
    blue: { loadBalancer: { servers: [{ url: "http://blue:8080" }] } }
`
    expect(shares('traefik.yml', traefik('all: { weighted: { services: [{ name: red, weight: 3 }, { name: blue }] } }'))).toEqual([
      'red 0.75',
      'blue 0.25',
    ])
    expect(shares('traefik.yml', traefik('all: { failover: { service: red, fallback: blue } }'))).toEqual(['red 1', 'blue 0'])
    const servers = 'all: { loadBalancer: { servers: [{ url: "http://red:8080", weight: 1 }, { url: "http://blue:8080", weight: 4 }] } }'
    expect(shares('traefik.yml', traefik(servers))).toEqual(['red 0.2', 'blue 0.8'])
    const resource = `apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: { name: shop }
spec: { routes: [{ kind: Rule, match: "Path(\`/\`)", services: [{ name: red, port: 8080, weight: 9 }, { name: blue, port: 8080, weight: 1 }] }] }
`
    expect(shares('route.yaml', resource)).toEqual(['red 0.9', 'blue 0.1'])
  })

  it('is not said where nothing weighs anything, or there is one', () => {
    const spot = { source: { file: 'a', text: 'a' }, start: 0, end: 1 }
    expect(
      sharesOf([
        { spot, weight: 0 },
        { spot, weight: 0 },
      ]),
    ).toEqual([undefined, undefined])
    expect(sharesOf([{ spot, weight: 3 }])).toEqual([undefined])
    expect(
      sharesOf([
        { spot, weight: null },
        { spot, weight: 1, isBackup: true },
      ]).map((share) => share?.value),
    ).toEqual([1, 0])
    expect(sharesOf([{ spot, weight: 1, isBackup: true }])).toEqual([undefined])
  })
})
