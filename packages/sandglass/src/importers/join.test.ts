import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

describe('joining by ports', () => {
  it('tell which of several fronts a call comes to', () => {
    const app = (port: number) => ({
      'haproxy.cfg':
        'defaults\n  timeout connect 1s\n  timeout client 5s\n  timeout server 5s\nlisten web\n  mode http\n  bind :8080\n  server w web:80\nlisten db\n  mode tcp\n  bind :5432\n  server d pg:5432\n',
      'application.yml': `spring:\n  application.name: shop\n  datasource.url: jdbc:postgresql://haproxy:${port}/shop\n`,
    })
    expect(imported(app(5432)).edges).toContain('shop.request -> haproxy.db')
    expect(imported(app(5432)).edges).not.toContain('shop.request -> haproxy.web')
    // A port that is published elsewhere tells nothing.
    expect(imported(app(15432)).edges.filter((edge) => edge.startsWith('shop'))).toHaveLength(2)
  })

  it('tell the servers of one nginx apart', () => {
    const { edges } = imported({
      'edge.conf': 'server { listen 80; location / { proxy_pass http://inner:8081; } }',
      'compose.yaml': 'services:\n  inner:\n    image: nginx:1.25\n    volumes: ["./inner.conf:/etc/nginx/nginx.conf"]\n',
      'inner.conf':
        'http { server { listen 8080; server_name a; location / { proxy_pass http://one; } } server { listen 8081; server_name b; location / { proxy_pass http://two; } } }',
    })
    expect(edges.filter((edge) => edge.includes('-> inner'))).toEqual(['nginx-edge.request -> inner.b/request'])
  })
})
