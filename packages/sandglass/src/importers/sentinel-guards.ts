import { formatDuration } from '@sandglass/runtime/core'
import { addNote, type FactsDraft, type GuardFact } from './facts.js'
import type { Written } from './limit-fact.js'
import { breakerOfRule, fieldsOfFlow, kindOfRule, type SentinelKind, type SentinelRule } from './sentinel-rules.js'

/** Rules that a service loads. */
export interface LoadedRules {
  readonly service: string
  readonly rules: readonly SentinelRule[]
  /** What the setting that loads them says they are; null where it does not. */
  readonly kind: SentinelKind | null
}

/** What rules put around the calls of a service; those about its own pages, and those that only count requests, become notes. */
export function guardsOf({ service, rules, kind }: LoadedRules, draft: FactsDraft): readonly GuardFact[] {
  const guards: GuardFact[] = []
  const rates: SentinelRule[] = []
  for (const rule of rules) {
    const is = kind ?? kindOfRule(rule) ?? 'flow'
    const resource = rule.get('resource')
    if (is === 'other' || !resource) continue
    const fields = is === 'degrade' ? breakerFields(rule, draft) : fieldsOfFlow(rule, draft)
    if (fields === null) continue
    if (Object.keys(fields).length === 0) rates.push(rule)
    else if (resource.text.startsWith('/')) noteInbound(resource, fields, draft)
    else guards.push({ spot: rule.spot, service, resource: resource.text, names: namesOf(resource.text), fields })
  }
  const [first] = rates
  if (first)
    addNote(
      draft,
      'ignored',
      first.spot,
      `${rates.length === 1 ? 'a flow rule limits' : `${rates.length} flow rules limit`} how many requests ${service} takes or makes a second; no time is limited by it`,
    )
  return guards
}

function breakerFields(rule: SentinelRule, draft: FactsDraft): GuardFact['fields'] | null {
  const breaker = breakerOfRule(rule, draft)
  return breaker && { breaker }
}

/** A page of the service's own: what it does to its callers is no limit of a call that the service makes. */
function noteInbound({ text, spot }: Written, { queue, breaker }: GuardFact['fields'], draft: FactsDraft): void {
  const wait = queue?.totalMs?.value
  const what =
    typeof wait === 'number'
      ? `requests wait up to ${formatDuration(wait)} before they are handled`
      : breaker
        ? 'requests are refused while its breaker is open'
        : 'so many requests at once are handled, and others are refused'
  addNote(draft, 'ignored', spot, `${text.slice(0, 80)}: ${what}; that is not in the chain`)
}

/** The names under which calls know themselves: `GET:http://stock/x` is of stock, `stock#find(long)` too, `com.Stock:find(long)` of com.Stock. */
export function namesOf(resource: string): readonly string[] {
  const text = resource.toLowerCase()
  const host = /^[a-z]+:[a-z]+:\/\/([^/:?#]+)/.exec(text)?.[1]
  if (host !== undefined) return [host]
  const plain = text.replace(/\(.*$/s, '')
  return [...new Set([text, plain, plain.replace(/[#:].*$/s, '')])]
}
