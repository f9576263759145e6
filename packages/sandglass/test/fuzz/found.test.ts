import { describe, expect, it } from 'vitest'
import { importSources } from '../../src/importers/import-sources.js'
import type { Source } from '../../src/model/sourced.js'
import { importOnce } from './import-once.js'

const BLANK = '\n'.repeat(60_000)
const SPACES = ' '.repeat(60_000)
/** What grows with the square of these texts takes tens of seconds. */
const MOST_CPU_MS = 5000

const files = (texts: Readonly<Record<string, string>>): readonly Source[] => Object.entries(texts).map(([file, text]) => ({ file, text }))
const manyIncludes = (file: string) => `include ${file}; `.repeat(40)

/** Texts that once were faults, as fuzzing found them. */
describe('what fuzzing found', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['blank lines before what tells the format', 'istio', { 'a.yaml': `apiVersion: v1${BLANK}x: y` }],
    ['blank lines in a compose file', 'docker-compose', { 'compose.yaml': `services:${BLANK}  a:\n    image: b` }],
    ['spaces in a configuration with templates', 'nginx', { 'nginx.conf': `server { ${SPACES} location / { proxy_pass http://a; } }` }],
    [
      'files that include each other',
      'nginx',
      { 'a.conf': `${manyIncludes('b.conf')} server {}`, 'b.conf': `${manyIncludes('a.conf')} server {}` },
    ],
    ['stars in an include', 'nginx', { 'a.conf': `include ${'a*'.repeat(90)}b; server {}`, [`${'a'.repeat(200)}.conf`]: 'server {}' }],
    ['a path of any length', 'nginx', { 'nginx.conf': `server { location ${'/api'.repeat(300)} { proxy_pass http://a; } }` }],
    ['a chain without calls', 'docker-compose', { 'compose.yaml': 'services:\n  a:\n    image: b' }],
    [
      'a status that is none',
      'kubernetes',
      {
        'a.yaml':
          'apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: { name: a }\nspec:\n  rules: [{ retry: { attempts: 2, codes: [90] }, backendRefs: [{ name: b }] }]',
      },
    ],
    [
      'a service that names itself',
      'apisix',
      { 'apisix.yaml': 'routes: [{ uri: /x, service_id: a }]\nservices: [{ id: a, service_id: a }]\nupstreams: []\n#END\n' },
    ],
    [
      'a port that is the name of a method',
      'kong',
      { 'kong.yml': '_format_version: "3.0"\nservices: [{ name: a, url: "http://b:constructor/" }]' },
    ],
    ['a driver that is the name of a method', 'spring', { 'application.yml': 'spring.datasource.url: jdbc:constructor://db/a' }],
    [
      'a back-off factor of twenty digits',
      'grpc-service-config',
      {
        'a.json':
          '{ "methodConfig": [{ "name": [{ "service": "a.B" }], "retryPolicy": { "maxAttempts": 3, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 99999999999999999999 } }] }',
      },
    ],
    [
      'a try that is none',
      'grpc-service-config',
      {
        'a.json':
          '{ "methodConfig": [{ "name": [{ "service": "a.B" }], "retryPolicy": { "maxAttempts": 0, "initialBackoff": "1s", "maxBackoff": "1s" } }] }',
      },
    ],
    [
      'two routes of one name',
      'spring',
      {
        'application.yml':
          'spring.cloud.gateway.routes: [{ id: a, uri: "http://a", predicates: [] }, { id: a, uri: "http://b" }, { id: a-2, uri: "http://c" }]',
      },
    ],
    [
      'a server for no connection',
      'postgresql',
      { 'postgresql.conf': 'max_connections = 0\nsuperuser_reserved_connections = 0\nstatement_timeout = 5s' },
    ],
    [
      'a client without threads',
      'spring',
      { 'application.yml': 'server: { tomcat: { threads: { max: 0 } } }\nspring.cloud.gateway.routes: [{ id: a, uri: "http://a" }]' },
    ],
    ['a location of nothing but spaces', 'nginx', { 'app.conf': `-- server { location ${SPACES}` }],
    ['an upstream of nothing but spaces', 'nginx', { 'app.conf': `upstream a${SPACES}` }],
    ['a pass of nothing but spaces', 'nginx', { 'app.conf': `{ proxy_pass ${SPACES}` }],
    [
      'PostgreSQL files that include each other',
      'postgresql',
      {
        'a/postgresql.conf': `work_mem = 1\n${"include 'b.conf'\n".repeat(40)}`,
        'a/b.conf': `work_mem = 1\n${"include 'postgresql.conf'\n".repeat(40)}`,
      },
    ],
    [
      'Redis files that include each other',
      'redis',
      {
        'a/redis.conf': `maxclients 9\n${'include b.conf\n'.repeat(40)}`,
        'a/b.conf': `maxclients 9\n${'include redis.conf\n'.repeat(40)}`,
      },
    ],
    [
      'chains of middlewares in each other',
      'traefik',
      {
        'dynamic.yml': `http:\n  routers: { a: { rule: "Path(/)", service: s, middlewares: [a] } }\n  middlewares:\n    a: { chain: { middlewares: [${Array(60).fill('b').join(', ')}] } }\n    b: { chain: { middlewares: [${Array(60).fill('a').join(', ')}] } }\n  services: { s: { loadBalancer: { servers: [{ url: "http://a" }] } } }\n`,
      },
    ],
    [
      'services of services',
      'traefik',
      {
        'dynamic.yml': `http:\n  routers: { a: { rule: "Path(/)", service: a } }\n  services:\n    a: { weighted: { services: [${Array(60).fill('{ name: b }').join(', ')}] } }\n    b: { weighted: { services: [${Array(60).fill('{ name: a }').join(', ')}] } }\n`,
      },
    ],
    [
      'settings that name each other',
      'spring',
      {
        'application.properties': `spring.application.name=a\n${Array.from({ length: 12 }, (_, at) => `a${at}=${`\${a${at + 1}}`.repeat(50)}`).join('\n')}\na12=\nserver.port=\${a0}\n`,
      },
    ],
    [
      'a breaker that stays open for a thousand years',
      'traefik',
      {
        'dynamic.yml':
          'http:\n  routers: { a: { rule: "Path(/)", service: s, middlewares: [b] } }\n  middlewares: { b: { circuitBreaker: { expression: "NetworkErrorRatio() > 0.3", fallbackDuration: "2147483648" } } }\n  services: { s: { loadBalancer: { servers: [{ url: "http://a" }] } } }\n',
      },
    ],
    [
      'a ConfigMap with an indented line many times and no name',
      'kubernetes',
      {
        'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n${`${' '.repeat(40)}}\n`.repeat(100)}data:\n  nginx.conf: |\n    server {}\n`,
      },
    ],
    [
      'a wait of Traefik that grows longer than any may be',
      'traefik',
      {
        'dynamic.yml':
          'http:\n  routers: { a: { rule: "Path(/)", service: s, middlewares: [b] } }\n  middlewares: { b: { retry: { attempts: 4, initialInterval: 2147483648 } } }\n  services: { s: { loadBalancer: { servers: [{ url: "http://a" }] } } }\n',
      },
    ],
    [
      'a wait of Envoy that grows longer than any may be',
      'envoy',
      {
        'envoy.yaml':
          'static_resources:\n  listeners:\n    - filter_chains:\n        - filters:\n            - name: envoy.filters.network.http_connection_manager\n              typed_config:\n                route_config:\n                  virtual_hosts:\n                    - routes:\n                        - match: { prefix: / }\n                          route:\n                            cluster: a\n                            retry_policy: { retry_on: 5xx, num_retries: 4, retry_back_off: { base_interval: 5000000s } }\n  clusters: [{ name: a }]\n',
      },
    ],
    [
      'a probe that never fails',
      'kubernetes',
      {
        'a.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: { template: { spec: { containers: [{ name: a, image: b, readinessProbe: { httpGet: { path: /, port: 80 }, failureThreshold: 0 } }] } } }',
      },
    ],
    ['elements before a long word', 'sentinel', { 'rules.xml': `<FlowRule>${'<a>1</a>'.repeat(1000)}${'x'.repeat(50_000)}` }],
    ['a long word in a tag', 'sentinel', { 'rules.xml': `<FlowRule ${'x'.repeat(60_000)}>` }],
    [
      'a resource of one sign',
      'sentinel',
      { 'rules.json': `[{ "resource": "${'#'.repeat(60_000)}\\n", "grade": 0, "count": 3, "timeWindow": 5 }]` },
    ],
  ])('%s is no fault', (_, format, texts) => {
    const before = process.cpuUsage()
    importOnce(format, files(texts))
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MOST_CPU_MS)
  })

  it('files that include each other are left out at some number, and it is said', () => {
    const circle = importSources(files({ 'a.conf': `server {} ${manyIncludes('b.conf')}`, 'b.conf': manyIncludes('a.conf') }))
    expect(circle.notes.some(({ text }) => text.includes('include a.conf: an include cycle'))).toBe(true)
    const { notes } = importSources(
      files({
        'a.conf': `server {} ${manyIncludes('b.conf')}`,
        'b.conf': manyIncludes('c.conf'),
        'c.conf': manyIncludes('d.conf'),
        'd.conf': '',
      }),
    )
    expect(notes.some(({ text }) => text.includes('more than 2000 files are included'))).toBe(true)
  })

  it('a status that is none is a note', () => {
    const text =
      'apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: { name: a }\nspec:\n  rules: [{ timeouts: { request: 1s }, retry: { attempts: 2, codes: [90, 503] }, backendRefs: [{ name: b }] }]'
    expect(importSources(files({ 'a.yaml': text })).notes.map((note) => note.text)).toEqual(['retry.codes: "90" is no status'])
  })
})
