import type { Breaker, CallFields, LimitMs } from '../model/chain.js'
import { declared, type Source, type Sourced, type Spot } from '../model/sourced.js'
import { readYamlDocuments, type YamlNode } from '../model/yaml-tree.js'
import { addBroken, addDead, addNote, type FactsDraft } from './facts.js'
import { defaultLimit, defaultNumber, defaultText, type Setting, type Written } from './limit-fact.js'
import { readXml, type XmlElement } from './xml-tree.js'
import { writtenAt } from './yaml-path.js'

/** What a rule is about; `other` are rules that limit who may ask, or the machine's load. */
export type SentinelKind = 'flow' | 'degrade' | 'other'

/** One rule: its fields by name, wherever it was written. */
export interface SentinelRule {
  readonly spot: Spot
  readonly get: (field: string) => Written | undefined
}

/** The rules in a file: a JSON list, or elements of XML. A file that cannot be read becomes a note. */
export function rulesIn(source: Source, draft: FactsDraft): readonly SentinelRule[] {
  if (source.text.trimStart().startsWith('<')) return readXml(source).flatMap(rulesInXml)
  const read = readYamlDocuments(source, source.text.replaceAll('\t', ' '))
  if (!read.ok) {
    addBroken(draft, read.problem.spot ?? { source, start: 0, end: 1 }, read.problem.message)
    return []
  }
  return read.roots.flatMap((root) => (root.kind === 'list' ? root.items : [])).flatMap(ruleOfNode)
}

function ruleOfNode(node: YamlNode): readonly SentinelRule[] {
  if (node.kind !== 'map') return []
  const get = (field: string) => {
    const written = writtenAt(node, field)
    return written?.text === 'null' ? undefined : written
  }
  return [{ spot: node, get }]
}

function rulesInXml(element: XmlElement): readonly SentinelRule[] {
  if (!element.name.endsWith('Rule')) return element.children.flatMap(rulesInXml)
  return [{ spot: element, get: (field) => element.children.find(({ name }) => name === field)?.text ?? undefined }]
}

/** What a rule is by its fields; null where they do not tell. */
export function kindOfRule({ get }: SentinelRule): SentinelKind | null {
  if (get('timeWindow') || get('slowRatioThreshold') || get('minRequestAmount')) return 'degrade'
  if (get('controlBehavior') || get('maxQueueingTimeMs') || get('clusterMode') || get('resourceMode') || get('intervalSec')) return 'flow'
  if (get('highestSystemLoad') || get('avgRt') || get('paramIdx') || !get('count')) return 'other'
  return null
}

interface Reading {
  readonly rule: SentinelRule
  readonly draft: FactsDraft
}

function setting({ rule, draft }: Reading, key: string, shown: string): Setting {
  return { draft, system: 'sentinel', version: null, key, shown, at: rule.spot }
}

function numberIn({ rule }: Reading, field: string): Sourced<number> | undefined {
  const written = rule.get(field)
  return written && /^\d{1,15}(\.\d{1,9})?$/.test(written.text) ? declared(Number(written.text), written.spot) : undefined
}

/** The breaker that a degrade rule is; null where Sentinel refuses the rule, which is said. */
export function breakerOfRule(rule: SentinelRule, draft: FactsDraft): Breaker | null {
  const reading: Reading = { rule, draft }
  const refused = refusalOf(reading)
  if (refused) {
    addDead(draft, { ...refused, effective: 'no breaker: the rule is refused' })
    return null
  }
  const legacy = rule.get('passCount')
  if (legacy)
    addDead(draft, {
      setting: 'passCount',
      written: legacy.text,
      spot: legacy.spot,
      because: 'degrade rules have no such field any more; minRequestAmount is how many calls are judged at least',
      effective: 'minRequestAmount, or its default',
    })
  const windowS = numberIn(reading, 'timeWindow')
  if (windowS && windowS.value >= SUSPICIOUS_S)
    addNote(
      draft,
      'unknown',
      windowS.origin.spot,
      `timeWindow ${windowS.value} is in seconds: the breaker stays open for ${Math.round(windowS.value / 60)} minutes`,
    )
  const openMs = (windowS?.value ?? 0) * S
  return { spot: rule.spot, ...(windowS ? { open: { ...windowS, value: { baseMs: openMs, maxMs: openMs } } } : {}), ...triggerOf(reading) }
}

