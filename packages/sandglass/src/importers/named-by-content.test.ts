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
    ['resilience4j.timelimiter.instances.stock.timeout-duration=2s\n', 'stdin/application.properties'],
    ['{"methodConfig": [{"name": [{"service": "shop.Stock"}], "timeout": "1s"}]}\n', 'stdin/service-config.json'],
    ['FROM python:3.13\nCMD ["gunicorn", "shop:app", "--timeout", "20"]\n', 'stdin/Dockerfile'],
    ['web: gunicorn shop:app --timeout 20\nworker: node work.js\n', 'stdin/Procfile'],
    ['workers = 4\nworker_class = "gthread"\ntimeout = 20\n', 'stdin/gunicorn.conf.py'],
  ])('%j is known by what it says', (text, name) => {
    expect(nameOf(text)).toBe(name)
  })

  it.each(['', 'a: 1\n', 'hello\n', '{"a": 1}\n', 'web: node server.js\n', 'workers = 4\n', '[worker]\nworker_class = 1\n'])(
    '%j tells nothing',
    (text) => {
      expect(nameOf(text)).toBeUndefined()
    },
  )
})
