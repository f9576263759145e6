import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const root = 'events {}\nhttp { include a.conf; server { listen 80; location / { proxy_pass http://x; } } }\n'

describe('includes of nginx', () => {
  it('that go in a circle are said to, and nothing stands twice because of them', () => {
    const { notes, edges } = imported({
      'nginx.conf': root,
      'a.conf': 'include b.conf;\n',
      'b.conf': 'proxy_read_timeout 7s;\ninclude a.conf;\n',
    })
    expect(edges).toEqual(['nginx.request -> x.request'])
    expect(notes).toEqual(['unknown: include a.conf: an include cycle, with which nginx does not start; what it sets is unknown'])
  })

  it('of the file itself are a circle too', () => {
    const { notes } = imported({ 'nginx.conf': root, 'a.conf': 'proxy_read_timeout 7s;\ninclude a.conf;\n' })
    expect(notes).toEqual(['unknown: include a.conf: an include cycle, with which nginx does not start; what it sets is unknown'])
  })

  it('that nest too deep are told from files that are not there', () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.conf`, `include ${at + 1}.conf;\n`]))
    const deep = imported({ 'nginx.conf': root.replace('a.conf', '0.conf'), ...files })
    expect(deep.notes).toEqual(['unknown: include 9.conf: includes nest deeper than 8; what it sets is unknown'])
    const missing = imported({ 'nginx.conf': root })
    expect(missing.notes).toEqual(['unknown: include a.conf: no such file among those that are read; what it sets is unknown'])
  })
})
