import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'
import { withoutTemplateEnding } from './template-ending.js'

const CONFIGS: readonly (readonly [string, string, string])[] = [
  ['postgresql', 'postgresql.conf', 'max_connections = {{ pg_max }}\n'],
  ['mysql', 'my.cnf', '[mysqld]\nmax_connections = {{ max }}\n'],
  ['redis', 'redis.conf', 'timeout {{ idle }}\n'],
  ['pgbouncer', 'pgbouncer.ini', '[databases]\n* = host=pg\n[pgbouncer]\nmax_client_conn = {{ max }}\n'],
  ['uwsgi', 'app.ini', '[uwsgi]\nharakiri = {{ limit }}\n'],
  ['php-fpm', 'www.conf', '[www]\npm = static\npm.max_children = {{ children }}\n'],
  ['gunicorn', 'gunicorn.conf.py', 'workers = {{ workers }}\n'],
  [
    'traefik',
    'dynamic.yml',
    'http:\n  routers:\n    a: { rule: "{{ rule }}", service: a }\n  services:\n    a: { loadBalancer: { servers: [{ url: "http://a" }] } }\n',
  ],
  ['traefik', 'dynamic.toml', '[http.routers.a]\nrule = "{{ rule }}"\nservice = "a"\n'],
]

describe('templates of configs', () => {
  it.each(CONFIGS)('of %s are read as what they become: %s', (format, file, text) => {
    for (const ending of ['.j2', '.tmpl', '.template', ''])
      expect(imported({ [`${file}${ending}`]: text }).formats[`${file}${ending}`]).toBe(format)
  })

  it('include each other by the names of what they become', () => {
    const server = (port: number, rest: string) => `server { listen ${port}; ${rest} }\n`
    const main = `http { ${server(80, 'include /etc/proxy/made/parts.conf;')} ${server(81, 'location / { proxy_pass http://other; }')} }`
    const parts = 'location /cart { proxy_pass http://cart:8080; }\n'
    const edges = (files: Readonly<Record<string, string>>) => imported(files).edges.map((edge) => edge.replace(/^.* -> /, ''))
    expect(imported({ 'a/main.conf.j2': main, 'a/parts.conf.j2': parts }).notes.filter((note) => note.includes('no such file'))).toEqual([])
    expect(edges({ 'a/main.conf.j2': main, 'a/parts.conf.j2': parts })).toHaveLength(2)
    // Not what lies elsewhere, and not for a file that is no template.
    for (const files of [
      { 'a/main.conf.j2': main, 'b/parts.conf.j2': parts },
      { 'a/main.conf': main, 'a/parts.conf.j2': parts },
    ])
      expect(imported(files).notes.some((note) => note.includes('include /etc/proxy/made/parts.conf: no such file'))).toBe(true)
  })

  it('are none where the ending says that it is an example', () => {
    expect(withoutTemplateEnding('a/my.cnf.j2')).toBe('a/my.cnf')
    for (const ending of ['.example', '.sample', '.dist']) expect(imported({ [`my.cnf${ending}`]: '[mysqld]\n' }).formats).toEqual({})
  })
})
