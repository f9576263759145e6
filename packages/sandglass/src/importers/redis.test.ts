import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const redis = (text: string, more: Readonly<Record<string, string>> = {}) => imported({ 'redis.conf': text, ...more })

describe('redis', () => {
  it('closes idle clients after timeout, in seconds, and never by default', () => {
    expect(redis('timeout 300\nmaxclients 500\n').service('redis')).toMatchObject({
      concurrency: { value: 500 },
      keepAlive: { idleMs: { value: 300_000 } },
    })
    expect(redis('TIMEOUT 0\nmaxmemory 1gb\n').service('redis')?.keepAlive).toBeUndefined()
    expect(redis('maxmemory 1gb\n').service('redis')?.concurrency).toMatchObject({ value: 10_000, origin: { kind: 'default' } })
  })

  it('takes the last of several lines, and an include where it stands', () => {
    const { service } = redis('timeout 10\ninclude /etc/redis/local.conf\n', { 'redis/local.conf': 'timeout 20\nappendonly yes\n' })
    expect(service('redis')?.keepAlive?.idleMs?.value).toBe(20_000)
  })

  it('refuses a unit, as the server does', () => {
    expect(redis('timeout 5m\n').dead).toEqual([
      { setting: 'timeout', written: '5m', effective: 'no limit, the default of redis', line: 1 },
    ])
  })

  it('takes nothing from comments and from timers of other things', () => {
    const { service, notes } = redis(
      '# timeout 5\ntcp-keepalive 300\nrepl-timeout 60\nlua-time-limit 5000\nslowlog-log-slower-than 10000\n',
    )
    expect(service('redis')?.keepAlive).toBeUndefined()
    expect(notes).toEqual(['ignored: lua-time-limit ends no script: after it others are told BUSY'])
  })

  it('is the cache at its port where no file says where it runs', () => {
    const { edges } = redis('port 6380\ntimeout 60\n', {
      'application.yml': 'spring:\n  application.name: shop\n  data.redis: { host: cache.internal, port: 6380, timeout: 2s }\n',
    })
    expect(edges).toEqual(['shop.request -> redis.get'])
  })

  it('reads any text without an error', () => {
    const words = ['timeout', ' ', '\n', '"', "'", '#', 'include', 'redis.conf', '5', 'maxclients', '$X', '\t']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        expect(redis(parts.join('')).chain).toBeDefined()
      }),
    )
  })
})
