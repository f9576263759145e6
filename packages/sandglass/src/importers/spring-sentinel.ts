import type { Source } from '../model/sourced.js'
import { addDead, addNote, type GuardFact, type HopFact, type Surroundings } from './facts.js'
import type { Written } from './limit-fact.js'
import { guardsOf } from './sentinel-guards.js'
import { kindOfRule, rulesIn, type SentinelKind, type SentinelRule } from './sentinel-rules.js'
import type { SpringApplication } from './spring.js'
import { isNamed, nacosDocument } from './spring-store.js'

/** What Sentinel does in an application, and the files its settings point to. */
export interface SentinelFacts {
  readonly guards: readonly GuardFact[]
  readonly pointedTo: readonly string[]
}

const ROOT = 'spring.cloud.sentinel'
const KINDS: ReadonlyMap<string, SentinelKind> = new Map([
  ['flow', 'flow'],
  ['gw-flow', 'flow'],
  ['degrade', 'degrade'],
])

/** Rules of `spring.cloud.sentinel.datasource` and of `feign.sentinel.rules`. */
export function sentinelOf(
  application: SpringApplication,
  service: string,
  hops: readonly HopFact[],
  surroundings: Surroundings,
): SentinelFacts {
  const { settings } = application
  const pointedTo: string[] = []
  const off = settings.get(`${ROOT}.enabled`)
  const isOff = off?.text === 'false'
  if (isOff) addNote(application.draft, 'ignored', off.spot, 'Sentinel is off: none of its rules holds')
  const guards = settings.below(`${ROOT}.datasource`).flatMap((name) => {
    const source = sourceOf(application, `${ROOT}.datasource.${name}`, surroundings)
    if (!source) return []
    pointedTo.push(source.file)
    if (isOff) return []
    const rules = rulesIn(source, application.draft)
    const kind = kindOf(application, `${ROOT}.datasource.${name}`, rules)
    return kind === 'mismatch' ? [] : guardsOf({ service, rules, kind }, application.draft)
  })
  return { guards: [...live(application, guards, hops), ...feignRules(application, service, hops)], pointedTo }
}

/** Where a datasource's rules lie; null where that is nothing that was read. */
function sourceOf({ settings, draft, at }: SpringApplication, key: string, surroundings: Surroundings): Source | null {
  const file = settings.get(`${key}.file.file`)
  if (file) {
    const path = file.text.replace(/^(classpath\*?|file):\s*/, '').trim()
    const found =
      surroundings.filesLike(path.replace(/^\/+/, ''), at.source.file)[0] ??
      surroundings.filesLike(path.slice(path.lastIndexOf('/') + 1), at.source.file)[0]
    if (!found) addNote(draft, 'unknown', file.spot, `rules of Sentinel: ${path} is not here`)
    return found ?? null
  }
  const id = settings.get(`${key}.nacos.data-id`)
  const group = settings.get(`${key}.nacos.group-id`)?.text ?? 'DEFAULT_GROUP'
  const found = id && surroundings.all.find((source) => isDataId(source, id, group))
  if (found) return found
  const kind = settings.below(key)[0]
  const spot = id?.spot ?? settings.entries.find((entry) => entry.key.startsWith(`${key}.`))?.written.spot
  if (spot) addNote(draft, 'unknown', spot, `rules of Sentinel that lie elsewhere (${kind}${id ? ` ${id.text}` : ''}) are not here`)
  return null
}

function isDataId(source: Source, id: Written, group: string): boolean {
  const document = nacosDocument(source)
  return document !== null && document.group === group && isNamed(document, id.text)
}

