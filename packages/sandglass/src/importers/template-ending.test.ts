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

  it('are none where the ending says that it is an example', () => {
    expect(withoutTemplateEnding('a/my.cnf.j2')).toBe('a/my.cnf')
    for (const ending of ['.example', '.sample', '.dist']) expect(imported({ [`my.cnf${ending}`]: '[mysqld]\n' }).formats).toEqual({})
  })
})
