import { addNote, type FactsDraft } from './facts.js'
import type { Directive } from './nginx-tree.js'

/** The directives in force in a block, by name: a child's value replaces its parent's as a whole. */
export type Scope = ReadonlyMap<string, Directive>

/** Directives that end with `_timeout` and limit no request to a peer. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  send_timeout: 'limits writing to the client, not to the upstream',
  client_header_timeout: 'limits how long the client may take to send its header',
  client_body_timeout: 'limits the gap between two parts of the client’s body',
  resolver_timeout: 'limits looking up a name, which adds to connecting where proxy_pass has a variable',
  proxy_cache_lock_timeout: 'limits waiting for another request that fills the same cache entry',
  lingering_timeout: 'limits closing a connection',
  ssl_session_timeout: 'limits how long a TLS session may be resumed',
  worker_shutdown_timeout: 'limits a graceful shutdown',
}

/** Where a scope has the `Connection` header that is set: not a directive's name, so that none can be taken for it. */
export const CONNECTION_HEADER = 'proxy_set_header Connection'

/** The settings in force in a block inside `outer`; a directive that stands there twice is what nginx refuses to start with. */
export function scopeOf(outer: Scope | null, block: readonly Directive[], draft: FactsDraft): Scope {
  const scope = new Map(outer ?? [])
  const own = new Set<string>()
  for (const directive of block) {
    if (directive.block || !/_timeout$|_next_upstream|_http_version$|_keep_conn$/.test(directive.name)) continue
    const why = ELSEWHERE[directive.name]
    if (why !== undefined) addNote(draft, 'ignored', directive.spot, `${directive.name} ${why}`)
    if (own.has(directive.name))
      addNote(draft, 'unknown', directive.spot, `${directive.name} stands twice in one block: nginx refuses to start`)
    own.add(directive.name)
    scope.set(directive.name, directive)
  }
  const headers = block.filter(({ name }) => name === 'proxy_set_header')
  // A block that sets any header inherits none of those set outside.
  if (headers.length > 0) scope.delete(CONNECTION_HEADER)
  const connection = headers.findLast(({ args }) => args[0]?.text.toLowerCase() === 'connection')
  if (connection) scope.set(CONNECTION_HEADER, connection)
  return scope
}
