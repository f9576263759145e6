import type { Node } from 'oxc-parser'
import type { CallShape, Client, ClientShape, ClientUses, Following, LibraryModel, Site } from './library-model.js'
import { keyName } from './syntax/declare.js'
import { type CallNode, type Module, spotOf } from './syntax/module.js'
import { outermost } from './syntax/walk.js'
import type { Evaluator } from './terms/evaluator.js'
import { type At, eitherOf, identityOf, type Term } from './terms/term.js'

/** What a term leads to: a library, a client of it, and the names from there. */
export interface Reached {
  readonly model: LibraryModel
  readonly client: Client | null
  readonly path: readonly string[]
}

/** Finds libraries in terms. */
export interface SiteFinder {
  /** The library and client behind a term; null where it is neither. */
  readonly reach: (term: Term) => Reached | null
  /** The site of a call; null where no library is called. */
  readonly siteAt: (node: CallNode, callee: Term, args: readonly Term[], module: Module) => Site | null
}

/** A finder over some models. */
export function siteFinderOf(models: readonly LibraryModel[], evaluator: Evaluator, uses: ClientUses): SiteFinder {
  const byPackage = new Map(models.flatMap((model) => model.packages.map((name) => [name, model] as const)))

  function reach(term: Term, depth = 0): Reached | null {
    if (depth > 12) return null
    switch (term.kind) {
      case 'external': {
        const model = byPackage.get(term.package)
        return model ? { model, client: null, path: term.path } : null
      }
      case 'member': {
        const object = reach(term.object, depth + 1)
        return object && { ...object, path: [...object.path, term.name] }
      }
      case 'made':
        return made(term, depth)
      case 'parameter':
        return term.declaredAs ? typed(term.declaredAs, term) : null
      case 'either': {
        const reached = term.of.flatMap((each) => reach(each, depth + 1) ?? [])
        const [first, ...rest] = reached
        if (!first || !rest.every(({ model, client }) => model === first.model && client?.kind === first.client?.kind)) return first ?? null
        return first.client && rest.length > 0 ? { ...first, client: merged(first.client, reached) } : first
      }
      default:
        return null
    }
  }

  function made(term: Extract<Term, { kind: 'made' }>, depth: number): Reached | null {
    const callee = reach(term.callee, depth + 1)
    if (!callee) return null
    const { model, client, path } = callee
    const joined = path.join('.')
    const shape = model.clients.find(
      ({ on, made: names, types = [] }) => on === (client?.kind ?? null) && (names.includes(joined) || types.includes(joined)),
    )
    if (!shape) return { ...callee, path: [...path.slice(0, -1), `${path.at(-1) ?? ''}()`] }
    return { model, client: clientOf(shape, term, client), path: [] }
  }

  function typed(type: Extract<Term, { kind: 'external' }>, term: Extract<Term, { kind: 'parameter' }>): Reached | null {
    const model = byPackage.get(type.package)
    const name = type.path.join('.')
    const shape = model?.clients.find(({ made: names, types = [] }) => names.includes(name) || types.includes(name))
    if (!model || !shape) return null
    const at = { node: term.of, module: term.module }
    const client: Client = {
      kind: shape.kind,
      options: { kind: 'unknown', why: 'the client is handed in' },
      args: [],
      parent: null,
      at,
      spot: spotOf(term.of, term.module),
      identity: null,
    }
    return { model, client, path: [] }
  }

  function siteAt(node: CallNode, callee: Term, args: readonly Term[], module: Module): Site | null {
    const reached = reach(callee)
    if (!reached) return null
    const { model, client, path } = reached
    const isNew = node.type === 'NewExpression'
    const method = path.join('.')
    const at: At = { node, module }
    const common = { model, at, node, spot: spotOf(node, module), args, version: versionAt(model, module, evaluator), evaluator, uses }
    const shape = model.calls.find((each) => fits(each, client, method, isNew))
    if (shape)
      return {
        ...common,
        client,
        method,
        options: shape.optionsAt < 0 ? undefined : args[shape.optionsAt],
        followedBy: followingCalls(node, module, evaluator),
      }
    const home = model.clients.find(({ on, made: names, isJudged }) => isJudged && on === (client?.kind ?? null) && names.includes(method))
    if (!home) return null
    const own = clientOf(home, { kind: 'made', callee, args, isNew, at }, client)
    return { ...common, client: own, method: 'new', options: undefined, followedBy: [] }
  }

  return { reach: (term) => reach(term), siteAt }
}

function fits({ on, method, isNew = false }: CallShape, client: Client | null, joined: string, isNewHere: boolean): boolean {
  return on === (client?.kind ?? null) && isNew === isNewHere && method.test(joined)
}

function clientOf({ kind, optionsAt }: ClientShape, term: Extract<Term, { kind: 'made' }>, parent: Client | null): Client {
  const isHandedIn = term.args.length === 1 && term.args[0]?.kind === 'unknown'
  return {
    kind,
    options: isHandedIn ? term.args[0] : term.args[optionsAt],
    args: term.args,
    parent,
    at: term.at,
    spot: spotOf(term.at.node, term.at.module),
    identity: identityOf(term),
  }
}

/** A name that holds one of several clients has the options of all of them. */
function merged(client: Client, all: readonly Reached[]): Client {
  const options = all.map((each) => each.client?.options)
  const given = options.filter((each): each is Term => each !== undefined)
  return {
    ...client,
    options:
      given.length === 0
        ? undefined
        : given.length < options.length
          ? { kind: 'unknown', why: 'it depends on a condition' }
          : eitherOf(given),
  }
}

const rootOf = (name: string) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name))

/** The version of a library as a file gets it; of what the runtime gives it is Node's. */
function versionAt(model: LibraryModel, module: Module, { project }: Evaluator): string | null {
  const { file } = module.source
  for (const name of model.packages) {
    const version = project.versionOf(name === 'global' || name.startsWith('node:') ? 'node' : rootOf(name), file)
    if (version !== null) return version
  }
  return null
}

/** What is called on the result of a call: `.timeout(500).retry(2)`. */
export function followingCalls(node: Node, module: Module, evaluator: Evaluator): readonly Following[] {
  const found: Following[] = []
  for (let here = outermost(node); ; ) {
    const member = here.parent
    if (member?.type !== 'MemberExpression' || member.object !== here) return found
    const name = keyName(member.property as Node, member.computed)
    const call = outermost(member).parent
    if (name === null || call?.type !== 'CallExpression' || call.callee !== outermost(member)) return found
    const args = call.arguments.map((arg) => evaluator.termOf(arg as Node, module))
    found.push({ name, args, at: { node: call, module } })
    here = outermost(call)
  }
}
