import type { ClassElement, Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { ioredisArgs } from '../models/ioredis-options.js'
import type { Client } from '../models/library-model.js'
import type { SeenCall } from '../scan-view.js'
import { spotOf } from '../syntax/module.js'
import { bare } from '../syntax/walk.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import type { At, MadeTerm, Term } from '../terms/term.js'
import { firstOfBranches } from './branches.js'

/** What stands for a cause: its place; for clients of one kind that a name of a function gets in several branches, that name. */
export function causeKey(seen: SeenCall, spot: Spot, isOff = false): string {
  const written = isOff ? null : sharedOptions(seen, spot)
  if (written) return JSON.stringify([written.module.source.file, written.node.start, seen.site.model.id])
  const branch = isOff ? null : branchOf(seen, spot)
  if (branch) return JSON.stringify([branch.source.file, branch.start, 'branches'])
  const given = isOff ? null : givenOptions(seen, spot)
  if (given) return JSON.stringify([given.module.source.file, given.node.start, seen.site.model.id, 'call'])
  if (isOfSingleton(seen, spot)) {
    const { at, takenFrom, model, evaluator } = seen.site
    return JSON.stringify([evaluator.project.packageOf(at.module.source.file), takenFrom, model.id, 'package'])
  }
  const helper = isOff ? null : helperOf(seen, spot)
  if (helper) return JSON.stringify([helper.source.file, helper.start, seen.site.client?.parent?.identity, 'helper'])
  const shared = isOff ? null : sharedConnection(seen.site)
  return shared ? keyOf(shared.at.node, spotOf(shared.at.node, shared.at.module)) : ownKey(seen, spot, isOff)
}

/** The object of options that is written elsewhere than in the call that makes the client: a limit would stand there, for all that are made of it. */
export function sharedOptions({ site, isClient }: SeenCall, spot: Spot): At | null {
  const { node, evaluator } = site
  const client = isClient ? site.client : clientAt(site.client, spot)
  const made = isClient ? node : client?.at.node
  const isMade = made?.type === 'NewExpression' || made?.type === 'CallExpression'
  const options = client?.options
  if (!client || !options || !isMade || made.start !== spot.start) return null
  return sharedAmong(made.arguments as Node[], options, client.at.module, evaluator)
}

/** The written object that some options are, or are made of, where an argument only names it. */
function sharedAmong(args: readonly Node[], options: Term, module: At['module'], evaluator: Evaluator): At | null {
  const [at] = writtenAt(options)
  if (!at) return null
  const spread = spreadAt(options, evaluator)
  // What a caller hands in is not the same for all of them.
  if (args.some((arg) => isHeldBy(arg, options, module, evaluator))) return spread ?? at
  return args.some((arg) => bare(arg) === at.node) ? spread : null
}

/** The object that a name or a function gives and that some options are made of: `{ ...shared, host }`, `{ ...this.options, path }`. */
function spreadAt(options: Term, evaluator: Evaluator, depth = 0): At | null {
  if (options.kind !== 'object' || depth > 4) return null
  for (const part of options.parts) {
    const inner = 'spread' in part && part.at.node.type === 'SpreadElement' ? bare(part.at.node.argument) : null
    if (!inner || !names(inner) || !('spread' in part)) continue
    // What a caller hands in is another one for each of them, but for one instance of a class.
    const named = evaluator.termOf(inner, part.at.module)
    const field = named.kind === 'object' ? null : fieldOf(inner)
    if (field) return { module: part.at.module, node: field }
    if (part.spread.kind !== 'object' || named.kind !== 'object' || isGivenBack(named.at, inner, part.at.module)) continue
    return spreadAt(part.spread, evaluator, depth + 1) ?? part.spread.at
  }
  return null
}

/** What declares `options` of `...this.options`: all that a class asks with it is limited where it is given. */
function fieldOf(inner: Node): Node | null {
  if (inner.type !== 'MemberExpression' || inner.object.type !== 'ThisExpression' || inner.property.type !== 'Identifier') return null
  const { name } = inner.property
  let body: Node | null | undefined = inner
  while (body && body.type !== 'ClassBody') body = body.parent
  return body?.body.flatMap((member) => declarationsIn(member, name))[0] ?? null
}

/** `options = …`, `constructor(private readonly options) {}`. */
function declarationsIn(member: ClassElement, name: string): readonly Node[] {
  if (member.type === 'PropertyDefinition') return member.key.type === 'Identifier' && member.key.name === name ? [member] : []
  if (member.type !== 'MethodDefinition' || member.kind !== 'constructor') return []
  return member.value.params.filter((param) => {
    const inner = param.type === 'TSParameterProperty' ? param.parameter : null
    const own = inner?.type === 'AssignmentPattern' ? inner.left : inner
    return own?.type === 'Identifier' && own.name === name
  })
}

/** The same for calls without a client: the object that a name, a member or a function of the project gives each call that it is handed to. */
export function givenOptions({ site, isClient }: SeenCall, spot: Spot): At | null {
  const { model, node, evaluator, at } = site
  if (isClient || spot.start !== node.start || spot.source !== at.module.source || node.type === 'TaggedTemplateExpression') return null
  const options = model.optionsOf ? model.optionsOf(site) : site.options
  return options?.kind === 'object' ? sharedAmong(node.arguments as Node[], options, at.module, evaluator) : null
}

/** True for a name, a member, or a call of a function of the project, that gives these very options. */
function isHeldBy(arg: Node, options: Term, module: At['module'], evaluator: Evaluator): boolean {
  const name = bare(arg)
  const [all, written] = [names(name) ? writtenAt(evaluator.termOf(name, module)) : [], writtenAt(options)]
  if (all.some((at) => isGivenBack(at, name, module))) return false
  return all.length > 0 && all.length === written.length && all.every(({ node }, k) => node === written[k]?.node)
}

function names({ type }: Node): boolean {
  return type === 'Identifier' || type === 'MemberExpression' || type === 'CallExpression'
}

/** `make({ host })` may give what it gets. */
function isGivenBack(at: At, name: Node, module: At['module']): boolean {
  return at.module === module && isWithin(at.node, name)
}

function isWithin(node: Node, outer: Node): boolean {
  return outer.start <= node.start && node.end <= outer.end
}

/** The objects that some options are, one of several by a condition; none where one of them is no written object. */
function writtenAt(options: Term | undefined): readonly At[] {
  if (options?.kind === 'object') return [options.at]
  const all = options?.kind === 'either' ? options.of.map(writtenAt) : []
  return all.every(({ length }) => length > 0) ? all.flat() : []
}

/** True for a call of what a package gives everybody as one client, which is limited by a function of it alone: `mail.setTimeout(…)`. */
export function isOfSingleton({ site, isClient }: SeenCall, spot: Spot): boolean {
  return (site.model.isOneClient ?? false) && !isClient && site.client === null && spot.start === site.node.start
}

/** The call of a helper that callers hand parts of one client to, `publish(pubsub.topic('a'))`: a limit there is one for all of them. */
export function helperOf({ site, caller, isClient }: SeenCall, spot: Spot): Spot | null {
  const { client, at } = site
  if (isClient || caller === null || !client?.parent || client.at.node.start !== spot.start) return null
  const around = functionAround(at.node)
  const isOwn = around !== null && around.start <= client.at.node.start && client.at.node.end <= around.end
  return isOwn && client.at.module === at.module ? null : site.spot
}

/** The connection of ioredis that queues of BullMQ share: a limit would stand there, for all of them. */
function sharedConnection({ model, client, evaluator }: SeenCall['site']): MadeTerm | null {
  if (model.id !== 'bullmq' || client?.kind !== 'queue' || client.options?.kind !== 'object') return null
  const connection = evaluator.memberOf(client.options, 'connection')
  const made = connection.kind === 'either' ? connection.of.find((each) => each.kind === 'made') : connection
  return made?.kind === 'made' && ioredisArgs(made) ? made : null
}

function keyOf(made: Node, spot: Spot): string {
  const name = nameOf(made, spot)
  const file = spot.source.file
  return JSON.stringify(name === null ? [file, spot.start] : [file, name, functionAround(made)?.start])
}

/** Where the first of the branches stands that ask the same; null where there are none, or the limit would stand elsewhere. */
function branchOf({ site, isClient }: SeenCall, spot: Spot): Spot | null {
  const { client, node, at } = site
  const first = isClient || client || spot.start !== node.start ? null : firstOfBranches(node, at.module)
  return first && spotOf(first, at.module)
}

/** True for what asks the same as a call before it, in another branch. */
export function isAskedBefore(seen: SeenCall, spot: Spot): boolean {
  const first = branchOf(seen, spot)
  return first !== null && first.start !== spot.start
}

function ownKey({ site, isClient }: SeenCall, spot: Spot, isOff: boolean): string {
  const made = isClient ? site.node : madeAt(site.client, spot)
  const isMade = made && made.start === spot.start && !isOff
  return isMade ? keyOf(made, spot) : JSON.stringify([spot.source.file, spot.start])
}

/** What makes the client that stands at a place, or the one that this was made of: an index is its client's. */
function madeAt(client: Client | null, spot: Spot): Node | undefined {
  return clientAt(client, spot)?.at.node
}

/** The client that is made at a place, this one or what it was made of; where none is, this one. */
export function clientAt(client: Client | null, spot: Spot): Client | null {
  for (let here = client; here; here = here.parent) if (here.at.node.start === spot.start) return here
  return client
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