const S = 1e3
/** More than half an hour of seconds was likely meant in milliseconds. */
const SUSPICIOUS_S = 30 * 60

type Refusal = { readonly setting: string; readonly written: string; readonly spot: Spot; readonly because: string }

/** Sentinel drops a rule without a recovery time, and one whose ratio is above 1. */
function refusalOf(reading: Reading): Refusal | null {
  const { rule } = reading
  const written = (field: string) => rule.get(field)
  const count = numberIn(reading, 'count')
  const bad = (field: string, because: string): Refusal => ({
    setting: field,
    written: written(field)?.text ?? 'not written',
    spot: written(field)?.spot ?? rule.spot,
    because,
  })
  if (!count) return bad('count', 'it is no number of at least 0')
  if (!(numberIn(reading, 'timeWindow')?.value ?? 0)) return bad('timeWindow', 'the seconds it stays open must be more than 0')
  if (gradeOf(reading) === '1' && count.value > 1) return bad('count', 'with grade 1 it is a share of calls, from 0 to 1')
  return null
}

function gradeOf({ rule }: Reading): string {
  return rule.get('grade')?.text ?? '0'
}

/** Grade 0: slow calls, `count` in ms. Grade 1: the share of errors. Grade 2: how many errors. */
function triggerOf(reading: Reading): Partial<Breaker> {
  const count = numberIn(reading, 'count')
  if (!count) return {}
  // Errors within a window are told by the chain's failures in a row: where all calls fail they are the same.
  if (gradeOf(reading) === '2') return count.value >= 1 ? { consecutive: { ...count, value: Math.ceil(count.value) } } : {}
  const windowMs =
    numberIn(reading, 'statIntervalMs') ??
    plain(defaultLimit(setting(reading, 'DegradeRule.statIntervalMs', 'statIntervalMs'), reading.rule.spot))
  const minCalls =
    numberIn(reading, 'minRequestAmount') ?? plain(defaultNumber(setting(reading, 'DegradeRule.minRequestAmount', 'minRequestAmount')))
  const judged: Partial<Breaker> = {
    ...(windowMs && windowMs.value > 0 ? { window: { ...windowMs, value: { ms: windowMs.value } } } : {}),
    ...(minCalls && minCalls.value > 0 ? { minCalls } : {}),
  }
  if (gradeOf(reading) === '1') return { ...judged, failureRate: count }
  if (count.value <= 1)
    addNote(
      reading.draft,
      'unknown',
      count.origin.spot,
      `count ${count.value} with grade 0 is ${count.value} ms: nearly every call is slower; a share of errors is grade 1, a number of them grade 2`,
    )
  const threshold = defaultText(setting(reading, 'DegradeRule.slowRatioThreshold', 'slowRatioThreshold'))
  const slowRate = numberIn(reading, 'slowRatioThreshold') ?? { ...threshold, value: Number(threshold.value) }
  return { ...judged, slowMs: count, ...(slowRate.value >= 0 && slowRate.value <= 1 ? { slowRate } : {}) }
}

function plain(value: Sourced<LimitMs> | Sourced<number | 'unknown'> | undefined): Sourced<number> | undefined {
  return value && typeof value.value === 'number' ? { ...value, value: value.value } : undefined
}

/** What a flow rule does to calls: those that wait in line, and those that are let through at once; a rate alone is nothing in a chain. */
export function fieldsOfFlow(rule: SentinelRule, draft: FactsDraft): Pick<Partial<CallFields>, 'queue' | 'bulkhead'> {
  const reading: Reading = { rule, draft }
  const count = numberIn(reading, 'count')
  if (rule.get('grade')?.text === '0') return count && count.value >= 1 ? { bulkhead: { ...count, value: Math.floor(count.value) } } : {}
  if (!/^[23]$/.test(rule.get('controlBehavior')?.text ?? '')) return {}
  const wait =
    numberIn(reading, 'maxQueueingTimeMs') ??
    numberIn(reading, 'maxQueueingTimeoutMs') ??
    plain(defaultLimit(setting(reading, 'FlowRule.maxQueueingTimeMs', 'maxQueueingTimeMs'), rule.spot))
  return wait ? { queue: { spot: wait.origin.spot, totalMs: wait } } : {}
}
