import { describe, expect, it } from 'vitest'
import { importSources } from '../../src/importers/import-sources.js'
import { linkChain } from '../../src/model/link.js'
import type { Source } from '../../src/model/sourced.js'
import { checkChain } from '../../src/report/check-chain.js'
import { importYaml } from '../../src/report/import-yaml.js'
import { allRules } from '../../src/rules/all-rules.js'
import { withAndWithout } from './bait-lines.js'
import { proxyBait } from './proxies.bait.js'
import { serverBait } from './servers.bait.js'
import { serviceBait } from './services.bait.js'

/** What is imported, without the comments that say where it stands, and what is found in it. */
function outcome(sources: readonly Source[]) {
  const imported = importSources(sources)
  const { chain } = linkChain([imported.file])
  const { report } = checkChain(chain, allRules, { sources })
  return {
    chain: importYaml(imported, '')
      .replace(/[ \t]*#.*$/gm, '')
      .replace(/\n+/g, '\n'),
    findings: report.diagnostics.map(({ rule, message }) => `${rule}: ${message}`).sort(),
    dead: (imported.file.deadSettings ?? []).map(({ setting, written }) => `${setting} ${written}`),
  }
}

/** A limit whose value only a template engine or the environment knows. */
const templates: readonly (readonly [string, string, string])[] = [
  ['nginx', 'nginx.conf', 'server { location / { proxy_connect_timeout 1s; proxy_read_timeout VALUE; proxy_pass http://app; } }'],
  ['HAProxy', 'haproxy.cfg', 'defaults\n  timeout connect 1s\n  timeout server VALUE\nlisten web\n  bind :80\n  server a app:80\n'],
  [
    'Istio',
    'a.yaml',
    'apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: { name: a }\nspec:\n  hosts: [a]\n  http:\n    - route: [{ destination: { host: a } }]\n      timeout: VALUE\n',
  ],
  [
    'Kubernetes',
    'a.yaml',
    'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\n  annotations:\n    nginx.ingress.kubernetes.io/proxy-read-timeout: VALUE\nspec: { defaultBackend: { service: { name: a } } }\n',
  ],
  [
    'Envoy',
    'envoy.yaml',
    'static_resources:\n  listeners:\n    - filter_chains:\n        - filters:\n            - name: envoy.filters.network.http_connection_manager\n              typed_config:\n                route_config:\n                  virtual_hosts:\n                    - routes:\n                        - match: { prefix: / }\n                          route:\n                            cluster: a\n                            timeout: VALUE\n  clusters: [{ name: a }]\n',
  ],
  [
    'Kong',
    'kong.yml',
    '_format_version: "3.0"\nservices:\n  - name: a\n    url: http://a\n    read_timeout: VALUE\n    routes: [{ name: a, paths: [/] }]\n',
  ],
  [
    'Spring',
    'application.yml',
    'spring: { application: { name: a } }\nfeign:\n  client:\n    config:\n      b:\n        connectTimeout: 100\n        readTimeout: VALUE\n',
  ],
  [
    'properties',
    'application.properties',
    'spring.application.name=a\nfeign.client.config.b.connectTimeout=100\nfeign.client.config.b.readTimeout=VALUE\n',
  ],
  ['PostgreSQL', 'postgresql.conf', 'max_connections = 10\nstatement_timeout = VALUE\n'],
  ['MySQL', 'my.cnf', '[mysqld]\nmax_connections = 10\ninnodb_lock_wait_timeout = VALUE\n'],
  ['Redis', 'redis.conf', 'timeout 300\nmaxclients VALUE\n'],
  ['PgBouncer', 'pgbouncer.ini', '[databases]\na = host=db\n[pgbouncer]\nquery_wait_timeout = VALUE\n'],
  ['uWSGI', 'uwsgi.ini', '[uwsgi]\nsocket = :3031\nharakiri = VALUE\n'],
  ['php-fpm', 'www.conf', '[www]\nlisten = 9000\npm.max_children = 5\nrequest_terminate_timeout = VALUE\n'],
]

describe('a limit that a template fills in', () => {
  it.each(templates)('of %s is unknown, neither dead nor a number', (_, file, text) => {
    for (const value of ['{{ timeout }}', '\u0024{TIMEOUT}', '{{ .Values.timeout | default "9s" }}']) {
      const { chain, dead } = outcome([{ file, text: text.replace('VALUE', value) }])
      expect([value, dead]).toEqual([value, []])
      expect([value, chain]).toEqual([value, expect.stringMatching(/: unknown\b/)])
      // The control: the same limit with a number is read, so it is the template that makes it unknown.
      expect(outcome([{ file, text: text.replace('VALUE', '7') }]).chain).not.toEqual(chain)
    }
  })
})

describe('what looks like a limit of a request and is none', () => {
  it.each([...proxyBait, ...serviceBait, ...serverBait].map((bait) => [bait.title, bait] as const))('%s', (_, bait) => {
    const { baited, plain } = withAndWithout(bait)
    const expected = outcome(plain)
    // Where the true limits are not seen, nothing can be told apart from them.
    expect(expected.chain).toMatch(/(timeout|connect|silence|request|statement|lock|idle|attempt|concurrency|queue|write):? /)
    expect(outcome(baited)).toEqual(expected)
  })
})
