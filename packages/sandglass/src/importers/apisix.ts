import type { CallFields, LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact, type Peer, type Target } from './facts.js'
import { limitFact } from './limit-fact.js'
import { numbered } from './numbered.js'
import { weightOf } from './shares.js'
import { nameOf, targetOf } from './target.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

/** APISIX in standalone mode (`apisix.yaml`, which ends with `#END`). */
export const apisix: Importer = {
  format: 'apisix',
  accepts: ({ file, text }) =>
    /\.ya?ml$/.test(file) && /^routes:[ \t]*(#.*)?$/m.test(text) && (/^#END[ \t]*$/m.test(text) || /(^|\/)apisix[\w-]*\.ya?ml$/.test(file)),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) {
      const roots = yamlMaps(source, draft)
      const operations = roots.flatMap((root) =>
        itemsAt(root, 'routes').flatMap((route, index) => operationsOf({ route, root, draft }, index)),
      )
      const owner = surroundings.ownerOf(source.file)
      const name = owner?.name ?? (sources.length === 1 ? 'apisix' : nameOf(`apisix-${source.file.replace(/\.\w+$/, '')}`))
      const [first] = roots
      if (first && operations.length > 0)
        draft.services.push({ name, spot: first, kind: 'proxy', hosts: [], ports: [], intercepts: [], operations: numbered(operations) })
    }
    return draft
  },
}

interface Route {
  readonly route: YamlNode
  readonly root: YamlNode
  readonly draft: FactsDraft
}

function operationsOf(reading: Route, index: number): readonly OperationFact[] {
  const { route } = reading
  const uri = textAt(route, 'uri') || textAt(itemsAt(route, 'uris')[0])
  const hop = hopOf(reading)
  if (!hop) return []
  const path = uri.replace(/\*.*$/, '')
  const name = textAt(route, 'name') || textAt(route, 'id')
  return [{ name: nameOf(name === '' ? `route-${index + 1}` : name), spot: route, path: path.startsWith('/') ? path : null, hops: [hop] }]
}

/** The upstream of a route: its own, one that it names, or its service's. */
function upstreamOf(route: YamlNode, root: YamlNode): YamlNode | undefined {
  const own = ownUpstream(route, root)
  const service = textAt(route, 'service_id')
  if (own || textAt(route, 'upstream_id') !== '' || service === '') return own
  return ownUpstream(
    itemsAt(root, 'services').find((each) => textAt(each, 'id') === service),
    root,
  )
}

function ownUpstream(owner: YamlNode | undefined, root: YamlNode): YamlNode | undefined {
  const named = textAt(owner, 'upstream_id')
  return at(owner, 'upstream') ?? (named === '' ? undefined : itemsAt(root, 'upstreams').find((each) => textAt(each, 'id') === named))
}

function hopOf({ route, root, draft }: Route): HopFact | null {
  const upstream = upstreamOf(route, root)
  if (!upstream) {
    addNote(draft, 'unknown', route, 'no upstream of this route is here')
    return null
  }
  // What APISIX does not set is nginx's, below it. A route's timeouts replace those of its upstream as a whole.
  const timeouts = at(route, 'timeout') ?? at(upstream, 'timeout')
  const limit = (key: string): Sourced<LimitMs> | undefined =>
    limitFact(
      { draft, system: 'nginx', version: null, key: `proxy_${key}_timeout`, shown: `timeout.${key}`, at: timeouts ?? upstream },
      writtenAt(timeouts, key),
      'decimal-s',
    )
  const [connectMs, writeMs, silenceMs] = [limit('connect'), limit('send'), limit('read')]
  const nodes = nodesOf(upstream)
  if (textAt(route, 'enable_websocket') === 'true')
    addNote(
      draft,
      'ignored',
      at(route, 'enable_websocket') ?? route,
      'enable_websocket: an open connection ends after as long a silence as an answer may have',
    )
  return {
    spot: route,
    target: targetFor(upstream, nodes, route, draft),
    fields: {
      ...(connectMs ? { connectMs } : {}),
      ...(writeMs ? { writeMs } : {}),
      ...(silenceMs ? { silenceMs } : {}),
      ...retryFields(upstream, nodes.length, draft),
    },
    repeatsReadsOnly: true,
    remarks: [],
  }
}

/** `{ "host:port": weight }`, or a list of `{ host, port, weight }`; a weight of 0 takes none, and a lower priority only what those above it cannot. */
function nodesOf(upstream: YamlNode): readonly Peer[] {
  const nodes = at(upstream, 'nodes')
  if (nodes?.kind === 'map')
    return nodes.entries
      .filter(({ value }) => textAt(value) !== '0')
      .map(({ key, value }) => ({ ...targetOf(key.text, key), weight: weightOf(writtenAt(value), 1) }))
  const listed = itemsAt(upstream, 'nodes').filter((node) => textAt(node, 'weight') !== '0')
  const priorities = listed.map((node) => Number(textAt(node, 'priority') || '0'))
  const highest = Math.max(...priorities)
  return listed.map((node, index) => ({
    ...targetOf(`${textAt(node, 'host')}${textAt(node, 'port') === '' ? '' : `:${textAt(node, 'port')}`}`, node),
    weight: weightOf(writtenAt(node, 'weight'), 1),
    ...((priorities[index] ?? 0) < highest ? { isBackup: true as const } : {}),
  }))
}

function targetFor(upstream: YamlNode, nodes: readonly Peer[], route: YamlNode, draft: FactsDraft): Target {
  const [first] = nodes
  const alone = first && targetOf(first.text, first.spot)
  if (alone && nodes.every(({ host, port }) => host === alone.host && port === alone.port)) return alone
  const name = writtenAt(upstream, 'service_name') ?? writtenAt(upstream, 'name') ?? writtenAt(upstream, 'id')
  if (name) return { ...targetOf(nameOf(name.text), name.spot), kind: first?.kind ?? null, peers: nodes }
  if (nodes.length > 1)
    addNote(draft, 'unknown', upstream, 'nodes with different addresses and no name of the upstream: the first stands for all')
  return alone ?? targetOf('$upstream', route)
}

/** `retries` leaves the first try out, and is one less than there are nodes unless it is written; 0 switches it off. */
function retryFields(
  upstream: YamlNode,
  nodes: number,
  draft: FactsDraft,
): Pick<Partial<CallFields>, 'attempts' | 'retryOn' | 'retryStartWithinMs'> {
  const written = writtenAt(upstream, 'retries')
  const isCount = written !== undefined && /^\d{1,4}$/.test(written.text)
  const attempts: Sourced<number> = isCount
    ? declared(Number(written.text) + 1, written.spot)
    : { value: Math.max(1, nodes), origin: { kind: 'default', product: 'apisix', version: null, setting: 'retries', spot: upstream } }
  if (attempts.value === 1) return {}
  const window = writtenAt(upstream, 'retry_timeout')
  const within =
    window && limitFact({ draft, system: 'apisix', version: null, key: 'retry_timeout', at: upstream }, window, 'decimal-s', 'none')
  return {
    attempts,
    retryOn: { value: ['connect', 'reset', 'timeout'], origin: attempts.origin },
    ...(within && within.value !== 'none' ? { retryStartWithinMs: within } : {}),
  }
}
