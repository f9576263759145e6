import { describe, expect, it } from 'vitest'
import { namedByContent } from './named-by-content.js'

const nameOf = (text: string) => namedByContent({ file: 'stdin', text })?.file

describe('a text without a name', () => {
  it.each([
    ['events {}\nhttp { server { listen 80; location / { proxy_pass http://a; } } }\n', 'stdin/nginx.conf'],
    ['defaults\n  timeout connect 1s\nfrontend web\n  bind :80\n', 'stdin/haproxy.cfg'],
    ['services:\n  web:\n    image: nginx\n', 'stdin/compose.yaml'],
    ['apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n', 'stdin/resources.yaml'],
    ['static_resources:\n  listeners: []\n', 'stdin/envoy.yaml'],
    ['[mysqld]\nwait_timeout = 5\n', 'stdin/my.cnf'],
    ['[pgbouncer]\nquery_timeout = 5\n', 'stdin/pgbouncer.ini'],
    ['server:\n  port: 80\nspring:\n  application.name: a\n', 'stdin/application.yml'],
    ['spring.application.name=a\n', 'stdin/application.properties'],
  ])('%j is known by what it says', (text, name) => {
    expect(nameOf(text)).toBe(name)
  })

  it.each(['', 'a: 1\n', 'hello\n', '{"a": 1}\n', 'web: node server.js\n'])('%j tells nothing', (text) => {
    expect(nameOf(text)).toBeUndefined()
  })
})
