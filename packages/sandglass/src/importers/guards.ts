import { addNote, type FactsDraft, type GuardFact, type HopFact, type OperationFact, type ServiceFact } from './facts.js'
import { sayIfNeverSlow } from './never-slow.js'

/** Puts guards around the calls they mean; one that means no call which is known becomes a note. */
export function guarded(services: readonly ServiceFact[], guards: readonly GuardFact[], draft: FactsDraft): readonly ServiceFact[] {
  if (guards.length === 0) return services
  const used = new Set<GuardFact>()
  const done = services.map((service) => {
    const own = guards.filter((guard) => guard.service === service.name)
    if (own.length === 0) return service
    const operations = service.operations.map((operation) => ({
      ...operation,
      hops: operation.hops.map((hop) => guardedHop(hop, operation, own, used, draft)),
    }))
    return { ...service, operations }
  })
  for (const guard of guards.filter((each) => !used.has(each)))
    addNote(
      draft,
      'unknown',
      guard.spot,
      `resource ${guard.resource.slice(0, 80)}: which call of ${guard.service} it is stands in the code; its rule is not in the chain`,
    )
  return done
}

function guardedHop(
  hop: HopFact,
  { name, hops }: OperationFact,
  guards: readonly GuardFact[],
  used: Set<GuardFact>,
  draft: FactsDraft,
): HopFact {
  // A route of a gateway is a resource by its name.
  const route = hops.length === 1 ? [name] : []
  const names = new Set([hop.target.host, ...(hop.instances ?? []), ...route].flatMap((each) => each?.toLowerCase() ?? []))
  const own = guards.filter((guard) => guard.names.some((each) => names.has(each)))
  if (own.length === 0) return hop
  for (const guard of own) used.add(guard)
  const breaker = merged(own.flatMap(({ fields }) => fields.breaker ?? []))
  if (breaker) sayIfNeverSlow(breaker, hop, 'call', 'count', draft)
  const others = merged(own.map(({ fields }) => fields))
  const partial = own.filter(({ resource }) => /^[A-Z]+:\w+:\/\/[^/]+\/./.test(resource)).map(({ resource }) => resource)
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
