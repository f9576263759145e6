import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNginxText } from './nginx.js'

const shown = (text: string, version: string | null = null) => {
  const facts = readNginxText(text, version)
  const operations = facts.services.flatMap((service) => service.operations)
  const limits = Object.fromEntries(
    operations.map(({ name, hops: [hop] }) => [
      name,
      {
        connect: hop?.fields.connectMs?.value,
        write: hop?.fields.writeMs?.value,
        silence: hop?.fields.silenceMs?.value,
        attempts: hop?.fields.attempts?.value ?? 1,
      },
    ]),
  )
  return {
    limits,
    operations,
    facts,
    dead: facts.dead.map(({ setting, effective }) => [setting, effective]),
    notes: facts.notes.map(({ kind, text: says }) => `${kind}: ${says}`),
  }
}

describe('nginx', () => {
  it('gives each location the limits in force there: inherited, its own, or the default (C035)', () => {
    const { limits, operations, dead } = shown(`http {
  proxy_read_timeout 90;
  server {
    location /a { proxy_pass http://a; }
    location /b { proxy_read_timeout 1m30s; proxy_connect_timeout 500ms; proxy_pass http://b; }
    location /c { proxy_read_timeout 5m; proxy_connect_timeout 5m; proxy_pass http://c; }
    # proxy_read_timeout 1s;
  }
}`)
    expect(limits).toEqual({
      '/a': { connect: 60_000, write: 60_000, silence: 90_000, attempts: 1 },
      '/b': { connect: 500, write: 60_000, silence: 90_000, attempts: 1 },
      '/c': { connect: 300_000, write: 60_000, silence: 300_000, attempts: 1 },
    })
    expect(operations[0]?.hops[0]?.fields.connectMs?.origin).toMatchObject({
      kind: 'default',
      product: 'nginx',
      setting: 'proxy_connect_timeout',
    })
    expect(operations[0]?.hops[0]?.fields.silenceMs?.origin.kind).toBe('declared')
    expect(dead).toEqual([['proxy_connect_timeout', 'about 75 s']])
  })

  it('tries as many peers as there are, one peer once, and as few as it is told', () => {
    const conf = (more: string, servers: string) => `upstream u { ${servers} } server { location / { ${more} proxy_pass http://u; } }`
    const attempts = (more: string, servers: string) => shown(conf(more, servers)).limits['request']?.attempts
    expect(attempts('', 'server a; server b; server c;')).toBe(3)
    expect(attempts('', 'server a;')).toBe(1)
    expect(attempts('', 'server a; server b down;')).toBe(1)
    expect(attempts('proxy_next_upstream_tries 2;', 'server a; server b; server c;')).toBe(2)
    expect(attempts('proxy_next_upstream off;', 'server a; server b;')).toBe(1)
    expect(attempts('', 'server a resolve; server b;')).toBe('unknown')
  })

  it('knows that only non_idempotent repeats a POST, and what each word of proxy_next_upstream means', () => {
    const hop = (list: string) =>
      shown(`upstream u { server a; server b; } server { location / { ${list} proxy_pass http://u; } }`).operations[0]?.hops[0]
    expect(hop('')?.repeatsReadsOnly).toBe(true)
    expect(hop('')?.fields.retryOn?.value).toEqual(['connect', 'reset', 'timeout'])
    expect(hop('proxy_next_upstream error http_503 non_idempotent;')?.repeatsReadsOnly).toBe(false)
    expect(hop('proxy_next_upstream error http_503 non_idempotent;')?.fields.retryOn?.value).toEqual(['connect', 'reset', '503'])
  })

  it('reads a window for retries, and takes 0 for none', () => {
    const hop = (list: string) =>
      shown(`upstream u { server a; server b; } server { location / { ${list} proxy_pass http://u; } }`).operations[0]?.hops[0]
    expect(hop('proxy_next_upstream_timeout 10s;')?.fields.retryStartWithinMs?.value).toBe(10_000)
    expect(hop('proxy_next_upstream_timeout 0;')?.fields.retryStartWithinMs).toBeUndefined()
  })

  it('leaves what a template decides unknown, and reads the rest', () => {
    const { limits, notes } = shown(
      'server { location / { proxy_read_timeout {{ timeout }}; proxy_send_timeout $SEND; proxy_connect_timeout 2s; proxy_pass http://b; } }',
    )
    expect(limits['request']).toEqual({ connect: 2000, write: 'unknown', silence: 'unknown', attempts: 1 })
    expect(notes).toHaveLength(2)
    const chosen = shown('server { location / { proxy_pass http://$backend; proxy_read_timeout 5s; } }')
    expect(chosen.limits['request']?.silence).toBe(5000)
    expect(chosen.notes.join()).toContain('decided at run time')
  })

  it('drops what is no time in nginx, and says what holds', () => {
    const { limits, dead } = shown('server { location / { proxy_read_timeout 1.5s; proxy_pass http://b; } }')
    expect(limits['request']?.silence).toBe(60_000)
    expect(dead).toEqual([['proxy_read_timeout', '60 s, the default of nginx']])
  })

  it('says once what is written once, however many locations inherit it', () => {
    const { dead, notes } = shown(
      'http { proxy_read_timeout 1.5s; server { location /a { proxy_pass http://a; } location /b { proxy_pass http://b; } } }',
    )
    expect([dead.length, notes.length]).toEqual([1, 1])
  })

  it('warns of 0, of settings of the client side, and of one that stands twice', () => {
    const { notes } = shown('server { send_timeout 5s; location / { proxy_read_timeout 0; proxy_read_timeout 0; proxy_pass http://b; } }')
    expect(notes.some((note) => note.includes('over at once'))).toBe(true)
    expect(notes.some((note) => note.startsWith('ignored: send_timeout'))).toBe(true)
    expect(notes.some((note) => note.includes('twice'))).toBe(true)
  })

  it('reads past quotes, comments, Lua blocks and several directives on a line', () => {
    const { limits } = shown(`server { set $x "a;{b}"; location ~ \\.php$ { content_by_lua_block { if x then y("}") end -- }
      } proxy_read_timeout "7s"; proxy_pass http://b; } location @later { fastcgi_pass unix:/run/php.sock; fastcgi_read_timeout 3s; } }`)
    expect(Object.values(limits).map(({ silence }) => silence)).toEqual([7000, 3000])
  })

  describe('keep-alive to peers', () => {
    const HEADERS = 'proxy_http_version 1.1; proxy_set_header Connection "";'
    const conf = (upstream: string, location: string, more = '') =>
      `upstream u { server a; ${upstream} } server { keepalive_timeout 120s; ${more} location / { ${location} proxy_pass http://u; } }`
    const kept = (text: string, version: string | null = null) => {
      const { facts } = shown(text, version)
      const hop = facts.services[0]?.operations[0]?.hops[0]
      return {
        idle: hop?.fields.keepAliveMs?.value,
        dead: facts.dead.map(({ setting, because }) => `${setting}: ${because}`),
        notes: facts.notes,
      }
    }

    it('is what an upstream says, for calls to it alone', () => {
      const { facts } = shown(
        `${conf('keepalive 16; keepalive_timeout 20s;', HEADERS)} server { location / { proxy_pass http://other:80; } }`,
      )
      const [service] = facts.services
      expect(service?.keepAlive).toMatchObject({ idleMs: { value: 75_000 } })
      expect(service?.keepAlive?.upstreamIdleMs).toBeUndefined()
      expect(service?.operations.map(({ hops }) => hops[0]?.fields.keepAliveMs?.value)).toEqual([20_000, undefined])
    })

    it('lasts 60 s unless it is told', () => {
      expect(kept(conf('keepalive 16;', HEADERS)).idle).toBe(60_000)
    })

    it('needs HTTP/1.1 and an empty Connection header before 1.29.7, and is dead without', () => {
      expect(kept(conf('keepalive 16;', HEADERS), '1.24.0')).toMatchObject({ idle: 60_000, dead: [] })
      expect(kept(conf('keepalive 16;', 'proxy_http_version 1.1;'), '1.24.0')).toMatchObject({
        idle: undefined,
        dead: ['keepalive: connections are kept with proxy_set_header Connection "" alone'],
      })
      expect(kept(conf('keepalive 16;', ''), '1.24.0').dead).toEqual([
        'keepalive: connections are kept with proxy_http_version 1.1 and proxy_set_header Connection "" alone',
      ])
    })

    it('is lost where a location sets any other header', () => {
      expect(kept(conf('keepalive 16;', 'proxy_set_header Host $host;', HEADERS), '1.24.0').idle).toBeUndefined()
      expect(kept(conf('keepalive 16;', '', HEADERS), '1.24.0').idle).toBe(60_000)
    })

    it('needs nothing since 1.29.7, and is not known where the version is not', () => {
      expect(kept(conf('', ''), '1.29.7').idle).toBe(60_000)
      expect(kept(conf('', 'proxy_http_version 1.0;'), '1.29.7').idle).toBeUndefined()
      const unknown = kept(conf('keepalive 16;', ''))
      expect([unknown.idle, unknown.dead]).toEqual([undefined, []])
      expect(unknown.notes.map(({ text }) => text)).toContain(
        'keepalive 16: before 1.29.7 no connection is kept without proxy_http_version 1.1 and proxy_set_header Connection ""; the version is not known',
      )
    })

    it('needs fastcgi_keep_conn on for FastCGI', () => {
      const php = (line: string) => `upstream u { server a; keepalive 8; } server { location / { ${line} fastcgi_pass u; } }`
      expect(kept(php('fastcgi_keep_conn on;'), '1.24.0').idle).toBe(60_000)
      expect(kept(php(''), '1.24.0').dead).toEqual(['keepalive: connections are kept with fastcgi_keep_conn on alone'])
    })
  })

  it('names an operation for what is readable of a pattern', () => {
    expect(
      shown('server { location ~ \\.php$ { fastcgi_pass php:9000; } location ^~ /img { proxy_pass http://i; } }').operations.map(
        ({ name }) => name,
      ),
    ).toEqual(['php', '/img'])
  })

  it('reads stream servers with their own defaults', () => {
    const { limits } = shown('stream { server { listen 5433; proxy_pass db:5432; } }')
    expect(limits['tcp-5433']).toEqual({ connect: 60_000, write: undefined, silence: 600_000, attempts: 1 })
  })

  it('reads any text without an error, in time that grows with its length', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      ';',
      '"',
      "'",
      '\\',
      '#',
      '\n',
      ' ',
      'http',
      'server',
      'location',
      '/',
      'proxy_pass',
      'http://a',
      'upstream',
      '${',
      '$x',
      'proxy_read_timeout',
      '60s',
      '0',
      '{{',
      '}}',
      'include',
      '*',
      'x_by_lua_block',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 60 }).map((words) => words.join(' ')),
        ),
        (text) => {
          expect(Array.isArray(readNginxText(text).services)).toBe(true)
        },
      ),
    )
    const startedAt = performance.now()
    readNginxText('{'.repeat(100_000))
    readNginxText('a '.repeat(100_000))
    readNginxText('"\\'.repeat(50_000))
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})
