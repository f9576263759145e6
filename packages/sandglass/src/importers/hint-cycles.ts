import { addNote, type FactsDraft, type HopFact, type ServiceFact } from './facts.js'
import { directoryOf, whereTo } from './where-to.js'

/**
 * The services without hints that cannot be calls: a database asks nobody, and where services are given each other's addresses (one file of
 * variables for all) nothing tells who calls whom. A hint never makes a chain call itself.
 */
export function withoutHintCycles(services: readonly ServiceFact[], draft: FactsDraft): readonly ServiceFact[] {
  const calling = services.map((service) =>
    service.kind === 'database' || service.kind === 'cache' ? withHops(service, ({ hint }) => hint === undefined) : service,
  )
  if (!calling.some(({ operations }) => operations.some(({ hops }) => hops.some(({ hint }) => hint !== undefined)))) return calling
  const edges = edgesOf(calling)
  const roundOf = roundsOf(edges.map((targets) => [...new Set([...targets.values()].flat())]))
  return calling.map((service, index) => {
    const isRound = (hop: HopFact) =>
      hop.hint !== undefined && (edges[index]?.get(hop) ?? []).some((target) => roundOf[target] === roundOf[index])
    const rounds = service.operations.flatMap(({ hops }) => hops.filter(isRound))
    const [first] = rounds
    if (!first) return service
    const others = [...new Set(rounds.map(({ target }) => target.host ?? ''))].slice(0, 5).join(', ')
    addNote(
      draft,
      'unknown',
      first.spot,
      `${service.name} is given the address of ${others}, and the way leads back: who calls whom is not told, so that call is not in the chain`,
    )
    return withHops(service, (hop) => !isRound(hop))
  })
}

/** For each service where each of its hops leads, as numbers of services. */
function edgesOf(services: readonly ServiceFact[]): readonly ReadonlyMap<HopFact, readonly number[]>[] {
  const directory = directoryOf(services)
  const numberOf = new Map(services.map((service, index) => [service, index]))
  return services.map(
    (service) =>
      new Map(
        service.operations.flatMap(({ hops }) =>
          hops.map((hop) => [hop, whereTo(hop.target, service, directory).flatMap((found) => numberOf.get(found) ?? [])] as const),
        ),
      ),
  )
}

function withHops(service: ServiceFact, isKept: (hop: HopFact) => boolean): ServiceFact {
  const operations = service.operations.flatMap((operation) => {
    const hops = operation.hops.filter(isKept)
    const isEmptied = hops.length === 0 && operation.hops.length > 0 && operation.limits === undefined
    return isEmptied ? [] : [{ ...operation, hops }]
  })
  return { ...service, operations }
}

/** For each node the round it is in: two nodes have the same where each can be reached from the other. */
function roundsOf(edges: readonly (readonly number[])[]): readonly number[] {
  const back: number[][] = edges.map(() => [])
  for (const [from, targets] of edges.entries()) for (const to of targets) back[to]?.push(from)
  const finished: number[] = []
  const seen = new Set<number>()
  for (const node of edges.keys()) visit(node, edges, seen, (each) => finished.push(each))
  const roundOf: number[] = edges.map(() => -1)
  const assigned = new Set<number>()
  for (const node of finished.toReversed())
    visit(node, back, assigned, (each) => {
      roundOf[each] = node
    })
  return roundOf
}

/** Depth first, without recursion; tells of each node that was not seen when all behind it is done. */
function visit(start: number, edges: readonly (readonly number[])[], seen: Set<number>, onLeave: (node: number) => void): void {
  if (seen.has(start)) return
  seen.add(start)
  const stack = [{ node: start, next: 0 }]
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const target = edges[frame.node]?.[frame.next++]
    if (target === undefined) {
      onLeave(frame.node)
      stack.pop()
    } else if (!seen.has(target)) {
      seen.add(target)
      stack.push({ node: target, next: 0 })
    }
  }
}
