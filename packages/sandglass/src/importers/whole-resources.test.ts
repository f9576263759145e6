import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const route = (timeout: string) => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: tea }
spec:
  hosts: [tea]
  http:
    - route: [{ destination: { host: tea } }]
      timeout: ${timeout}
`
const deployment = (replicas: number, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: tea }
spec:
  replicas: ${replicas}
  template:
    metadata: { labels: { app: tea } }
    spec:
      containers:
        - name: tea${image}
`

describe('wholeResources', () => {
  it('reads a copy of a resource once, and says where the other is', () => {
    const { chain, notes } = imported({ 'istio/tea.yaml': route('2s'), 'release/all.yaml': route('9s') })
    expect(chain.calls.map(({ timeoutMs }) => timeoutMs?.value)).toEqual([2000])
    expect(notes).toContainEqual(expect.stringContaining('VirtualService tea is also in istio/tea.yaml: that one is read'))
  })

  it('lays what is not whole over what is', () => {
    const { service } = imported({
      'base/tea.yaml': deployment(1, '\n          image: acme/tea').replace('  replicas: 1\n', ''),
      'overlays/big/tea.yaml': deployment(7, ''),
    })
    expect(service('tea')?.instances?.value).toBe(7)
  })

  it('keeps what stands in two namespaces', () => {
    const inside = (namespace: string) => route('2s').replace('name: tea }', `name: tea, namespace: ${namespace} }`)
    expect(imported({ 'a.yaml': inside('red'), 'b.yaml': inside('blue') }).chain.calls).toHaveLength(2)
  })
})

describe('a gateway of a mesh', () => {
  it('goes to the service itself, and not through the sidecar of a caller', () => {
    const gateway = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: outer }
spec:
  hosts: ["*"]
  gateways: [outer-gateway]
  http:
    - route: [{ destination: { host: tea } }]
      timeout: 3s
`
    const { edges, call } = imported({
      'gateway.yaml': gateway,
      'tea.yaml': route('2s'),
      'deployment.yaml': deployment(2, '\n          image: a/tea'),
    })
    expect(edges).toContain('outer-gateway.request -> tea.request')
    expect(edges).not.toContain('outer-gateway.request -> sidecar-tea.request')
    expect(call('outer-gateway.request -> tea.request')?.retryOn?.value).toEqual(['connect'])
  })
})
