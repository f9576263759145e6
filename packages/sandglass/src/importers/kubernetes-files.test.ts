import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf } from '../model/sourced.js'
import { imported } from './import-run.fixture.js'
import { filesOfConfigMaps } from './kubernetes-files.js'

const MAP = `# all of it
apiVersion: v1
kind: ConfigMap
metadata:
  labels: { app: web }
  name: web-conf
data:
  LOG_LEVEL: info
  nginx.conf: |
    server {
      listen 80;
      location / { proxy_read_timeout 7s; proxy_pass http://shop:8080; }
    }
  readme.txt: |
    proxy_read_timeout 1s;
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "nginx:1.25.3" }]
      volumes: [{ name: conf, configMap: { name: web-conf } }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: pool }
data:
  "pgbouncer.ini": |-
      [databases]
      shop = host=pg

      [pgbouncer]
      pool_mode = transaction
      query_wait_timeout = 9
  gunicorn.conf.py: |
    workers = 4

    def on_starting(server):
        timeout = 1
`

describe('the files of a ConfigMap', () => {
  it('are read as what they are, at the lines where they stand', () => {
    const { call, formats } = imported({ 'k8s/all.yaml': MAP })
    expect(formats).toMatchObject({
      'k8s/all.yaml': 'kubernetes',
      'k8s/all.yaml!/web-conf/nginx.conf': 'nginx',
      'k8s/all.yaml!/pool/pgbouncer.ini': 'pgbouncer',
    })
    const silence = call('web.request -> shop.request')?.silenceMs
    expect(silence?.value).toBe(7000)
    expect(silence && placeOf(silence.origin.spot)).toMatchObject({ file: 'k8s/all.yaml!/web-conf/nginx.conf', line: 12 })
    const wait = call('pgbouncer.query-shop -> pg.query')?.queue?.totalMs
    expect([wait?.value, wait && placeOf(wait.origin.spot).line]).toEqual([9000, 38])
  })

  it('are settings of Spring where they are called so, of the workload that mounts them', () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: cart-settings }
data:
  application.yml: |
    spring.application.name: cart
    spring.cloud.openfeign.client.config.stock:
      connectTimeout: 500
      readTimeout: 900
  application.properties: |
    spring.cloud.openfeign.client.config.pay.readTimeout=700
  notes: |
    spring.cloud.openfeign.client.config.other.readTimeout=100
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: cart-workload }
spec:
  template:
    spec:
      containers: [{ name: app, image: "shop/cart:1" }]
      volumes: [{ name: conf, configMap: { name: cart-settings } }]
`
    const { call, edges } = imported({ 'k8s/cart.yaml': text })
    expect(edges.toSorted()).toEqual(['cart-workload.request -> pay.request', 'cart-workload.request -> stock.request'])
    const silence = call('cart-workload.request -> stock.request')?.silenceMs
    expect([silence?.value, silence && placeOf(silence.origin.spot).line]).toEqual([900, 9])
  })

  it('belong to the workload that mounts them, with the version of its image', () => {
    const { service, call } = imported({ 'all.yaml': MAP })
    expect(service('web')?.instances.value).toBe(2)
    expect(call('web.request -> shop.request')?.connectMs?.origin).toMatchObject({ product: 'nginx', version: '1.25.3' })
  })

  it('end where the indentation does, and keep their own', () => {
    const files = filesOfConfigMaps({ file: 'a.yaml', text: MAP })
    expect(files.map(({ file }) => file)).toEqual([
      'a.yaml!/web-conf/nginx.conf',
      'a.yaml!/pool/pgbouncer.ini',
      'a.yaml!/pool/gunicorn.conf.py',
    ])
    expect(files[0]?.text.trim().split('\n')).toEqual([
      'server {',
      '  listen 80;',
      '  location / { proxy_read_timeout 7s; proxy_pass http://shop:8080; }',
      '}',
    ])
    expect(files[2]?.text.trim().split('\n')).toEqual(['workers = 4', '', 'def on_starting(server):', '    timeout = 1'])
  })

  it('are none of other resources, and of any text without an error', () => {
    expect(filesOfConfigMaps({ file: 'a.yaml', text: MAP.replaceAll('ConfigMap', 'Secret') })).toEqual([])
    const words = [
      'kind: ConfigMap\n',
      '---\n',
      'metadata: { name: a }\n',
      'metadata:\n',
      '  name: a\n',
      'data:\n',
      '  nginx.conf: |\n',
      '    x\n',
      '\n',
      '\t',
      '  a.ini: |-\n',
      '  ',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        for (const file of filesOfConfigMaps({ file: 'a.yaml', text }))
          expect(file.text.split('\n').length).toBeLessThanOrEqual(text.split('\n').length + 1)
      }),
    )
  })
})
