import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { imported } from './import-run.fixture.js'
import { importSources } from './import-sources.js'

const read = (files: Readonly<Record<string, string>>) => {
  const imported = importSources(Object.entries(files).map(([file, text]) => ({ file, text })))
  const { chain } = linkChain([imported.file])
  return {
    ...imported,
    chain,
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    kinds: Object.fromEntries([...chain.services.values()].map(({ name, kind }) => [name, kind.value])),
  }
}

const COMPOSE = `x-app: &app { image: acme/app, depends_on: [db] }
services:
  web:
    image: nginx:1.25.3-alpine
    volumes: ["./web/nginx.conf:/etc/nginx/nginx.conf:ro"]
    depends_on: [api, db]
  api:
    <<: *app
    environment:
      DATABASE_URL: postgres://u:p@\${DB_HOST:-db}:5432/app
      CACHE_HOST: cache
      STRIPE_URL: https://api.stripe.com/v1
      REQUEST_TIMEOUT: 30
    deploy: { replicas: '\${N}' }
    healthcheck: { timeout: 3s }
  db: { image: "postgres:16", command: "postgres -c max_connections=200 -c statement_timeout=5s -c lock_timeout=0" }
  cache: { image: redis:7, command: [redis-server, --timeout, "300"] }
`

describe('docker-compose', () => {
  it('finds services, what they are, and whom they call by address and by what they wait for', () => {
    const { edges, kinds } = read({ 'compose.yaml': COMPOSE })
    expect(kinds).toMatchObject({ web: 'proxy', api: 'service', db: 'database', cache: 'cache', 'api-stripe-com': 'service' })
    expect(edges).toEqual([
      'web.request -> api.request',
      'web.request -> db.query',
      'api.request -> db.query',
      'api.request -> cache.get',
      'api.request -> api-stripe-com.request',
    ])
  })

  it('gives a proxy its own config, and drops what was only a hint', () => {
    const files = {
      'compose.yaml': COMPOSE,
      'web/nginx.conf':
        'upstream api { server api:8080; keepalive_timeout 9s; } server { location / { proxy_read_timeout 5s; proxy_pass http://api; } }',
    }
    const { edges, chain, notes } = read(files)
    expect(edges.filter((edge) => edge.startsWith('web'))).toEqual(['web.request -> api.request'])
    expect(chain.calls[0]?.silenceMs?.value).toBe(5000)
    expect(chain.calls[0]?.connectMs?.origin).toMatchObject({ product: 'nginx', version: '1.25.3' })
    expect(notes.filter(({ text }) => text.includes('not known'))).toEqual([])
  })

  it('gives a file to its service wherever the folder is', () => {
    for (const folder of ['', 'deploy/', '/srv/shop/', '../shop/']) {
      const { chain } = read({
        [`${folder}compose.yaml`]: 'services:\n  edge:\n    image: nginx:1.25.3\n    volumes: ["./nginx.conf:/etc/nginx/nginx.conf"]\n',
        [`${folder}nginx.conf`]: 'server { location / { proxy_pass http://api; } }',
      })
      expect([...chain.services.keys()], folder).toEqual(['edge', 'api'])
    }
  })

  it('takes the limits of databases from their command line', () => {
    const { chain } = read({ 'compose.yaml': COMPOSE })
    const query = chain.operations.get('db.query')
    expect(query?.limits?.statementMs?.value).toBe(5000)
    expect(query?.limits?.lockMs?.value).toBe('none')
    expect(chain.services.get('db')?.concurrency).toMatchObject({
      value: 197,
      worked: 'max_connections 200 - superuser_reserved_connections 3',
    })
    expect(chain.services.get('cache')?.keepAlive?.idleMs?.value).toBe(300_000)
  })

  it('resolves variables from .env, and leaves what has no value unknown', () => {
    expect(read({ 'compose.yaml': COMPOSE }).chain.services.get('api')?.instances.value).toBe('unknown')
    const { chain, edges } = read({ 'compose.yaml': COMPOSE, '.env': 'N=4 # four\nDB_HOST="cache"\n' })
    expect(chain.services.get('api')?.instances.value).toBe(4)
    expect(edges).toContain('api.request -> cache.get')
  })

  it('takes host and port of a service for an address, whatever the variable is called', () => {
    const { edges } = read({
      'compose.yaml':
        'services:\n  api:\n    image: api\n    environment: [CACHE=cache:6379, METRICS=metrics:9090]\n  cache: { image: redis:7 }\n',
    })
    expect(edges).toEqual(['api.request -> cache.get'])
  })

  it('gives the only nginx.conf to the only service that runs nginx, where no mount says whose it is', () => {
    const conf = 'http { server { location / { proxy_pass http://api:8080; proxy_read_timeout 7s; } } }'
    const compose = 'services:\n  web: { image: "nginx:1.27" }\n  api: { image: api }\n'
    const one = read({ 'compose.yaml': compose, 'nginx.conf': conf })
    expect(one.edges).toEqual(['web.request -> api.request'])
    expect([...one.chain.services.keys()]).toEqual(['web', 'api'])
    const two = read({ 'compose.yaml': compose, 'a/nginx.conf': conf, 'b/nginx.conf': conf })
    expect(two.edges).not.toContain('web.request -> api.request')
    const twice = read({ 'compose.yaml': `${compose}  admin: { image: "nginx:1.27" }\n`, 'nginx.conf': conf })
    expect(twice.edges).toEqual(['nginx.request -> api.request'])
  })

  it('never judges a time of which only the program knows the unit, nor a health check', () => {
    const { notes, chain } = read({ 'compose.yaml': COMPOSE })
    expect(notes.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'unknown: REQUEST_TIMEOUT=30: which limit it sets and in which unit is known to the program alone; it is not in the chain',
      'ignored: healthcheck.timeout limits the health check, no request',
    ])
    expect(chain.calls.every(({ timeoutMs }) => timeoutMs?.value === 'unknown')).toBe(true)
  })

  it('takes gunicorn --timeout for a limit of a request only where workers are sync', () => {
    const limit = (command: string) =>
      read({ 'compose.yaml': `services:\n  app:\n    image: app\n    command: ${command}\n` }).chain.operations.get('app.request')?.limits
        ?.requestMs?.value
    expect(limit('gunicorn -w 4 --timeout 20 app:app')).toBe(20_000)
    expect(limit('gunicorn app:app')).toBe(30_000)
    expect(limit('gunicorn --timeout=20 -k gevent app:app')).toBeUndefined()
  })

  it('reads any text without an error', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'services:',
            '\n',
            '  a:',
            '  ',
            'image: x',
            'build: .',
            '{',
            '}',
            '[',
            ']',
            '*a',
            '&a',
            '<<:',
            '- ',
            '${X',
            ':',
            'environment:',
            'ports:',
            '"',
          ),
          { maxLength: 40 },
        ),
        (words) => {
          expect(importSources([{ file: 'compose.yaml', text: `services:\n  x:\n    image: y\n${words.join('')}` }]).file.problems).toEqual(
            [],
          )
        },
      ),
    )
  })

  it('has a store at its published port on the machine, not at the one inside', () => {
    const to = (ports: string, port: number) =>
      imported({
        'compose.yaml': `services:\n  shop-db: { image: "mysql:8.0", ports: [${ports}] }\n`,
        'shop/src/main/resources/application.yml': `spring: { application: { name: shop }, datasource: { url: "jdbc:mysql://localhost:${port}/shop" } }\n`,
      }).edges
    expect(to('"13306:3306"', 3306)).toEqual(['shop.request -> localhost-3306.query'])
    expect(to('"13306:3306"', 13306)).toEqual(['shop.request -> shop-db.query'])
    expect(to('"127.0.0.1:3306:3306/tcp"', 3306)).toEqual(['shop.request -> shop-db.query'])
    expect(to('{ target: 3306, published: "13306" }', 3306)).toEqual(['shop.request -> localhost-3306.query'])
    expect(to('"3306"', 3306)).toEqual(['shop.request -> shop-db.query'])
  })
})
