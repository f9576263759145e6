import { describe, expect, it } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

const NGINX = `upstream app { server app1:8080; server app2:8080; }
server {
  listen 80;
  location /api { proxy_read_timeout 90; proxy_send_timeout 1.5s; proxy_pass http://app; }
  location /img { proxy_pass http://img:9000; }
}
`

describe('sandglass import', () => {
  it('writes a chain file with the origin of every value, which check reads back', async () => {
    const system = memorySystem({ 'deploy/nginx.conf': NGINX })
    expect(await run(['import', 'deploy', '--out', 'sandglass.yaml'], system)).toBe(0)
    const text = system.files.get('sandglass.yaml') ?? ''
    expect(text).toContain('silence: 90s # origin: deploy/nginx.conf:4 location /api { proxy_read_timeout 90;')
    expect(text).toContain('connect: 60s # origin: default of nginx (proxy_connect_timeout)')
    expect(text).toContain(
      'write: 60s # origin: default of nginx (proxy_send_timeout); deploy/nginx.conf:4: "1.5s" is not a time nginx takes',
    )
    expect(text).toContain('dead: proxy_send_timeout (1.5s) has no effect')
    expect(system.said.stderr).toContain('wrote sandglass.yaml: 3 services, 2 calls, 1 note from 1 file')
    expect(await run(['check', '--fail-on', 'never'], system)).toBe(0)
  })

  it.each([
    [
      'compose.yaml',
      'services:\n  web: { image: nginx }\n\tapp: { image: app }\n',
      'compose.yaml:3:1: not read: not valid YAML: tab characters',
    ],
    ['nginx.conf', 'http { server { location / { proxy_pass "http://a; } } }\n', 'nginx.conf:1:'],
    ['nginx.conf', 'http { server { location /a { return 200; }\n', 'not understood: a "{" is not closed'],
    ['application.yml', 'spring:\n  application: { name: app\n  datasource: x: y\n', 'application.yml:3:'],
    ['traefik.toml', '[http.routers.a]\nrule = "x\n', 'traefik.toml:2:'],
    ['envoy.json', '{"static_resources": {"listeners": [}\n', 'envoy.json:1:'],
    ['other.json', '{"a": [}\n', 'other.json:1:8: not read: not valid JSON: a comma or a colon is missing'],
  ])('says why %s that is named is not understood', async (file, text, reason) => {
    const system = memorySystem({ [file]: text })
    expect(await run(['import', file], system)).toBe(2)
    expect(system.said.stderr).toContain(reason)
  })

  it('counts a config that cannot be parsed among what is not read', async () => {
    const files = {
      'deploy/compose.yaml': 'services:\n  web: { image: nginx }\n\tapp: { image: app }\n',
      'deploy/nginx.conf': 'events {}\nhttp { server { listen 80; location / { proxy_pass http://app:80; } } }\n',
    }
    const checked = memorySystem(files)
    await run(['check', 'deploy'], checked)
    expect(checked.said.stderr).toContain('Not read: 1 file, 1 service without data.')
    const imported = memorySystem(files)
    expect(await run(['import', 'deploy'], imported)).toBe(0)
    expect(imported.said.stderr).toContain('from 1 file; not read: 1 file')
  })

  it('reads two folders of one system together in check too', async () => {
    const files = {
      'a/compose.yaml': 'services:\n  app: { image: app, environment: { DB: "postgres://db:5432/x" } }\n  db: { image: "postgres:16" }\n',
      'b/application.yml': 'spring:\n  application: { name: app }\n  datasource: { url: "jdbc:postgresql://db:5432/x" }\n',
      'c/readme.yaml': 'a: 1\n',
    }
    const system = memorySystem(files)
    await run(['show', 'a', 'b', '--format', 'json'], system)
    const { calls } = JSON.parse(system.said.stdout) as { calls: { path: string[] }[] }
    expect(calls.map(({ path }) => path)).toEqual([['app.request', 'db.query']])
    const other = memorySystem(files)
    expect(await run(['check', 'a', 'c'], other)).toBe(2)
    expect(other.said.stderr).toMatch(/^c: a folder with no sandglass\.yaml in it or below it, and no configs/m)
    expect(other.said.stderr).not.toContain('a: a folder')
  })

  it('takes standard input for what its content says', async () => {
    const system = memorySystem({ '-': NGINX })
    expect(await run(['import', '-'], system)).toBe(0)
    expect(system.said.stdout).toContain('silence: 90s # origin: stdin/nginx.conf:4')
    const other = memorySystem({ '-': 'a: 1\n' })
    expect(await run(['import', '-'], other)).toBe(2)
    expect(other.said.stderr).toContain('standard input: its content does not tell which format it is; save it under its usual name')
  })

  it('adds lines that end as those of the file do', async () => {
    const system = memorySystem({
      'deploy/nginx.conf': NGINX,
      'sandglass.yaml': 'sandglass: 1\r\nservices:\r\n  other:\r\n    operations:\r\n      request: {}\r\n',
    })
    expect(await run(['import', 'deploy', '--merge'], system)).toBe(0)
    const text = system.files.get('sandglass.yaml') ?? ''
    expect(text).toContain('  nginx:')
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('gives the same bounds in a folder of configs as in the chain file it writes', async () => {
    const direct = memorySystem({ 'deploy/nginx.conf': NGINX })
    await run(['show', 'deploy', '--format', 'json'], direct)
    await run(['import', 'deploy', '--out', 'chain.yaml'], direct)
    const written = memorySystem({ 'chain.yaml': direct.files.get('chain.yaml') ?? '' })
    await run(['show', 'chain.yaml', '--format', 'json'], written)
    const bounds = (text: string) =>
      (JSON.parse(text) as { calls: { path: string[]; boundMs: number; attempts: number }[] }).calls.map(({ path, boundMs, attempts }) => ({
        path,
        boundMs,
        attempts,
      }))
    expect(bounds(written.said.stdout)).toEqual(bounds(direct.said.stdout))
    expect(bounds(direct.said.stdout)).toHaveLength(2)
  })

  it('reports what has no effect as a finding at its place', async () => {
    const system = memorySystem({ 'deploy/nginx.conf': NGINX })
    await run(['check', 'deploy', '--rule', 'dead-setting', '--format', 'concise'], system)
    expect(system.said.stdout).toContain('deploy/nginx.conf:4:61: warning dead-setting proxy_send_timeout (1.5s) has no effect')
  })

  it('finds the proxy’s default below a limit that was raised behind it (C021)', async () => {
    const system = memorySystem({
      'deploy/nginx.conf': 'server { listen 80; location / { proxy_pass http://gateway:8080; } }\n',
      'deploy/gateway/application.yml':
        'spring:\n  application.name: gateway\n  cloud.gateway:\n    httpclient.response-timeout: 300s\n    routes: [{ id: orders, uri: "http://service:8080" }]\n',
    })
    await run(['check', 'deploy', '--rule', 'inverted', '--format', 'json'], system)
    const { diagnostics } = JSON.parse(system.said.stdout) as {
      diagnostics: { path: string[]; values: object; factors: { value: number; origin: { kind: string; product: string } }[] }[]
    }
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({ path: ['nginx.request', 'gateway.orders', 'service.request'] })
    expect(diagnostics[0]?.values).toMatchObject({ boundMs: 300_000, callerBoundMs: 60_000, orphanedMs: 240_000 })
    expect(diagnostics[0]?.factors).toContainEqual(
      expect.objectContaining({ value: 60_000, origin: expect.objectContaining({ kind: 'default', product: 'nginx' }) as unknown }),
    )
    expect(diagnostics[0]?.factors).toContainEqual(
      expect.objectContaining({ value: 300_000, origin: expect.objectContaining({ kind: 'declared' }) as unknown }),
    )
  })

  it('suggests in words, and never to write chain syntax into a config', async () => {
    const system = memorySystem({
      'deploy/application.yml': 'spring.application.name: a\nfeign.client.config.b: { connectTimeout: 1000, readTimeout: 9000 }\n',
      'deploy/nginx.conf': 'server { location / { proxy_read_timeout 2s; proxy_pass http://a; } }\n',
    })
    await run(['check', 'deploy', '--rule', 'inverted', '--format', 'json'], system)
    const { diagnostics } = JSON.parse(system.said.stdout) as { diagnostics: { suggestion: { text: string; edits: unknown[] } }[] }
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]?.suggestion.text).not.toBe('')
    expect(diagnostics[0]?.suggestion.edits).toEqual([])
  })

  it('does not carry passwords into the chain file', async () => {
    const compose =
      'services:\n  app:\n    image: app\n    environment: { DB_URL: "postgres://me:hunter2@db/x", password: hunter3 }\n  db: { image: postgres }\n'
    const system = memorySystem({ 'compose.yaml': compose })
    await run(['import', 'compose.yaml'], system)
    expect(system.said.stdout).toContain('postgres://…@db/x')
    expect(system.said.stdout).not.toContain('hunter')
    const others = memorySystem({
      'compose.yaml': 'services:\n  cache:\n    image: redis:7\n    command: redis-server --requirepass hunter2 --timeout 300\n',
      'pgbouncer.ini': '[databases]\nx = host=db password=hunter3\n[pgbouncer]\n',
      'init.sql': "CREATE ROLE a PASSWORD 'hunter4'; ALTER ROLE a SET statement_timeout = '5s';\n",
    })
    await run(['import', 'compose.yaml', 'pgbouncer.ini', 'init.sql'], others)
    expect(others.said.stdout).toContain('idle: 5m')
    expect(others.said.stdout).toContain('statement: 5s')
    expect(others.said.stdout).not.toContain('hunter')
  })

  it('annotates the ConfigMap in which a file stands, at the line where it stands there', async () => {
    const map =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: conf }\ndata:\n  nginx.conf: |\n    server {\n      location / { proxy_read_timeout 1.5s; proxy_pass http://a; }\n    }\n'
    const system = memorySystem({ 'k8s/map.yaml': map })
    await run(['check', 'k8s', '--rule', 'dead-setting', '--format', 'github'], system)
    expect(system.said.stdout).toContain('::warning file=k8s/map.yaml,line=7,')
    const sarif = memorySystem({ 'k8s/map.yaml': map })
    await run(['check', 'k8s', '--rule', 'dead-setting', '--format', 'sarif'], sarif)
    expect(sarif.said.stdout).toContain('"uri": "k8s/map.yaml"')
    expect(sarif.said.stdout).toContain('"startLine": 7')
  })

  it('says how a value was worked out', async () => {
    const system = memorySystem({ 'postgresql.conf': 'max_connections = 60\n' })
    await run(['import', 'postgresql.conf'], system)
    expect(system.said.stdout).toContain(
      'concurrency: 57 # = max_connections 60 - superuser_reserved_connections 3; origin: postgresql.conf:1 max_connections = 60',
    )
  })

  it('writes JSON with notes', async () => {
    const system = memorySystem({ 'nginx.conf': NGINX })
    await run(['import', 'nginx.conf', '--format', 'json'], system)
    const document = JSON.parse(system.said.stdout) as {
      schemaVersion: number
      chain: { services: Record<string, unknown> }
      notes: { at: object; kind: string }[]
    }
    expect(document.schemaVersion).toBe(1)
    expect(Object.keys(document.chain.services)).toEqual(['nginx', 'app', 'img'])
    expect(document.notes).toMatchObject([{ at: { file: 'nginx.conf', line: 4, column: 61 }, kind: 'dead' }])
  })

  it('adds what is new to a chain file, and leaves what people wrote', async () => {
    const mine =
      'sandglass: 1\n# ours\njourneys:\n    web: { promise: 3s, starts: nginx.request }\nservices:\n    nginx:\n        operations: { request: {} } # mine\n'
    const system = memorySystem({ 'nginx.conf': NGINX, 'sandglass.yaml': mine })
    expect(await run(['import', 'nginx.conf', '--merge'], system)).toBe(0)
    const text = system.files.get('sandglass.yaml') ?? ''
    expect(text).toContain('# ours\njourneys:\n    web: { promise: 3s, starts: nginx.request }\n    nginx-api:')
    expect(text).toContain('        operations: { request: {} } # mine\n    app: # ')
    expect(text.match(/^ {4}nginx:/gm)).toHaveLength(1)
  })

  it('applies the profiles that are asked for, in check as in import', async () => {
    const yaml =
      'spring.application.name: a\nfeign.client.config.b: { connectTimeout: 1000, readTimeout: 2000 }\n---\nspring.config.activate.on-profile: prod\nfeign.client.config.b.readTimeout: 9000\n'
    const system = memorySystem({ 'deploy/a/application.yml': yaml })
    await run(['import', 'deploy'], system)
    expect(system.said.stdout).toContain('silence: 2s')
    expect(system.said.stderr).toContain('--profile <name> applies a profile')
    const asked = memorySystem({ 'deploy/a/application.yml': yaml })
    await run(['import', 'deploy', '--profile', 'prod'], asked)
    expect(asked.said.stdout).toContain('silence: 9s')
    const nginx = { 'deploy/nginx.conf': 'server { location / { proxy_read_timeout 5s; proxy_pass http://a; } }\n' }
    const check = async (...more: readonly string[]) => {
      const checked = memorySystem({ 'deploy/a/application.yml': yaml, ...nginx })
      return run(['check', 'deploy', '--rule', 'inverted', ...more], checked)
    }
    expect([await check(), await check('--profile', 'prod')]).toEqual([0, 1])
  })

  it('looks at code in Java only where Spring’s settings are, and only at what calls', async () => {
    const java = {
      'shop/src/main/java/A.java': '@FeignClient("stock") interface A {}',
      'shop/src/main/java/B.java': 'class B { int x; }',
      'shop/src/test/java/C.java': '@FeignClient("test") interface C {}',
    }
    const settings = { 'shop/src/main/resources/application.yml': 'spring.application.name: shop\n' }
    const system = memorySystem({ ...java, ...settings })
    await run(['import', 'shop', '--format', 'json'], system)
    const { read, chain } = JSON.parse(system.said.stdout) as { read: { file: string }[]; chain: { services: object } }
    expect(read.map(({ file }) => file)).toEqual(['shop/src/main/resources/application.yml', 'shop/src/main/java/A.java'])
    expect(Object.keys(chain.services)).toEqual(['shop', 'stock'])
    const alone = memorySystem({ ...java, 'shop/nginx.conf': 'server { location / { proxy_pass http://x; } }' })
    await run(['import', 'shop', '--format', 'json'], alone)
    expect((JSON.parse(alone.said.stdout) as { read: unknown[] }).read).toHaveLength(1)
  })

  it('passes over dumps of other tables, other XML, and archives that Nacos did not export', async () => {
    const system = memorySystem({
      'a/nginx.conf': 'server { location / { proxy_pass http://x; } }',
      'a/schema.sql': 'insert into users values (1);',
      'a/mapper.xml': '<mapper><select id="x" timeout="5"/></mapper>',
      'a/lib.zip': 'PK',
    })
    expect(await run(['import', 'a'], system)).toBe(0)
    expect(system.said.stderr).toContain('from 1 file\n')
    expect(await run(['import', 'a/lib.zip'], system)).toBe(2)
    expect(system.said.stderr).toContain('a/lib.zip: no archive that Nacos exported; unpack it and name the folder')
  })

  it('refuses to replace a file, to add to one line, and to import nothing', async () => {
    const taken = memorySystem({ 'nginx.conf': NGINX, 'a.yaml': 'sandglass: 1\nservices: { x: {} }\n', 'b.txt': 'hello' })
    expect(await run(['import', 'nginx.conf', '--out', 'a.yaml'], taken)).toBe(2)
    expect(await run(['import', 'nginx.conf', '--out', 'a.yaml', '--merge'], taken)).toBe(2)
    expect(await run(['import', 'b.txt'], taken)).toBe(2)
    expect(await run(['import', 'missing.conf'], taken)).toBe(2)
    expect(taken.files.get('a.yaml')).toBe('sandglass: 1\nservices: { x: {} }\n')
    expect(taken.said.stdout).toBe('')
  })
})