/** What `rule-type` says, unless the rules are of another one: then nothing of them is what was meant. */
function kindOf({ settings, draft }: SpringApplication, key: string, rules: readonly SentinelRule[]): SentinelKind | null | 'mismatch' {
  const written = settings.below(key).flatMap((type) => settings.get(`${key}.${type}.rule-type`) ?? [])[0]
  if (!written) return null
  const kind = KINDS.get(written.text.toLowerCase().replaceAll('_', '-')) ?? 'other'
  const [first] = rules
  const is = first ? kindOfRule(first) : null
  if (!first || is === null || is === kind || kind === 'other') return kind
  addDead(draft, {
    setting: 'rule-type',
    written: written.text,
    spot: written.spot,
    because: `the rules it loads are ${is} rules`,
    effective: 'no rule as it is meant',
  })
  return 'mismatch'
}

/** Rules for calls of Feign need Sentinel in Feign, which is off unless it is switched on. */
function live({ settings, draft }: SpringApplication, guards: readonly GuardFact[], hops: readonly HopFact[]): readonly GuardFact[] {
  const isOn = settings.get('feign.sentinel.enabled')?.text === 'true'
  // Calls by URL know no other name than their host; they may be resources of Sentinel by an annotation in the code.
  const feign = new Set(hops.filter(({ instances }) => instances !== undefined).map(({ target }) => target.host))
  const dead = isOn
    ? []
    : guards.filter(({ resource, names }) => /^[A-Z]+:\w+:\/\//.test(resource) && names.some((name) => feign.has(name)))
  for (const { spot, resource } of dead)
    addDead(draft, {
      setting: 'rule of Sentinel',
      written: resource.slice(0, 80),
      spot,
      because: 'feign.sentinel.enabled is not true, so calls of Feign are no resources of Sentinel',
      effective: 'no rule',
    })
  return guards.filter((guard) => !dead.includes(guard))
}

const FEIGN = 'feign.sentinel'

/** `feign.sentinel.rules`: by client, by method, and those that hold for every other client. */
function feignRules(application: SpringApplication, service: string, hops: readonly HopFact[]): readonly GuardFact[] {
  const { settings, draft } = application
  const names = settings.below(`${FEIGN}.rules`)
  const first = settings.entries.find(({ key }) => key.startsWith(`${FEIGN}.rules`))
  if (!first || names.length === 0) return []
  const switches = ['feign.circuitbreaker.enabled', 'spring.cloud.openfeign.circuitbreaker.enabled']
  if (!switches.some((key) => settings.get(key)?.text === 'true')) {
    addDead(draft, {
      setting: `${FEIGN}.rules`,
      written: `rules for ${names.length === 1 ? names[0] : `${names.length} clients`}`,
      spot: first.written.spot,
      because: `${switches[0]} is not true`,
      effective: 'no breaker',
    })
    return []
  }
  const byDefault = settings.get(`${FEIGN}.default-rule`)?.text ?? 'default'
  const guards = names
    .filter((name) => name !== byDefault)
    .flatMap((name) => guardsOf({ service, rules: rulesBelow(application, name, name), kind: 'degrade' }, draft))
  const told = new Set(guards.flatMap((guard) => guard.names))
  const others = hops.flatMap(({ instances }) => instances ?? []).filter((name) => !told.has(name.toLowerCase()))
  const shared = names.includes(byDefault)
    ? others.flatMap((client) => guardsOf({ service, rules: rulesBelow(application, byDefault, client), kind: 'degrade' }, draft))
    : []
  return [...guards, ...shared]
}

const MAX_RULES = 200

function rulesBelow({ settings }: SpringApplication, name: string, resource: string): readonly SentinelRule[] {
  const rules: SentinelRule[] = []
  for (const key of [`${FEIGN}.rules.${name}`, `${FEIGN}.rules.[${name}]`, `${FEIGN}.rules[${name}]`])
    for (let index = 0; index < MAX_RULES && settings.has(`${key}[${index}]`); index++) {
      const spot = settings.entries.find((entry) => entry.key.startsWith(`${key}[${index}].`))?.written.spot
      if (!spot) continue
      rules.push({ spot, get: (field) => (field === 'resource' ? { text: resource, spot } : settings.get(`${key}[${index}].${field}`)) })
    }
  return rules
}
