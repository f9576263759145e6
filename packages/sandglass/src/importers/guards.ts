import { addNote, type FactsDraft, type GuardFact, type HopFact, type OperationFact, type ServiceFact } from './facts.js'
import { sayIfNeverSlow } from './never-slow.js'

/** Puts guards around the calls they mean; one that means no call which is known becomes a note. */
export function guarded(services: readonly ServiceFact[], guards: readonly GuardFact[], draft: FactsDraft): readonly ServiceFact[] {
  if (guards.length === 0) return services
  const guardsOf = new Map<HopFact, GuardFact[]>()
  for (const guard of guards) {
    const meant = services.filter(({ name }) => name === guard.service).flatMap((service) => meantBy(guard, service))
    for (const hop of meant) guardsOf.set(hop, [...(guardsOf.get(hop) ?? []), guard])
    if (meant.length === 0)
      addNote(
        draft,
        'unknown',
        guard.spot,
        `resource ${guard.resource.slice(0, 80)}: which call of ${guard.service} it is stands in the code; its rule is not in the chain`,
      )
  }
  const hopWith = (hop: HopFact) => {
    const own = guardsOf.get(hop)
    return own ? guardedHop(hop, own, draft) : hop
  }
  return services.map((service) => ({
    ...service,
    operations: service.operations.map((operation) => ({ ...operation, hops: operation.hops.map(hopWith) })),
  }))
}

/** The calls that know themselves by the most exact of a guard's names that any does. */
function meantBy({ names }: GuardFact, service: ServiceFact): readonly HopFact[] {
  const hops = service.operations.flatMap((operation) => operation.hops.map((hop) => ({ hop, known: namesOf(hop, operation) })))
  const name = names.find((each) => hops.some(({ known }) => known.has(each)))
  return name === undefined ? [] : hops.filter(({ known }) => known.has(name)).map(({ hop }) => hop)
}

/** A route of a gateway is a resource by its name. */
function namesOf({ target, instances }: HopFact, { name, hops }: OperationFact): ReadonlySet<string> {
  const all = [target.host, ...(instances ?? []), ...(hops.length === 1 ? [name] : [])]
  return new Set(all.flatMap((each) => each?.toLowerCase() ?? []))
}

function guardedHop(hop: HopFact, own: readonly GuardFact[], draft: FactsDraft): HopFact {
  const breaker = merged(own.flatMap(({ fields }) => fields.breaker ?? []))
  if (breaker) sayIfNeverSlow(breaker, hop, 'call', 'count', draft)
  const others = merged(own.map(({ fields }) => fields))
  const partial = own.filter(({ resource }) => /^[A-Z]+:\w+:\/\/[^/]+\/.|^[\w.$]+[:#]\w+\(/.test(resource)).map(({ resource }) => resource)
  return {
    ...hop,
    fields: { ...others, ...(breaker ? { breaker } : {}), ...hop.fields },
    remarks: partial.length > 0 ? [...hop.remarks, `Sentinel's rules are for ${partial.slice(0, 3).join(', ')} alone.`] : hop.remarks,
  }
}

/** Field by field, the first that has it. */
function merged<T extends object>(parts: readonly T[]): T | undefined {
  const entries = parts.toReversed().flatMap((part) => Object.entries(part))
  return parts.length === 0 ? undefined : (Object.fromEntries(entries) as T)
}
