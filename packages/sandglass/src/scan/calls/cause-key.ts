import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { ioredisArgs } from '../models/ioredis-options.js'
import type { Client } from '../models/library-model.js'
import type { SeenCall } from '../scan-view.js'
import { spotOf } from '../syntax/module.js'
import { bare } from '../syntax/walk.js'
import { functionAround } from '../terms/evaluator.js'
import type { At, MadeTerm } from '../terms/term.js'

/** What stands for a cause: its place; for clients of one kind that a name of a function gets in several branches, that name. */
export function causeKey(seen: SeenCall, spot: Spot, isOff = false): string {
  const written = isOff ? null : sharedOptions(seen, spot)
  if (written) return JSON.stringify([written.module.source.file, written.node.start, seen.site.model.id])
  const shared = isOff ? null : sharedConnection(seen.site)
  return shared ? keyOf(shared.at.node, spotOf(shared.at.node, shared.at.module), 'ioredis') : ownKey(seen, spot, isOff)
}

/** The object of options that is written elsewhere than in the call that makes the client: a limit would stand there, for all that are made of it. */
export function sharedOptions({ site, isClient }: SeenCall, spot: Spot): At | null {
  const { client, node, evaluator } = site
  const made = isClient ? node : client?.at.node
  const isMade = made?.type === 'NewExpression' || made?.type === 'CallExpression'
  if (client?.options?.kind !== 'object' || !isMade || made.start !== spot.start) return null
  const { at } = client.options
  // What a caller hands in is not the same for all of them.
  const isNamed = made.arguments.some((arg) => {
    const term = arg.type === 'Identifier' ? evaluator.termOf(arg, client.at.module) : null
    return term?.kind === 'object' && term.at.node === at.node
  })
  return isNamed ? at : null
}

/** The connection of ioredis that queues of BullMQ share: a limit would stand there, for all of them. */
function sharedConnection({ model, client, evaluator }: SeenCall['site']): MadeTerm | null {
  if (model.id !== 'bullmq' || client?.kind !== 'queue' || client.options?.kind !== 'object') return null
  const connection = evaluator.memberOf(client.options, 'connection')
  const made = connection.kind === 'either' ? connection.of.find((each) => each.kind === 'made') : connection
  return made?.kind === 'made' && ioredisArgs(made) ? made : null
}

function keyOf(made: Node, spot: Spot, library: string): string {
  const name = nameOf(made, spot)
  const file = spot.source.file
  return JSON.stringify(name === null ? [file, spot.start] : [file, library, name, functionAround(made)?.start])
}

function ownKey({ site, isClient }: SeenCall, spot: Spot, isOff: boolean): string {
  const made = isClient ? site.node : madeAt(site.client, spot)
  const isMade = made && made.start === spot.start && !isOff
  return isMade ? keyOf(made, spot, site.model.id) : JSON.stringify([spot.source.file, spot.start])
}

/** What makes the client that stands at a place, or the one that this was made of: an index is its client's. */
function madeAt(client: Client | null, spot: Spot): Node | undefined {
  for (let here = client; here; here = here.parent) if (here.at.node.start === spot.start) return here.at.node
  return client?.at.node
}

/** `client` of `client = new Client()`, which is declared without a value before. */
function nameOf(made: Node, { source }: Spot): string | null {
  let outer: Node = made
  while (outer.parent && (outer.parent.type === 'AwaitExpression' || bare(outer.parent) === outer)) outer = outer.parent
  const above = outer.parent
  if (above?.type !== 'AssignmentExpression' || above.right !== outer || above.operator !== '=') return null
  if (!isInBranch(above) || (made.type !== 'NewExpression' && made.type !== 'CallExpression')) return null
  const textOf = ({ start, end }: Node) => source.text.slice(start, end)
  return `${textOf(above.left)} ${textOf(made.callee)}`
}

function isInBranch(node: Node): boolean {
  for (let here: Node = node, above = node.parent; above; here = above, above = above.parent) {
    if (above.type === 'IfStatement' && above.test !== here) return true
    if (above.type === 'SwitchCase' || above.type === 'TryStatement') return true
    if (above.type === 'BlockStatement' || above.type === 'ExpressionStatement') continue
    return false
  }
  return false
}
