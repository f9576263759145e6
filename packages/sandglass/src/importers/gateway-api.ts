import type { LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft, type HopFact, type OperationFact, type ServiceFact } from './facts.js'
import { defaultLimit, limitFact, type Setting } from './limit-fact.js'
import { numbered } from './numbered.js'
import { sharesOf, weightOf } from './shares.js'
import { nameOf, targetOf } from './target.js'
import { at, itemsAt, textAt, writtenAt } from './yaml-path.js'

/** HTTPRoute and GRPCRoute: each parent Gateway is a proxy with an operation for every rule. */
export function gatewayRoutes(roots: readonly YamlNode[], draft: FactsDraft): readonly ServiceFact[] {
  const gateways = new Map<string, { spot: YamlNode; hosts: Set<string>; operations: OperationFact[] }>()
  for (const route of roots.filter((root) => /^(HTTP|GRPC)Route$/.test(textAt(root, 'kind')))) {
    const parents = itemsAt(route, 'spec', 'parentRefs').map((parent) => textAt(parent, 'name') || 'gateway')
    for (const parent of parents.length > 0 ? parents : ['gateway']) {
      const gateway = gateways.get(parent) ?? { spot: route, hosts: new Set(), operations: [] }
      gateways.set(parent, gateway)
      for (const host of itemsAt(route, 'spec', 'hostnames')) gateway.hosts.add(textAt(host).toLowerCase())
      gateway.operations.push(...operationsOf(route, implementationOf(parent, roots), draft))
    }
  }
  return [...gateways].map(([name, { spot, hosts, operations }]) => ({
    name: nameOf(name),
    spot,
    kind: 'proxy',
    hosts: [...hosts],
    ports: [],
    intercepts: [],
    goesDirectly: true,
    operations: numbered(operations),
  }))
}

/** What is unset means another thing in each implementation; the class of the Gateway tells which it is. */
function implementationOf(parent: string, roots: readonly YamlNode[]): 'istio' | 'envoy' | null {
  const gateway = roots.find((root) => textAt(root, 'kind') === 'Gateway' && textAt(root, 'metadata', 'name') === parent)
  const className = textAt(gateway, 'spec', 'gatewayClassName')
  return /istio/.test(className) ? 'istio' : /envoy|^eg$/.test(className) ? 'envoy' : null
}

function operationsOf(route: YamlNode, implementation: 'istio' | 'envoy' | null, draft: FactsDraft): readonly OperationFact[] {
  const name = nameOf(textAt(route, 'metadata', 'name') || 'route')
  const rules = itemsAt(route, 'spec', 'rules')
  return rules.map((rule, index) => {
    const path = textAt(itemsAt(rule, 'matches')[0], 'path', 'value')
    const backends = itemsAt(rule, 'backendRefs')
    const shares = sharesOf(backends.map((backend) => ({ spot: backend, weight: weightOf(writtenAt(backend, 'weight'), 1) })))
    return {
      name: rules.length === 1 ? name : `${name}-${index + 1}`,
      spot: rule,
      path: path.startsWith('/') ? path : null,
      hops: backends.map((backend, at) => {
        const hop = hopOf(rule, backend, implementation, draft)
        const share = shares[at]
        return share ? { ...hop, fields: { ...hop.fields, share } } : hop
      }),
    }
  })
}

function hopOf(rule: YamlNode, backend: YamlNode, implementation: 'istio' | 'envoy' | null, draft: FactsDraft): HopFact {
  const setting = (key: string): Setting => ({
    draft,
    system: 'k8s-gateway-api',
    version: null,
    key: `rules[].timeouts.${key}`,
    shown: key,
    at: rule,
  })
  const request = writtenAt(rule, 'timeouts', 'request')
  const each = writtenAt(rule, 'timeouts', 'backendRequest')
  const timeoutMs = request ? limitFact(setting('request'), request, 'gep2257', 'none') : unset(rule, implementation, draft)
  const attemptMs = each && limitFact(setting('backendRequest'), each, 'gep2257', 'none')
  if (typeof timeoutMs?.value === 'number' && typeof attemptMs?.value === 'number' && attemptMs.value > timeoutMs.value && each)
    addNote(draft, 'unknown', each.spot, 'backendRequest is longer than request: the route is not valid')
  const retries = writtenAt(rule, 'retry', 'attempts')
  const attempts = retries && /^[1-9]\d{0,3}$/.test(retries.text) ? { attempts: declared(Number(retries.text) + 1, retries.spot) } : {}
  if (at(rule, 'retry') && !retries)
    addNote(draft, 'unknown', at(rule, 'retry') ?? rule, 'retry without attempts: how often depends on the implementation')
  const backoff = writtenAt(rule, 'retry', 'backoff')
  const base = backoff && limitFact({ ...setting('request'), shown: 'backoff' }, backoff, 'gep2257')
  const codes = itemsAt(rule, 'retry', 'codes').flatMap((code) => {
    const text = textAt(code)
    if (/^[1-5]\d\d$/.test(text)) return [text]
    addNote(draft, 'unknown', code, `retry.codes: "${text.slice(0, 40)}" is no status`)
    return []
  })
  const name = writtenAt(backend, 'name') ?? { text: '$backend', spot: backend }
  const port = textAt(backend, 'port')
  return {
    spot: backend,
    target: targetOf(/^\d+$/.test(port) ? `${name.text}:${port}` : name.text, name.spot),
    fields: {
      ...(timeoutMs ? { timeoutMs } : {}),
      ...(attemptMs && attemptMs.value !== 'none' ? { attemptMs } : {}),
      ...attempts,
      ...('attempts' in attempts && codes.length > 0 && retries ? { retryOn: declared([...codes, 'connect'], retries.spot) } : {}),
      ...('attempts' in attempts && base
        ? {
            backoff: {
              kind: 'law' as const,
              baseMs: base,
              factor: declared(1, base.origin.spot),
              jitter: declared('none' as const, base.origin.spot),
            },
          }
        : {}),
    },
    remarks: [],
  }
}

function unset(rule: YamlNode, implementation: 'istio' | 'envoy' | null, draft: FactsDraft): Sourced<LimitMs> | undefined {
  if (implementation === 'istio') return undefined
  if (implementation === 'envoy') return defaultLimit({ draft, system: 'envoy', version: null, key: 'route.timeout', at: rule }, rule)
  addNote(
    draft,
    'unknown',
    rule,
    'timeouts.request is not set: what holds depends on the implementation (none in Istio, 15 s in Envoy Gateway), and no Gateway with its class is here',
  )
  return declared('unknown', rule)
}
