import type { CallFields, LimitMs } from '../model/chain.js'
import type { Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft, type HopFact, type OperationFact, type Target } from './facts.js'
import { countFact, defaultText, limitFact, type Setting, type Written } from './limit-fact.js'
import { numbered } from './numbered.js'
import { nameOf, targetOf } from './target.js'
import { isTraefikIngress } from './traefik-ingress.js'
import { at, itemsAt, textAt, writtenAt } from './yaml-path.js'

const PREFIX = 'nginx.ingress.kubernetes.io/'

/** The paths of every Ingress that ingress-nginx serves, an operation each: annotations win over the ConfigMap, and that over defaults. */
export function ingressOperations(roots: readonly YamlNode[], draft: FactsDraft): readonly OperationFact[] {
  const shared = roots.find(
    (root) =>
      textAt(root, 'kind') === 'ConfigMap' &&
      /ingress-nginx|nginx-(configuration|ingress)|nginx-load-balancer/.test(textAt(root, 'metadata', 'name')),
  )
  const ingresses = roots.filter(
    (root) => (textAt(root, 'kind') === 'Ingress' && !isTraefikIngress(root)) || (textAt(root, 'kind') === '' && annotated(root)),
  )
  return numbered(ingresses.flatMap((ingress) => operationsOf({ ingress, shared, draft })))
}

function annotated(root: YamlNode): boolean {
  const annotations = at(root, 'metadata', 'annotations')
  return annotations?.kind === 'map' && annotations.entries.some(({ key }) => key.text.startsWith(PREFIX))
}

interface Reading {
  readonly ingress: YamlNode
  readonly shared: YamlNode | undefined
  readonly draft: FactsDraft
}

function operationsOf(reading: Reading): readonly OperationFact[] {
  const { ingress, draft } = reading
  const annotations = at(ingress, 'metadata', 'annotations')
  const className = writtenAt(ingress, 'spec', 'ingressClassName') ?? writtenAt(annotations, 'kubernetes.io/ingress.class')
  if (className && !/nginx/.test(className.text)) {
    addNote(draft, 'unknown', className.spot, `ingress class ${className.text}: what its controller limits is not read`)
    return []
  }
  const fields = fieldsOf(reading)
  const paths = itemsAt(ingress, 'spec', 'rules').flatMap((rule) =>
    itemsAt(rule, 'http', 'paths').map((path) => ({ host: textAt(rule, 'host'), path })),
  )
  const backends = paths.map(({ host, path }) => ({
    host,
    path: textAt(path, 'path') || '/',
    backend: at(path, 'backend') ?? path,
    spot: path,
  }))
  const fallback = at(ingress, 'spec', 'defaultBackend')
  const all = [...backends, ...(fallback ? [{ host: '', path: '/', backend: fallback, spot: fallback }] : [])]
  const known = all.length > 0 ? all : [{ host: '', path: '/', backend: ingress, spot: ingress }]
  return known.map(({ host, path, backend, spot }) => {
    const hop: HopFact = { spot, target: targetFor(backend), fields: fields.fields, repeatsReadsOnly: fields.readsOnly, remarks: [] }
    const plain = path.replace(/[^A-Za-z0-9_/-]+/g, '-').replace(/[-/]+$/, '')
    const base = host === '' ? plain || 'request' : `${nameOf(host)}${plain}`
    return { name: base, spot, path: path.startsWith('/') ? path.replace(/[(*?].*$/, '') : null, hops: [hop] }
  })
}

function targetFor(backend: YamlNode): Target {
  const name = writtenAt(backend, 'service', 'name') ?? writtenAt(backend, 'serviceName')
  const port = textAt(backend, 'service', 'port', 'number') || textAt(backend, 'servicePort')
  return name ? targetOf(/^\d+$/.test(port) ? `${name.text}:${port}` : name.text, name.spot) : targetOf('$backend', backend)
}

/** What is in force: an annotation is a whole number of seconds without a unit, and a ConfigMap's value too. */
function fieldsOf({ ingress, shared, draft }: Reading): { readonly fields: Partial<Omit<CallFields, 'to'>>; readonly readsOnly: boolean } {
  const annotations = at(ingress, 'metadata', 'annotations')
  const written = (key: string): Written | undefined => writtenAt(annotations, `${PREFIX}${key}`) ?? writtenAt(shared, 'data', key)
  const setting = (key: string): Setting => ({
    draft,
    system: 'ingress-nginx',
    version: null,
    key,
    shown: annotations && at(annotations, `${PREFIX}${key}`) ? `${PREFIX}${key}` : key,
    at: annotations ?? ingress,
  })
  const limit = (key: string): Sourced<LimitMs> | undefined => limitFact(setting(key), written(key), 'int-s')
  const [connectMs, writeMs, silenceMs] = [limit('proxy-connect-timeout'), limit('proxy-send-timeout'), limit('proxy-read-timeout')]
  const conditions = written('proxy-next-upstream')
  const words =
    conditions?.text.split(/\s+/) ??
    defaultText({ draft, system: 'nginx', version: null, key: 'proxy_next_upstream', at: ingress }).value.split(' ')
  const tries = countFact(setting('proxy-next-upstream-tries'), written('proxy-next-upstream-tries'))
  const within = limitFact(setting('proxy-next-upstream-timeout'), written('proxy-next-upstream-timeout'), 'int-s', 'none')
  const keepAliveMs = keepAliveOf(shared, setting)
  const limits = {
    ...(connectMs ? { connectMs } : {}),
    ...(writeMs ? { writeMs } : {}),
    ...(silenceMs ? { silenceMs } : {}),
    ...(keepAliveMs ? { keepAliveMs } : {}),
  }
  const isUnsafe = written('retry-non-idempotent')?.text === 'true' || words.includes('non_idempotent')
  if (words.includes('off') || tries.value === 1) return { fields: limits, readsOnly: false }
  const causes = words.flatMap((word) =>
    word === 'error' ? ['connect', 'reset'] : word === 'timeout' ? ['timeout'] : /^http_[1-5]\d\d$/.test(word) ? [word.slice(5)] : [],
  )
  // 0 tries as often as there are pods, and their number changes.
  const attempts: Sourced<number | 'unknown'> = tries.value === 0 ? { ...tries, value: 'unknown' } : tries
  const retryOn: Sourced<readonly string[]> = {
    value: [...new Set(causes)],
    origin: conditions ? { kind: 'declared', spot: conditions.spot } : tries.origin,
  }
  return {
    fields: { ...limits, attempts, retryOn, ...(within && within.value !== 'none' ? { retryStartWithinMs: within } : {}) },
    readsOnly: !isUnsafe,
  }
}

/** Connections to pods are kept unless the ConfigMap takes them away; no annotation speaks of them. */
function keepAliveOf(shared: YamlNode | undefined, setting: (key: string) => Setting): Sourced<LimitMs> | undefined {
  if (textAt(shared, 'data', 'upstream-keepalive-connections') === '0') return undefined
  return limitFact(setting('upstream-keepalive-timeout'), writtenAt(shared, 'data', 'upstream-keepalive-timeout'), 'int-s')
}
