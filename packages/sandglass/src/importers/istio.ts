import type { CallFields } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { envoyBackoff, envoyCauses, warnOfPerTry } from './envoy-retry.js'
import { addDead, addNote, type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact } from './facts.js'
import { breakerOf, connectOf, type Rule, ruleOf } from './istio-destination.js'
import { sayMisplaced, sayShadowedEntries } from './istio-shadowed.js'
import { countFact, defaultLimit, limitFact, type Setting, type Written } from './limit-fact.js'
import { numbered } from './numbered.js'
import { sharesOf, weightOf } from './shares.js'
import { nameOf, targetOf } from './target.js'
import { spellings } from './where-to.js'
import { wholeResources } from './whole-resources.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

/** VirtualService and DestinationRule: the sidecar of every caller, or a gateway. */
export const istio: Importer = {
  format: 'istio',
  accepts: ({ file, text }) =>
    /\.(ya?ml|json|tpl)$/.test(file) &&
    (/networking\.istio\.io\/|^[ \t]*kind:[ \t]*(VirtualService|DestinationRule)\b/m.test(text) ||
      (/^http:[ \t]*(#.*)?$/m.test(text) && /destination:/.test(text))),
  read(sources) {
    const draft = newFacts()
    const roots = wholeResources(
      sources.flatMap((source) => yamlMaps(source, draft)),
      draft,
    )
    const rules = roots.filter((root) => textAt(root, 'kind') === 'DestinationRule').map((root) => ruleOf(root))
    const services = roots.filter(
      (root) => textAt(root, 'kind') === 'VirtualService' || (textAt(root, 'kind') === '' && at(root, 'http') !== undefined),
    )
    for (const service of services) readVirtualService(service, rules, draft)
    const routed = new Set(services.flatMap((service) => itemsAt(service, 'spec', 'hosts').flatMap((host) => spellings(textAt(host)))))
    for (const rule of rules) if (!spellings(rule.host.text).some((name) => routed.has(name))) readRuleAlone(rule, draft)
    for (const root of roots)
      if (textAt(root, 'kind') === 'EnvoyFilter') addNote(draft, 'unknown', root, 'EnvoyFilter: what it patches is not read')
    return draft
  },
}

function readVirtualService(root: YamlNode, rules: readonly Rule[], draft: FactsDraft): void {
  const spec = at(root, 'spec') ?? root
  const hosts = itemsAt(spec, 'hosts')
    .map((host) => textAt(host))
    .filter((host) => host !== '')
  const gateways = itemsAt(spec, 'gateways').map((gateway) => textAt(gateway))
  const entries = itemsAt(spec, 'http')
  sayShadowedEntries(entries, draft)
  for (const entry of entries) sayMisplaced(entry, draft)
  const operations = numbered(entries.map((entry, index) => operationOf(entry, index, entries.length, rules, draft)))
  if (operations.length === 0) return
  const own = textAt(root, 'metadata', 'name') || hosts[0] || 'virtual-service'
  const outer = gateways.filter((gateway) => gateway !== 'mesh')
  const base = { spot: root, kind: 'proxy' as const, ports: [], operations }
  const names = hosts.flatMap((host) => spellings(host))
  for (const gateway of outer)
    draft.services.push({ ...base, name: nameOf(gateway.replace(/^.*\//, '')), hosts: names, intercepts: [], goesDirectly: true })
  if (outer.length === 0 || gateways.includes('mesh'))
    draft.services.push({ ...base, name: nameOf(`sidecar-${own}`), hosts: [], intercepts: names })
}

/** A DestinationRule without routes: Istio's own retries still hold in front of its host. */
function readRuleAlone(rule: Rule, draft: FactsDraft): void {
  const hop = hopOf(rule.node, rule.host, undefined, [rule], draft)
  const operation: OperationFact = { name: 'request', spot: rule.node, path: null, hops: [hop] }
  draft.services.push({
    name: nameOf(`sidecar-${rule.host.text}`),
    spot: rule.node,
    kind: 'proxy',
    hosts: [],
    ports: [],
    intercepts: spellings(rule.host.text),
    operations: [operation],
  })
}

function operationOf(entry: YamlNode, index: number, count: number, rules: readonly Rule[], draft: FactsDraft): OperationFact {
  const routes = itemsAt(entry, 'route')
  const shares = sharesOf(routes.map((route) => ({ spot: route, weight: weightOf(writtenAt(route, 'weight'), 0) })))
  const destinations = routes.flatMap((route, at) => {
    const host = writtenAt(route, 'destination', 'host')
    return host ? [{ host, subset: textAt(route, 'destination', 'subset') || undefined, share: shares[at] }] : []
  })
  const match = itemsAt(entry, 'match')[0]
  const path = textAt(match, 'uri', 'prefix') || textAt(match, 'uri', 'exact')
  return {
    name: nameOf(textAt(entry, 'name') || (count === 1 ? 'request' : `rule-${index + 1}`)),
    spot: entry,
    path: path === '' ? null : path,
    hops: destinations.map(({ host, subset, share }) => {
      const hop = hopOf(entry, host, subset, rules, draft)
      return share ? { ...hop, fields: { ...hop.fields, share } } : hop
    }),
  }
}

function settingOf(draft: FactsDraft, key: string, node: YamlNode, shown: string): Setting {
  return { draft, system: 'istio', version: null, key, shown, at: node }
}

function hopOf(entry: YamlNode, host: Written, subset: string | undefined, rules: readonly Rule[], draft: FactsDraft): HopFact {
  const rule = rules.find((each) => spellings(host.text).some((name) => spellings(each.host.text).includes(name)))
  const connectMs = connectOf(rule, subset, entry, draft)
  const breaker = breakerOf(rule, subset)
  const isFaulty = at(entry, 'fault') !== undefined
  if (isFaulty) warnOfFault(entry, draft)
  const timeout = writtenAt(entry, 'timeout')
  const timeoutMs = isFaulty ? undefined : limitFact(settingOf(draft, 'http[].timeout', entry, 'timeout'), timeout, 'istio', 'none')
  const retries = isFaulty ? {} : retryFields(entry, timeoutMs, draft)
  return {
    spot: entry,
    target: targetOf(host.text, host.spot),
    fields: { ...(timeoutMs ? { timeoutMs } : {}), ...(connectMs ? { connectMs } : {}), ...retries, ...(breaker ? { breaker } : {}) },
    remarks: timeoutMs ? [] : ['No limit of the whole request: Istio switches the default of Envoy off.'],
  }
}

function warnOfFault(entry: YamlNode, draft: FactsDraft): void {
  for (const key of ['timeout', 'retries']) {
    const node = at(entry, key)
    if (!node) continue
    addDead(draft, {
      setting: key,
      written: node.kind === 'scalar' ? node.text : 'set',
      spot: node,
      because: 'timeout and retries are not applied where a fault is injected on the same route',
      effective: key === 'timeout' ? 'no limit' : 'no retries',
    })
  }
}

/** `attempts` leaves the first try out. Without `retries` Istio repeats all the same, on failures before anything was processed. */
function retryFields(entry: YamlNode, timeoutMs: CallFields['timeoutMs'] | undefined, draft: FactsDraft): Partial<Omit<CallFields, 'to'>> {
  const policy = at(entry, 'retries')
  const retries = countFact(settingOf(draft, 'http[].retries.attempts', policy ?? entry, 'attempts'), writtenAt(policy, 'attempts'))
  const perTry = writtenAt(policy, 'perTryTimeout')
  const attemptMs = perTry && limitFact(settingOf(draft, 'http[].retries.perTryTimeout', entry, 'perTryTimeout'), perTry, 'istio', 'none')
  if (retries.value === 0) return attemptMs ? { attemptMs } : {}
  const conditions = writtenAt(policy, 'retryOn') ?? { text: DEFAULT_CONDITIONS, spot: policy ?? entry }
  const isWritten = at(policy, 'retryOn') !== undefined
  const hasPerTry = attemptMs !== undefined && attemptMs.value !== 'none'
  // What it repeats by itself are failures before anything was processed, so it reads like connecting again.
  const causes = policy ? envoyCauses(conditions.text, hasPerTry) : ['connect']
  const retryOn: Sourced<readonly string[]> = isWritten
    ? declared(causes, conditions.spot)
    : { value: causes, origin: { kind: 'default', product: 'istio', version: null, setting: 'retryOn', spot: conditions.spot } }
  const attempts: Sourced<number | 'unknown'> = retries.value === 'unknown' ? retries : { ...retries, value: retries.value + 1 }
  const fields = {
    ...(attemptMs ? { attemptMs } : {}),
    attempts,
    retryOn,
    ...(typeof retries.value === 'number' ? backoffOf(entry, retries.value, draft) : {}),
  }
  warnOfPerTry(draft, { perTry: 'perTryTimeout', retries: 'attempts' }, { ...fields, ...(timeoutMs ? { timeoutMs } : {}) }, conditions)
  return fields
}

const DEFAULT_CONDITIONS = 'connect-failure,refused-stream,unavailable,cancelled'

function backoffOf(entry: YamlNode, retries: number, draft: FactsDraft): Pick<Partial<CallFields>, 'backoff'> {
  const setting = settingOf(draft, 'http[].retries.backoff', entry, 'backoff')
  const written = writtenAt(entry, 'retries', 'backoff')
  const base = written ? limitFact(setting, written, 'istio') : defaultLimit(setting, entry)
  if (typeof base?.value !== 'number') return {}
  const backoff = envoyBackoff(base.value, base.value * 10, retries, base.origin)
  return backoff ? { backoff } : {}
}
