import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const probed = (probe: string) =>
  imported({
    'a.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: cart }
spec: { template: { spec: { containers: [{ name: main, image: "shop/cart:1", readinessProbe: { httpGet: { path: /ready }, ${probe} } }] } } }
`,
  })

describe('a probe', () => {
  it('has the default where a 0 is written, and the 0 is said to have no effect', () => {
    const run = probed('timeoutSeconds: 0, periodSeconds: 0, failureThreshold: 0')
    expect(run.service('cart')?.probe).toMatchObject({
      timeoutMs: { value: 1000, origin: { kind: 'default' } },
      periodMs: { value: 10_000, origin: { kind: 'default' } },
      failures: { value: 3 },
    })
    expect(run.dead.map(({ setting, written, effective }) => [setting, written, effective])).toEqual([
      ['readinessProbe.timeoutSeconds', '0', '1 s, the default'],
      ['readinessProbe.periodSeconds', '0', '10 s, the default'],
      ['readinessProbe.failureThreshold', '0', '3, the default'],
    ])
  })

  it('has what is written else', () => {
    const run = probed('timeoutSeconds: 3, periodSeconds: 5, failureThreshold: 2')
    expect(run.service('cart')?.probe).toMatchObject({ timeoutMs: { value: 3000 }, periodMs: { value: 5000 }, failures: { value: 2 } })
    expect(run.dead).toEqual([])
  })
})
