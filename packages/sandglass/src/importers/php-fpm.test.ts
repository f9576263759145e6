import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const pool = (text: string, more: Readonly<Record<string, string>> = {}) => imported({ 'shop/www.conf': text, ...more })
const limit = (text: string) => pool(`[www]\npm = dynamic\nrequest_terminate_timeout = ${text}\n`)

describe('php-fpm', () => {
  it('ends a request with request_terminate_timeout: seconds, or with s, m, h, d', () => {
    for (const [text, ms] of [
      ['30', 30_000],
      ['30s', 30_000],
      ['2m', 120_000],
      ['1h', 3_600_000],
      ['1d', 86_400_000],
      ['"45s"', 45_000],
      ['0', 'none'],
    ] as const)
      expect(limit(text).operation('shop.request')?.limits?.requestMs?.value, text).toBe(ms)
  })

  it('takes of other times what php-fpm takes, which is something else: 500ms is 500 s', () => {
    for (const [text, ms, effective] of [
      ['500ms', 500_000, '500 s'],
      ['1m30s', 1000, '1 s'],
      ['1.5m', 60_000, '1 m'],
    ] as const) {
      const { operation, dead } = limit(text)
      expect(operation('shop.request')?.limits?.requestMs?.value, text).toBe(ms)
      expect(dead).toEqual([{ setting: 'request_terminate_timeout', written: text, effective, line: 3 }])
    }
  })

  it('refuses an end that is no unit of it', () => {
    for (const text of ['7S', '30sec']) {
      expect(limit(text).operation('shop.request')?.limits).toBeUndefined()
      expect(limit(text).dead).toMatchObject([{ written: text, effective: 'no limit, the default of php-fpm' }])
    }
  })

  it('works on as many requests as there are children: 5 unless it is told', () => {
    expect(pool('[www]\npm = static\npm.max_children = 40 ; forty\n').service('shop')?.concurrency?.value).toBe(40)
    expect(pool('[www]\npm = static\n').service('shop')?.concurrency).toMatchObject({
      value: 5,
      origin: { kind: 'default', product: 'php-fpm' },
    })
  })

  it('takes nothing from comments, and max_execution_time for no limit', () => {
    const { operation, notes } = pool('[www]\npm = dynamic\n;request_terminate_timeout = 5\nphp_admin_value[max_execution_time] = 30\n')
    expect(operation('shop.request')?.limits).toBeUndefined()
    expect(notes).toEqual(['ignored: max_execution_time counts the work of the script, not what it waits for'])
  })

  it('has a service for each pool, and finds it by port or socket', () => {
    const text =
      '[global]\ndaemonize = no\n[www]\nlisten = 9000\npm = static\npm.max_children = 20\n[admin]\nlisten = /run/php/admin.sock\npm = static\npm.max_children = 2\n'
    const nginx =
      'server { listen 80; location / { fastcgi_pass app:9000; } location /admin { fastcgi_pass unix:/var/run/php/admin.sock; } }'
    const { edges, service } = imported({
      'compose.yaml': 'services:\n  app:\n    image: php:8.2-fpm\n    volumes: ["./fpm:/usr/local/etc/php-fpm.d"]\n',
      'fpm/www.conf': text,
      'nginx.conf': nginx,
    })
    expect(edges).toEqual(['nginx.request -> app.request', 'nginx./admin -> app-admin.request'])
    expect([service('app')?.concurrency?.value, service('app-admin')?.concurrency?.value]).toEqual([20, 2])
  })

  it('lets what comes later in a folder hold', () => {
    const { service } = pool('[www]\npm = static\npm.max_children = 5\n', { 'shop/zz-shop.conf': '[www]\npm.max_children = 50\n' })
    expect(service('shop')?.concurrency?.value).toBe(50)
  })

  it('has the slots and the port of the official image where nothing is mounted', () => {
    const { service, edges } = imported({
      'compose.yaml':
        'services:\n  php:\n    image: php:8.2-fpm-alpine\n  web:\n    image: nginx:1.25\n    volumes: ["./nginx.conf:/etc/nginx/nginx.conf"]\n',
      'nginx.conf': 'server { listen 80; location / { fastcgi_pass php:9000; } }',
    })
    expect(service('php')?.concurrency).toMatchObject({ value: 5, origin: { kind: 'default' } })
    expect(edges).toEqual(['web.request -> php.request'])
  })

  it('reads any text without an error', () => {
    const words = ['[www]', '[global]', '\n', '=', ' ', 'pm', 'listen', '"', ';', '5', 's', '$pool', '/run/x.sock', 'php_value[', ']']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        expect(pool(`[www]\npm = static\n${parts.join('')}`).chain).toBeDefined()
      }),
    )
  })
})
