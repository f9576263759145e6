import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

describe('traefik as the controller of Ingresses', () => {
  it('serves an Ingress of its class, with the middlewares and the transport of its annotations', () => {
    const { edges, call, notes } = imported({
      'all.yaml': `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  namespace: store
  annotations:
    traefik.ingress.kubernetes.io/router.middlewares: store-again@kubernetescrd
spec:
  ingressClassName: traefik
  rules:
    - host: shop.example
      http: { paths: [{ path: /api, pathType: Prefix, backend: { service: { name: shop, port: { number: 80 } } } }] }
---
apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: store
  annotations: { traefik.ingress.kubernetes.io/service.serverstransport: store-slow@kubernetescrd }
spec: { selector: { app: shop }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, namespace: store }
spec: { template: { metadata: { labels: { app: shop } }, spec: { containers: [{ name: shop, image: shop }] } } }
`,
      'traefik.yaml': `apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: { name: again, namespace: store }
spec: { retry: { attempts: 3 } }
---
apiVersion: traefik.io/v1alpha1
kind: ServersTransport
metadata: { name: slow, namespace: store }
spec: { forwardingTimeouts: { responseHeaderTimeout: 25s } }
`,
    })
    expect(edges).toEqual(['traefik.shop -> shop.request'])
    expect(call('traefik.shop -> shop.request')).toMatchObject({ silenceMs: { value: 25_000 }, attempts: { value: 3 } })
    expect(notes.filter((note) => note.includes('class'))).toEqual([])
  })

  it('is known by its annotations where no class is written, and leaves other Ingresses to theirs', () => {
    const ingress = (annotation: string, className: string) =>
      imported({
        'all.yaml': `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop, annotations: { ${annotation} } }
spec:
  ${className}
  tls: [{ hosts: [shop.example] }]
  defaultBackend: { service: { name: web, port: { number: 80 } } }
  rules:
    - http: { paths: [{ path: /, pathType: Exact, backend: { service: { name: shop, port: { name: http } } } }] }
`,
      }).edges
    const own = ['traefik.shop-1 -> shop.request', 'traefik.shop-2 -> web.request']
    expect(ingress('traefik.ingress.kubernetes.io/router.entrypoints: "web, websecure"', '')).toEqual(own)
    expect(ingress('kubernetes.io/ingress.class: traefik-internal', '')).toEqual(own)
    expect(
      ingress('traefik.ingress.kubernetes.io/router.tls: "true"', 'ingressClassName: nginx').filter((edge) => edge.startsWith('traefik')),
    ).toEqual([])
  })
})
