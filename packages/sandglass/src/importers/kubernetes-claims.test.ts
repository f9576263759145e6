import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const MAP = `apiVersion: v1
kind: ConfigMap
metadata: { name: both }
data:
  nginx.conf: |
    events {}
    http { server { listen 80; location / { proxy_pass http://cart:8080; proxy_read_timeout 7s; } } }
  application.yml: |
    spring:
      application: { name: cart }
      datasource: { url: "jdbc:postgresql://cart-db:5432/shop", hikari: { connection-timeout: 3000 } }
`

function workload(name: string, image: string, mount: string, volume = '{ name: both }'): string {
  return `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  template:
    spec:
      containers: [{ name: main, image: "${image}", volumeMounts: [${mount}] }]
      volumes: [{ name: conf, configMap: ${volume} }]
`
}

const edges = (...workloads: readonly string[]) => imported({ 'all.yaml': MAP + workloads.join('') }).edges.toSorted()
const expected = ['cart.request -> cart-db.query', 'front.request -> cart.request']

describe('a ConfigMap with the files of several workloads', () => {
  it('gives each the file that it mounts', () => {
    const part = (file: string) => `{ name: conf, mountPath: /etc/x/${file}, subPath: ${file} }`
    expect(edges(workload('cart', 'shop/cart:1', part('application.yml')), workload('front', 'nginx:1.27', part('nginx.conf')))).toEqual(
      expected,
    )
    expect(edges(workload('front', 'nginx:1.27', part('nginx.conf')), workload('cart', 'shop/cart:1', part('application.yml')))).toEqual(
      expected,
    )
  })

  it('gives each the files that its volume takes, under whatever name', () => {
    const items = (key: string, path: string) => `{ name: both, items: [{ key: ${key}, path: ${path} }] }`
    const whole = '{ name: conf, mountPath: /etc/x }'
    const part = '{ name: conf, mountPath: /app/settings.yml, subPath: settings.yml }'
    expect(
      edges(
        workload('cart', 'shop/cart:1', part, items('application.yml', 'settings.yml')),
        workload('front', 'shop/front:1', whole, items('nginx.conf', 'a.conf')),
      ),
    ).toEqual(expected)
  })

  it('gives a file to the one whose product it is for where all mount the map', () => {
    const whole = '{ name: conf, mountPath: /etc/x }'
    expect(edges(workload('cart', 'shop/cart:1', whole), workload('front', 'nginx:1.27', whole))).toEqual(expected)
    expect(edges(workload('front', 'nginx:1.27', whole), workload('cart', 'shop/cart:1', whole))).toEqual(expected)
  })

  it('gives one workload all of it', () => {
    const pod = workload('pod', 'nginx:1.27', '{ name: conf, mountPath: /etc/x }')
    const run = imported({ 'all.yaml': MAP.replace('http://cart:', 'http://stock:') + pod })
    expect(run.edges.toSorted()).toEqual(['pod.request -> cart-db.query', 'pod.request -> stock.request'])
  })
})
