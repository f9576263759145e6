import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { importSources } from './import-sources.js'

const chainOf = (files: Readonly<Record<string, string>>) => {
  const imported = importSources(Object.entries(files).map(([file, text]) => ({ file, text })))
  return { ...imported, chain: linkChain([imported.file]).chain }
}
const edges = (files: Readonly<Record<string, string>>) => chainOf(files).chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`)

describe('importSources', () => {
  it('reads included files where they are included, and not a second time', () => {
    const files = {
      'etc/nginx.conf': 'http { proxy_read_timeout 7s; include /etc/nginx/conf.d/*.conf; }',
      'etc/conf.d/app.conf': 'server { listen 80; location / { include snippets/proxy.conf; proxy_pass http://app:8080; } }',
      'etc/snippets/proxy.conf': 'proxy_connect_timeout 1s;',
    }
    const { chain, read } = chainOf(files)
    expect(edges(files)).toEqual(['nginx.request -> app.request'])
    expect(chain.calls[0]?.silenceMs?.value).toBe(7000)
    expect(chain.calls[0]?.connectMs?.value).toBe(1000)
    expect(read.map(({ file }) => file)).toContain('etc/conf.d/app.conf')
  })

  it('ends at an include that goes in a circle', () => {
    const conf = 'http { include b.conf; server { location / { proxy_pass http://x; } } }'
    expect(
      chainOf({ 'a.conf': conf, 'b.conf': 'include b.conf; include a.conf; upstream u { server y; }' }).chain.calls.length,
    ).toBeLessThan(5000)
  })

  it('finds the next service by host and port, and its operation by path', () => {
    const files = {
      'edge/nginx.conf': 'server { listen 80; server_name edge.local; location /api/ { proxy_pass http://inner.local/api/; } }',
      'inner/nginx.conf':
        'server { listen 80; server_name inner.local; location /api/ { proxy_pass http://app; } location /img { proxy_pass http://img; } }',
    }
    expect(edges(files)).toEqual([
      'nginx-edge-nginx./api -> nginx-inner-nginx./api',
      'nginx-inner-nginx./api -> app.request',
      'nginx-inner-nginx./img -> img.request',
    ])
  })

  it('takes of those at one port of a machine the one whose files lie nearest, and none where that is open', () => {
    const settings = (name: string, port: string) => `spring.application.name: ${name}\n${port}`
    const code = 'class Desk { void ask() { new RestTemplate().getForObject("http://localhost:8080/tea", String.class); } }'
    const files = (extra: Readonly<Record<string, string>>) => ({
      'shop/desk/src/main/resources/application.yml': settings('desk', 'server.port: 9000\n'),
      'shop/desk/src/main/java/Desk.java': code,
      ...extra,
    })
    const at = (folder: string, name: string, port = '') => ({ [`${folder}/src/main/resources/application.yml`]: settings(name, port) })
    const till = at('till', 'till', 'server.port: 8080\n')
    expect(edges(files(till))).toEqual(['desk.request -> till.request'])
    expect(edges(files({ ...till, ...at('shop/tea', 'tea') }))).toEqual(['desk.request -> tea.request'])
    expect(edges(files({ ...till, ...at('safe', 'safe') }))).toEqual(['desk.request -> localhost-8080.request'])
    expect(edges(files(at('bank/till', 'till')))).toEqual(['desk.request -> localhost-8080.request'])
  })

  it('says which texts it did not understand', () => {
    expect(importSources([{ file: 'a.txt', text: 'hello' }]).notRead).toEqual([{ file: 'a.txt', why: 'not of a format that is imported' }])
  })
})
