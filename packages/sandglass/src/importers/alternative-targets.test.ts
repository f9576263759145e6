import { describe, expect, it } from 'vitest'
import { computeFlow } from '../model/flow.js'
import { orderChain } from '../model/order.js'
import { imported } from './import-run.fixture.js'

const compose = `services:
  nginx: { image: nginx:1.27, volumes: ["./nginx.conf:/etc/nginx/nginx.conf"] }
  gateway: { image: acme/gw, environment: { DATABASE_URL: "postgres://db:5432/x" } }
  gateway2: { image: acme/gw, environment: { DATABASE_URL: "postgres://db:5432/x" } }
  db: { image: postgres:16 }
`
const nginx = (servers: string) =>
  `events {}\nhttp { upstream gw { ${servers} } server { listen 80; location / { proxy_pass http://gw; proxy_read_timeout 5s; } } }\n`

function of(servers: string) {
  return imported({ 'compose.yaml': compose, 'nginx.conf': nginx(servers) })
}

describe('several servers behind one name', () => {
  it('are called each where they are services, and the note says what is assumed', () => {
    const run = of('server gateway:8080; server gateway2:8080;')
    expect(run.edges).toEqual([
      'nginx.request -> gateway.request',
      'nginx.request -> gateway2.request',
      'gateway.request -> db.query',
      'gateway2.request -> db.query',
    ])
    for (const name of ['gateway', 'gateway2'])
      expect(run.call(`nginx.request -> ${name}.request`)).toMatchObject({
        silenceMs: { value: 5000 },
        attempts: { value: 2 },
        share: { value: 0.5 },
      })
    expect(run.chain.journeys.map(({ name }) => name)).toEqual(['nginx'])
    expect(run.service('gw')).toBeUndefined()
    expect(run.notes).toContain(
      'unknown: http://gw: which of gateway, gateway2 is asked is decided at run time; the chain has a call to each, with the same limits and the share of the requests that its weight gives it',
    )
  })

  it('are taken in the place of a service that has the name of the list', () => {
    const run = imported({
      'compose.yaml': compose,
      'nginx.conf': nginx('server gateway:8080; server gateway2:8080;').replaceAll('gw', 'gateway'),
    })
    expect(run.edges.filter((edge) => edge.startsWith('nginx'))).toEqual([
      'nginx.request -> gateway.request',
      'nginx.request -> gateway2.request',
    ])
  })

  it('may be in part unknown', () => {
    const run = of('server gateway:8080; server spare:8080 backup;')
    expect(run.edges.filter((edge) => edge.startsWith('nginx'))).toEqual([
      'nginx.request -> gateway.request',
      'nginx.request -> spare.request',
    ])
  })

  it('stay one service by the name of the list where none of them is known', () => {
    const run = of('server 10.0.0.1:8080; server 10.0.0.2:8080;')
    expect(run.edges.filter((edge) => edge.startsWith('nginx'))).toEqual(['nginx.request -> gw.request'])
    expect(run.notes).toEqual([])
  })

  it('are one call where they are ports of one service', () => {
    const run = of('server gateway:8080; server gateway:8081;')
    expect(run.edges.filter((edge) => edge.startsWith('nginx'))).toEqual(['nginx.request -> gateway.request'])
    expect(run.notes).toEqual([])
  })

  it('are called each behind HAProxy and Envoy too', () => {
    const haproxy = imported({
      'compose.yaml': compose,
      'haproxy.cfg':
        'defaults\n  timeout connect 1s\n  timeout client 5s\n  timeout server 5s\nfrontend web\n  bind :80\n  default_backend gw\nbackend gw\n  server a gateway:8080\n  server b gateway2:8080\n',
    })
    expect(haproxy.edges).toEqual(expect.arrayContaining(['haproxy.web -> gateway.request', 'haproxy.web -> gateway2.request']))
    const endpoint = (host: string) => `{ endpoint: { address: { socket_address: { address: ${host}, port_value: 8080 } } } }`
    const envoy = imported({
      'compose.yaml': compose,
      'envoy.yaml': `static_resources:
  listeners:
    - address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                route_config:
                  virtual_hosts: [{ name: all, domains: ["*"], routes: [{ match: { prefix: / }, route: { cluster: gw } }] }]
  clusters:
    - name: gw
      connect_timeout: 1s
      load_assignment: { endpoints: [{ lb_endpoints: [${endpoint('gateway')}, ${endpoint('gateway2')}] }] }
`,
    })
    expect(envoy.edges.filter((edge) => edge.includes('-> gateway'))).toHaveLength(2)
  })

  it('limit the tries where more are written, which is no default', () => {
    const run = imported({ 'nginx.conf': nginx('server a; server b;').replace('proxy_read', 'proxy_next_upstream_tries 3; proxy_read') })
    expect(run.call('nginx.request -> gw.request')?.attempts).toMatchObject({ value: 2, origin: { kind: 'declared' } })
    const open = imported({ 'nginx.conf': nginx('server a; server b;') })
    expect(open.call('nginx.request -> gw.request')?.attempts).toMatchObject({ value: 2, origin: { kind: 'default' } })
  })

  it('share the requests by their weights, and a backup has none of them', () => {
    const run = of('server gateway:8080 weight=3; server gateway2:8080; server spare:8080 backup;')
    const shares = ['gateway', 'gateway2', 'spare'].map((name) => run.call(`nginx.request -> ${name}.request`)?.share.value)
    expect(shares).toEqual([0.75, 0.25, 0])
    expect(run.notes).toContain(
      'unknown: http://gw: spare is a backup, asked only while none of gateway, gateway2 answers; the chain has a call to each, with the same limits and the share of the requests that its weight gives it',
    )
  })

  it('have no share where a weight is not known', () => {
    const run = of(`server gateway:8080 weight=$\{W}; server gateway2:8080;`)
    expect(['gateway', 'gateway2'].map((name) => run.call(`nginx.request -> ${name}.request`)?.share.value)).toEqual([1, 1])
    expect(run.notes.join()).toContain('and no share of the requests')
  })

  it('multiply what all of them call by the tries alone', () => {
    const run = of('server gateway:8080; server gateway2:8080;')
    const db = run.operation('db.query')
    const flow = db && computeFlow(run.chain, orderChain(run.chain))
    expect(db && flow?.arrivalsPerRequest(db)).toBe(2)
  })
})
