import type { SeenCall } from '../scan-view.js'

/** The clients whose calls are seen: what those say counts, not what the client alone would. */
export function clientsOfCalls(calls: readonly SeenCall[]): ReadonlySet<string> {
  return new Set(calls.flatMap((seen) => (seen.isClient ? [] : judgedBy(seen))))
}

/** Where a name may hold one of several clients, a call that nothing can be said of judges none of them, and one that is found tells of the first. */
function judgedBy({ site, own, guards, judged }: SeenCall): readonly string[] {
  const found: string[] = []
  for (let client = site.client; client; client = client.parent) {
    const { identity, others } = client
    if (others.length > 0 && own.outcome.state === 'unknown' && guards.length === 0) continue
    if (identity !== null) found.push(identity)
    if (judged.outcome.state !== 'unbounded') found.push(...others)
  }
  return found
}

/** True for a client that has nothing to say beside its calls. */
export function isJudgedByCalls({ isClient, site }: SeenCall, clients: ReadonlySet<string>): boolean {
  return isClient && site.client !== null && site.client.identity !== null && clients.has(site.client.identity)
}
