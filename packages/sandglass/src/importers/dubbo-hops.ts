import type { CallFields } from '../model/chain.js'
import { declared, type Sourced, type Spot } from '../model/sourced.js'
import {
  type DubboEnd,
  firstOf,
  type Get,
  isOffered,
  isSameInterface,
  type Levels,
  levelsOf,
  nowhere,
  type Participant,
} from './dubbo-model.js'
import type { DubboOverride } from './dubbo-overrides.js'
import { addDead, addNote, type FactsDraft, type HopFact } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import { templateIn } from './templates.js'

/** Everything that takes part, with the rules that hold over all. */
export interface Dubbo {
  readonly participants: readonly Participant[]
  readonly overrides: readonly DubboOverride[]
  readonly draft: FactsDraft
  /** True where the interface, or its method, gives nothing but futures: whoever calls it waits for nothing. */
  readonly isFuture: (reference: DubboEnd, method: string | null) => boolean
}

/** The calls of a service by Dubbo: one for each reference, and one for each method that has limits of its own. */
export function dubboHops(caller: Participant, dubbo: Dubbo): readonly HopFact[] {
  return caller.ends.filter(({ kind }) => kind === 'reference').flatMap((reference) => hopsOf(caller, reference, dubbo))
}

interface Provided {
  readonly participant: Participant
  readonly end: DubboEnd
}

function hopsOf(caller: Participant, reference: DubboEnd, dubbo: Dubbo): readonly HopFact[] {
  const offers = offersOf(caller, reference, dubbo)
  const others = offers.filter(({ participant }) => participant !== caller)
  // What the service itself offers is called in the same process.
  if (offers.length > 0 && others.length === 0) return []
  const [provided] = others
  const several = new Set(others.map(({ participant }) => participant.name))
  if (several.size > 1)
    addNote(
      dubbo.draft,
      'unknown',
      reference.spot,
      `${reference.interface} is offered by ${[...several].join(' and ')}; the first stands for all`,
    )
  const names = new Set([...reference.methods.keys(), ...(provided?.end.methods.keys() ?? []), ...namedInSettings(caller, reference)])
  const calling: Calling = { caller, reference, provided, dubbo }
  const whole = hopOf(calling, null)
  const own = [...names].map((name) => hopOf(calling, name)).filter((hop) => !hasSameLimits(hop, whole))
  return [whole, ...own]
}

/** Methods that settings name: `dubbo.reference.<interface>.<method>.timeout`. */
function namedInSettings({ settings, properties }: Participant, { kind, interface: type }: DubboEnd): readonly string[] {
  const pattern = new RegExp(
    `^dubbo\\.${kind}s?\\.${type.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.(\\w+)\\.(timeout|retries|cluster|actives)$`,
  )
  return [...(settings?.entries ?? []), ...(properties?.entries ?? [])].flatMap(({ key }) => pattern.exec(key)?.[1] ?? [])
}

function offersOf(caller: Participant, reference: DubboEnd, { participants }: Dubbo): readonly Provided[] {
  const wanted = levelsOf(caller, reference, null)
  return participants.flatMap((participant) =>
    participant.ends
      .filter((end) => end.kind === 'service' && isSameInterface(end.interface, reference.interface))
      .filter((end) => isOffered(wanted, levelsOf(participant, end, null)))
      .map((end) => ({ participant, end })),
  )
}

interface Calling {
  readonly caller: Participant
  readonly reference: DubboEnd
  readonly provided: Provided | undefined
  readonly dubbo: Dubbo
}

function hopOf(calling: Calling, method: string | null): HopFact {
  const { reference, provided, dubbo } = calling
  const get = effective(calling, method)
  const host = provided?.participant.name ?? reference.interface
  const cluster = get('cluster')
  return {
    spot: reference.spot,
    target: { text: reference.interface, spot: reference.spot, host, port: null, path: null, kind: 'service' },
    fields: fieldsOf(get, retried(calling, method), reference.spot, dubbo.draft),
    instances:
      method === null
        ? [reference.interface, ...(reference.id === null ? [] : [reference.id])]
        : [`${reference.interface}:${method}`, reference.interface],
    remarks: [
      `${reference.interface}${method === null ? '' : `, method ${method}`}.`,
      ...(cluster ? (REMARKS.get(cluster.text) ?? []) : []),
    ],
  }
}

const REMARKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['forking', ['cluster forking: several providers are asked at once, and the first answer is taken.']],
  ['broadcast', ['cluster broadcast: every provider is asked, one after the other.']],
  ['failback', ['cluster failback: a call that failed is repeated later, in the background.']],
  ['failsafe', ['cluster failsafe: an error is swallowed, and nothing is answered.']],
])

function hasSameLimits(a: HopFact, b: HopFact): boolean {
  const text = ({ fields }: HopFact) => [fields.attemptMs?.value, fields.attempts?.value, fields.bulkhead?.value].join()
  return text(a) === text(b)
}

