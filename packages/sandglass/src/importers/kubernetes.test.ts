import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { imported } from './import-run.fixture.js'
import { importSources } from './import-sources.js'

const read = (text: string, file = 'k8s.yaml') => {
  const imported = importSources([{ file, text }])
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    chain,
    calls: chain.calls,
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    dead: imported.file.deadSettings ?? [],
    notes: imported.notes.map(({ kind, text: says }) => `${kind}: ${says}`),
  }
}

const INGRESS = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations: { nginx.ingress.kubernetes.io/proxy-next-upstream-tries: "2" }
spec:
  ingressClassName: nginx
  rules: [{ host: shop.example, http: { paths: [{ path: /cart, backend: { service: { name: cart, port: { number: 80 } } } }] } }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ingress-nginx-controller }
data: { proxy-read-timeout: "30" }
---
apiVersion: v1
kind: Service
metadata: { name: cart }
spec: { selector: { app: cart }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: cart-v1 }
spec:
  replicas: 12
  template:
    metadata: { labels: { app: cart } }
    spec: { containers: [{ image: cart, env: [{ name: DB, value: "postgres://db:5432/x" }], readinessProbe: { httpGet: { path: /ready } } }] }
`

describe('ingress-nginx', () => {
  it('takes the default where an annotation is no number of seconds, and names it (C033)', () => {
    const { calls, dead } = read(
      'metadata: { annotations: { nginx.ingress.kubernetes.io/proxy-read-timeout: "120s", nginx.ingress.kubernetes.io/proxy-send-timeout: "90" } }\n',
    )
    expect(calls[0]).toMatchObject({
      silenceMs: { value: 60_000, origin: { kind: 'default', product: 'ingress-nginx' } },
      writeMs: { value: 90_000, origin: { kind: 'declared' } },
      connectMs: { value: 5000 },
    })
    expect(dead).toMatchObject([
      {
        setting: 'nginx.ingress.kubernetes.io/proxy-read-timeout',
        written: '120s',
        because: '"120s" is not a whole number of seconds',
        effective: '60 s, the default of ingress-nginx',
      },
    ])
  })

  it('leads to the workload behind the Service, with the ConfigMap’s limits and three tries of what may be repeated', () => {
    const { edges, calls, chain } = read(INGRESS)
    expect(edges).toEqual(['cart-v1.request -> db.query', 'ingress-nginx.shop-example/cart -> cart-v1.request'])
    expect(calls[1]).toMatchObject({ silenceMs: { value: 30_000 }, attempts: { value: 2 } })
    expect(chain.services.get('cart-v1')).toMatchObject({
      instances: { value: 12 },
      probe: { timeoutMs: { value: 1000 }, periodMs: { value: 10_000 }, failures: { value: 3 } },
    })
    expect(chain.operations.get('cart-v1.request')?.does.value).toBe('read')
    expect(read(INGRESS.replace('tries: "2"', 'tries: "1"')).calls[1]?.attempts.value).toBe(1)
    expect(read(INGRESS.replace('{ nginx.ingress.kubernetes.io/proxy-next-upstream-tries: "2" }', '{}')).calls[1]?.attempts.value).toBe(3)
  })

  it('does not read the annotations of another controller', () => {
    const { edges, notes } = read(INGRESS.replace('ingressClassName: nginx', 'ingressClassName: alb'))
    expect(edges).toEqual(['cart-v1.request -> db.query'])
    expect(notes[0]).toContain('ingress class alb')
  })
})

const route = (rule: string, more = '') => `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart }
spec:
  parentRefs: [{ name: edge }]
  rules: [{ ${rule} backendRefs: [{ name: cart, port: 80 }] }]
${more}`
const gateway = (name: string) =>
  `---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: edge }\nspec: { gatewayClassName: ${name} }\n`

describe('Gateway API', () => {
  it('reads limits and tries of a rule, and refuses what GEP-2257 does', () => {
    const { calls, edges } = read(
      route('timeouts: { request: 1m30s, backendRequest: 500ms }, retry: { attempts: 2, codes: [503], backoff: 100ms },'),
    )
    expect(edges).toEqual(['edge.cart -> cart.request'])
    expect(calls[0]).toMatchObject({
      timeoutMs: { value: 90_000 },
      attemptMs: { value: 500 },
      attempts: { value: 3 },
      retryOn: { value: ['503', 'connect'] },
    })
    expect(read(route('timeouts: { request: 1.5s },')).dead).toHaveLength(1)
  })

  it('knows that unset is no limit in Istio, 15 s in Envoy Gateway, and not known elsewhere', () => {
    expect(read(route('', gateway('istio'))).calls[0]?.timeoutMs).toBeUndefined()
    expect(read(route('', gateway('eg'))).calls[0]?.timeoutMs).toMatchObject({
      value: 15_000,
      origin: { kind: 'default', product: 'envoy' },
    })
    const unknown = read(route(''))
    expect(unknown.calls[0]?.timeoutMs?.value).toBe('unknown')
    expect(unknown.notes[0]).toContain('depends on the implementation')
    expect(read(route('timeouts: { request: 0s },')).calls[0]?.timeoutMs?.value).toBe('none')
  })

  it('has the most instances that an autoscaler makes, and does not know how many machines there are', () => {
    const workload = (kind: string, more: string) =>
      `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: shop }\nspec: { ${more} template: { spec: { containers: [{ image: shop }] } } }\n`
    const scaled =
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: shop }\nspec: { scaleTargetRef: { kind: Deployment, name: shop }, minReplicas: 2, maxReplicas: 20 }\n'
    const keda =
      'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: shop }\nspec: { scaleTargetRef: { name: shop }, maxReplicaCount: 7 }\n'
    const instances = (...texts: readonly string[]) =>
      imported(Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text]))).service('shop')?.instances.value
    expect(instances(workload('Deployment', 'replicas: 3,'))).toBe(3)
    expect(instances(workload('Deployment', 'replicas: 3,'), scaled)).toBe(20)
    expect(instances(keda, workload('Deployment', ''))).toBe(7)
    expect(instances(workload('StatefulSet', 'replicas: 3,'), scaled)).toBe(3)
    expect(instances(workload('DaemonSet', ''))).toBe('unknown')
    expect(instances(workload('Deployment', ''))).toBe(1)
  })

  it('reads any text without an error', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'kind: Ingress',
            'kind: HTTPRoute',
            '\n',
            '---\n',
            'spec:',
            '  ',
            'rules:',
            '- ',
            '{',
            '}',
            '[',
            ']',
            'metadata: {name: x}',
            ':',
          ),
          { maxLength: 40 },
        ),
        (words) => {
          expect(importSources([{ file: 'k.yaml', text: `apiVersion: v1\nkind: Service\n---\n${words.join('')}` }]).file.problems).toEqual(
            [],
          )
        },
      ),
    )
  })
})
