import type { Source } from '../../../model/sourced.js'
import type { Sighting } from '../sighting.js'
import { childOf, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'
import { type GoReader, goCall } from './go-call.js'
import { readGoGrpc, readGoRedis, readPgx, readRedigo } from './go-clients.js'
import { readGoHttp } from './go-http.js'
import { readGoNet } from './go-net.js'
import { readGoSql } from './go-sql.js'
import { type GoFile, goFile, goValues } from './go-values.js'

const READERS: readonly GoReader[] = [readGoHttp, readGoNet, readGoSql, readGoGrpc, readGoRedis, readRedigo, readPgx]

/** A text that imports none of these calls nothing that is known. */
export const GO_SIEVE: RegExp =
  /"(net|net\/http|crypto\/tls|database\/sql|google\.golang\.org\/grpc|github\.com\/(jmoiron\/sqlx|(redis|go-redis|gomodule|garyburd|jackc)\/[^"]*)|gopkg\.in\/redis\.v\d+)"/

/** Written by a program, which others change. */
const GENERATED = /^\/\/ Code generated .* DO NOT EDIT\.$/m

/** The calls of known libraries in a Go file. */
export function scanGo(tree: SyntaxTree, { file: path, text }: Source): readonly Sighting[] {
  if (GENERATED.test(text.slice(0, 5000))) return []
  const file = goFile(tree, path)
  return tree.nodes.flatMap((node) => (node.type === 'call_expression' ? sightingsOf(file, node) : []))
}

/** A client that may be one of several counts once for each. */
function sightingsOf(file: GoFile, node: SyntaxNode): readonly Sighting[] {
  const callees = goValues(file, childOf(node, 'function'))
  const found = callees.flatMap((callee) => {
    if (callee.kind !== 'known') return []
    const call = goCall(file, node, callee.path, callee.makers)
    return READERS.flatMap((read) => read(call) ?? [])
  })
  const [first, ...rest] = found
  return first ? [first, ...rest.filter(({ cause }) => cause !== first.cause && cause !== node)] : []
}