/** A rule over all, then the finer of both sides first, and the consumer's where both are as fine. */
function effective(calling: Calling, method: string | null): Get {
  const { caller, reference, provided } = calling
  const consumer = levelsOf(caller, reference, method)
  const provider: Levels = provided
    ? levelsOf(provided.participant, provided.end, method)
    : { method: nowhere(), own: nowhere(), side: nowhere() }
  return firstOf([
    ruled(calling, method, 'consumer'),
    consumer.method,
    provider.method,
    consumer.own,
    ruled(calling, method, 'provider'),
    provider.own,
    consumer.side,
    provider.side,
  ])
}

/** The parameters of rules that mean a call; a rule for the provider's side changes what the provider offers. */
function ruled({ caller, reference, provided, dubbo }: Calling, method: string | null, side: 'consumer' | 'provider'): Get {
  const isMeant = (override: DubboOverride): boolean => {
    const names = (side === 'consumer' ? caller : provided?.participant)?.names ?? []
    const isSide = side === 'consumer' ? override.side !== 'provider' : override.side === 'provider'
    const isApplication = override.application === null || names.includes(override.application)
    const isOnly = override.only === null || override.only.some((name) => caller.names.includes(name))
    return isSide && isApplication && isOnly && isAbout(override, caller, reference)
  }
  const gets = dubbo.overrides.filter(isMeant).map(({ parameters }) => parameters)
  const ofMethod = gets.map(
    (get): Get =>
      (attribute) =>
        method === null ? undefined : get(`${method}.${attribute}`),
  )
  return firstOf([...ofMethod, ...gets])
}

function isAbout({ service }: DubboOverride, caller: Participant, reference: DubboEnd): boolean {
  if (service === null) return true
  if (!isSameInterface(service.interface, reference.interface)) return false
  const { own, side } = levelsOf(caller, reference, null)
  const has = (attribute: 'group' | 'version') => service[attribute] === '' || firstOf([own, side])(attribute)?.text === service[attribute]
  return has('group') && has('version')
}

/** How many times a cluster calls: only `failover`, which is the default, calls again. */
const ONCE: ReadonlySet<string> = new Set(['failfast', 'failsafe', 'failback', 'forking', 'broadcast', 'available', 'mergeable'])

function fieldsOf(get: Get, retried: Retried, at: Spot, draft: FactsDraft): HopFact['fields'] {
  const setting = (key: string): Setting => ({ draft, system: 'dubbo', version: null, key, at })
  const attemptMs = limitFact(setting('timeout'), positive(get('timeout')), 'int-ms')
  const attempts = attemptsOf(get, setting('retries'))
  const actives = positive(get('actives'))
  const bulkhead = actives && countFact(setting('actives'), actives)
  return {
    ...(attemptMs ? { attemptMs } : {}),
    ...(attempts && attempts.value !== 1 ? { attempts, retryOn: { value: retried, origin: attempts.origin } } : {}),
    ...(bulkhead ? { bulkhead } : {}),
    // A call that finds no slot waits as long as one may take.
    ...(bulkhead && attemptMs ? { queue: { spot: bulkhead.origin.spot, perAttemptMs: attemptMs } } : {}),
  } satisfies Partial<CallFields>
}

type Retried = NonNullable<HopFact['fields']['retryOn']>['value']

/** A cluster calls again where sending fails; of a call that its caller makes `async`, or that gives a future, it waits for nothing, and what fails later is not tried again. */
function retried({ caller, reference, dubbo }: Calling, name: string | null): Retried {
  const { method, own, side } = levelsOf(caller, reference, name)
  const isAsync = firstOf([method, own, side])('async')?.text.trim() === 'true'
  return isAsync || dubbo.isFuture(reference, name) ? ['connect'] : ['connect', 'reset', 'timeout']
}

/** 0 and below stand for "as it is elsewhere". */
function positive(written: Written | undefined): Written | undefined {
  return written && /^(-\d+|0)$/.test(written.text) ? undefined : written
}

function attemptsOf(get: Get, setting: Setting): Sourced<number | 'unknown'> | undefined {
  const cluster = get('cluster')
  const written = get('retries')
  if (cluster && templateIn(cluster.text) !== null) return declared('unknown', cluster.spot)
  if (cluster && ONCE.has(cluster.text)) {
    if (written && /^[1-9]\d*$/.test(written.text))
      addDead(setting.draft, {
        setting: 'retries',
        written: written.text,
        spot: written.spot,
        because: `cluster ${cluster.text} does not call again`,
        effective: 'one call',
      })
    return undefined
  }
  if (written && /^-\d+$/.test(written.text)) return undefined
  const extra = countFact(setting, written)
  return extra.value === 'unknown' ? extra : { ...extra, value: extra.value + 1 }
}
