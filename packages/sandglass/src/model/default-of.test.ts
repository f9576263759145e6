import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compareVersions, coversVersion, defaultCount, defaultMs, defaultOf } from './default-of.js'
import { timeoutDefaults } from './timeout-defaults.generated.js'

const importers = fileURLToPath(new URL('../importers/', import.meta.url))

function msOf(system: string, setting: string, version: string | null = null) {
  const found = defaultOf(system, setting, version)
  return found.kind === 'known' ? defaultMs(found.row) : found.kind
}

describe('defaultOf', () => {
  it('finds the defaults of products in ms', () => {
    expect(msOf('nginx', 'proxy_read_timeout')).toBe(60_000)
    expect(msOf('ingress-nginx', 'proxy-connect-timeout')).toBe(5000)
    expect(msOf('envoy', 'route.timeout')).toBe(15_000)
    expect(msOf('envoy', 'stream_idle_timeout')).toBe(300_000)
    expect(msOf('istio', 'http[].timeout')).toBe('none')
    expect(msOf('openfeign', 'connectTimeout')).toBe(10_000)
    expect(msOf('hikaricp', 'connectionTimeout')).toBe(30_000)
    expect(msOf('druid', 'maxWait')).toBe('none')
  })

  it('gives both values where the version decides and is not known', () => {
    expect(defaultOf('nginx', 'upstream keepalive', null)).toMatchObject({
      kind: 'differs',
      rows: [{ version: '<1.29.7' }, { version: '>=1.29.7' }],
    })
    const before = defaultOf('nginx', 'upstream keepalive', '1.25.3')
    const since = defaultOf('nginx', 'upstream keepalive', '1.29.7-alpine')
    expect(before.kind === 'known' && defaultCount(before.row)).toBe(0)
    expect(since.kind === 'known' && defaultCount(since.row)).toBe(32)
    expect(defaultOf('druid', 'socketTimeout', null).kind).toBe('differs')
  })

  it('says so where it knows nothing', () => {
    expect(defaultOf('nginx', 'proxy_reed_timeout', null)).toEqual({ kind: 'none' })
  })

  it('compares versions by their numbers', () => {
    expect(compareVersions('1.9', '1.29.7')).toBeLessThan(0)
    expect(compareVersions('1.29.7', '1.29.7')).toBe(0)
    expect(compareVersions('v2.2.10', '2.2.4')).toBeGreaterThan(0)
  })

  it('takes a range of one line for its newest', () => {
    expect(compareVersions('^4.4.0', '4.99.0')).toBeGreaterThan(0)
    expect(compareVersions('^4.4.0', '5.0.0')).toBeLessThan(0)
    expect(compareVersions('^0.4.2', '0.5.0')).toBeLessThan(0)
    expect(compareVersions('^0.0.2', '0.0.3')).toBeLessThan(0)
    expect(compareVersions('~4.4.0', '4.5.0')).toBeLessThan(0)
    expect(compareVersions('~4.4.0', '4.4.9')).toBeGreaterThan(0)
    expect(compareVersions('^4.4.0', '^4.1.0')).toBe(0)
    expect(['<=4', '<5', '>=4.100', '>=5', '<4.4'].map((range) => coversVersion(range, '^4.4.0'))).toEqual([true, true, true, false, false])
  })

  it('knows the versions of a row', () => {
    const covered = (range: string) => ['6.5.9', '6.6.0', '7.7.0', '7.8.0-rc.1'].map((version) => coversVersion(range, version))
    expect(covered('<7.8')).toEqual([true, true, true, false])
    expect(covered('>=6.6')).toEqual([false, true, true, true])
    expect(covered('>=6.6 <7.8')).toEqual([false, true, true, false])
    expect(covered('<=6 engine')).toEqual([true, true, false, false])
    expect(covered('6.x')).toEqual([true, true, true, true])
  })

  it('holds rows whose times can be read or that say why there is none', () => {
    const rows = timeoutDefaults.split('\n').map((line) => line.split('\t'))
    expect(rows.length).toBeGreaterThan(500)
    expect(rows.filter((row) => row.length !== 7)).toEqual([])
  })

  it('is where importers have their defaults from: none writes a time of its own', () => {
    const own = readdirSync(importers).filter((name) => name.endsWith('.ts') && !/\.(test|fixture|generated)\.ts$/.test(name))
    const found = own
      .filter((name) => name !== 'parse-duration.ts')
      .flatMap((name) =>
        readFileSync(`${importers}/${name}`, 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            /(?<![\w.'"`/^-])(\d{1,3}(_\d{3})+|\d{3,})(?![\w.'"`/-])/.test(withoutComment(line)) && !/MAX_|LONGEST_/.test(line)
              ? [`${name}:${index + 1} ${line.trim()}`]
              : [],
          ),
      )
    expect(found).toEqual([])
  })
})

/** Without comments, the repetitions of regular expressions, and the divisor of percents. */
function withoutComment(line: string): string {
  return line.replace(/^\s*(\/\/|\*|\/\*).*|\/\/ .*$/, '').replace(/\{\d+(,\d*)?\}|\/ 100\b/g, '')
}
