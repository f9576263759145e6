import type { Breaker, LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import type { FactsDraft } from './facts.js'
import { limitFact, type Written } from './limit-fact.js'
import { parseDuration } from './parse-duration.js'
import { at, itemsAt, textAt, writtenAt } from './yaml-path.js'

/** A DestinationRule: the host it is for, and its document. */
export interface Rule {
  readonly host: Written
  readonly node: YamlNode
}

export function ruleOf(node: YamlNode): Rule {
  return { host: writtenAt(node, 'spec', 'host') ?? { text: '', spot: node }, node }
}

/** A subset's policy wins over the destination's, field by field; a port's settings replace the destination's as a whole. */
function settingAt(rule: Rule | undefined, subset: string | undefined, ...keys: readonly string[]): Written | undefined {
  if (!rule) return undefined
  const own = itemsAt(rule.node, 'spec', 'subsets').find((each) => subset !== undefined && textAt(each, 'name') === subset)
  const port = itemsAt(rule.node, 'spec', 'trafficPolicy', 'portLevelSettings')[0]
  const shared = port ?? at(rule.node, 'spec', 'trafficPolicy')
  return writtenAt(own, 'trafficPolicy', ...keys) ?? writtenAt(shared, ...keys)
}

/** How long connecting to the destination may take. */
export function connectOf(
  rule: Rule | undefined,
  subset: string | undefined,
  entry: YamlNode,
  draft: FactsDraft,
): Sourced<LimitMs> | undefined {
  const written = settingAt(rule, subset, 'connectionPool', 'tcp', 'connectTimeout')
  return limitFact(
    { draft, system: 'istio', version: null, key: 'connectionPool.tcp.connectTimeout', shown: 'connectTimeout', at: rule?.node ?? entry },
    written,
    'istio',
  )
}

/** Outlier detection takes an instance out after failures in a row. */
export function breakerOf(rule: Rule | undefined, subset: string | undefined): Breaker | undefined {
  const failures =
    settingAt(rule, subset, 'outlierDetection', 'consecutive5xxErrors') ??
    settingAt(rule, subset, 'outlierDetection', 'consecutiveGatewayErrors')
  if (!failures || !/^[1-9]\d{0,6}$/.test(failures.text)) return undefined
  const ejection = settingAt(rule, subset, 'outlierDetection', 'baseEjectionTime')
  const parsed = ejection && parseDuration(ejection.text, 'istio')
  const open = parsed?.ok && ejection ? { open: declared({ baseMs: parsed.ms, maxMs: parsed.ms }, ejection.spot) } : {}
  return { spot: failures.spot, consecutive: declared(Number(failures.text), failures.spot), ...open }
}
