import type { Node } from 'oxc-parser'
import { isOfDevelopment } from '../files/of-development.js'
import type { CallShape, Client, ClientShape, ClientUses, Following, LibraryModel, Site } from '../models/library-model.js'
import { keyName } from '../syntax/declare.js'
import { type CallNode, type Module, spotOf } from '../syntax/module.js'
import { bare, outermost } from '../syntax/walk.js'
import { argsOf } from '../terms/args-of.js'
import type { Evaluator } from '../terms/evaluator.js'
import { type At, eitherOf, identityOf, SPREAD_ARGUMENTS, type Term } from '../terms/term.js'
import { isIdleClient } from './idle-client.js'
import { installedAt } from './installed-at.js'

/** What a term leads to: a library, a client of it, and the names from there. */
export interface Reached {
  readonly model: LibraryModel
  readonly client: Client | null
  readonly path: readonly string[]
  /** The package that the code takes it from; null where a name of the project leads to it. */
  readonly takenFrom: string | null
  /** The file that imports the library: its version is the one that this file gets, whoever uses what is made there. */
  readonly home: Module | null
}

/** Finds libraries in terms. */
export interface SiteFinder {
  /** The library and client behind a term; null where it is neither. */
  readonly reach: (term: Term) => Reached | null
  /** The site of a call; null where no library is called. */
  readonly siteAt: (node: CallNode, callee: Term, args: readonly Term[], module: Module) => Site | null
}

/** What gives a client back that it only watches. */
const WATCHES = /^(wrap|observe|instrument|trace|capture)[A-Z]\w*$/

/** A finder over some models. */
export function siteFinderOf(models: readonly LibraryModel[], evaluator: Evaluator, uses: ClientUses): SiteFinder {
  const byPackage = new Map(models.flatMap((model) => model.packages.map((name) => [name, model] as const)))
  const prefixed = [...byPackage].flatMap(([name, model]) => (name.endsWith('*') ? [[name.slice(0, -1), model] as const] : []))
  const shaped = models.filter((each) => each.looksLike)
  const generating = models.filter(({ generated }) => generated)

  /** The model of what comes from outside the files: a package, or a file that a generator writes. */
  function modelOf(term: Term): { readonly model: LibraryModel; readonly path: readonly string[] } | null {
    if (term.kind === 'external') {
      const model =
        byPackage.get(term.package) ?? prefixed.find(([prefix]) => term.package.startsWith(prefix))?.[1] ?? generatedBy(term.package)
      return model ? { model, path: term.path } : null
    }
    const missing = term.kind === 'unknown' ? term.missing : undefined
    const model = missing && generatedBy(missing.request)
    return model && missing ? { model, path: missing.path } : null
  }

  /** `src/generated/client` from the root of a project looks like a package. */
  function generatedBy(request: string): LibraryModel | undefined {
    return request.includes('/') ? generating.find(({ generated }) => generated?.test(request)) : undefined
  }

  function reach(term: Term, depth = 0): Reached | null {
    if (depth > 12) return null
    switch (term.kind) {
      case 'external':
      case 'unknown': {
        const from = modelOf(term)
        return from && { ...from, client: null, takenFrom: term.kind === 'external' ? term.package : null, home: importerOf(term) }
      }
      case 'member': {
        const object = reach(term.object, depth + 1)
        return object && { ...object, path: [...object.path, term.name] }
      }
      case 'made':
        return made(term, depth)
      case 'parameter':
        return handed(term, depth) ?? (term.declaredAs ? typed(term.declaredAs, term) : null)
      case 'either':
        return oneOf(term.of.flatMap((each) => reach(each, depth + 1) ?? []))
      default:
        return null
    }
  }

  /** `promisify(client.get.bind(client))` is `promisify(get)` of the client. */
  function promisified({ callee, args }: Extract<Term, { kind: 'made' }>, depth: number): Reached | null {
    const [first] = args
    if (callee.kind === 'member' && callee.name === 'bind') return reach(callee.object, depth + 1)
    const isPromisify = callee.kind === 'external' && callee.package === 'node:util' && callee.path.join('.') === 'promisify'
    const reached = isPromisify && first ? reach(first, depth + 1) : null
    return reached?.client ? { ...reached, path: [...reached.path.slice(0, -1), `promisify(${reached.path.at(-1) ?? ''})`] } : null
  }

  function made(term: Extract<Term, { kind: 'made' }>, depth: number): Reached | null {
    const wrapped = promisified(term, depth)
    if (wrapped) return wrapped
    const callee = reach(term.callee, depth + 1)
    if (!callee) return watched(term, depth)
    const { model, client, path } = callee
    const joined = path.join('.')
    const shape = model.clients.find((each) => makes(each, client, joined) || (isOn(each, client) && each.types?.includes(joined)))
    if (!shape) return { ...callee, path: [...path.slice(0, -1), `${path.at(-1) ?? ''}()`] }
    return { ...callee, client: clientOf(shape, term, callee), path: [] }
  }

  /** `wrapOpenAI(client)`, `captureAWSv3Client(client)` of another package: the same client, and somebody hears what it is asked. */
  function watched({ callee, args: [first] }: Extract<Term, { kind: 'made' }>, depth: number): Reached | null {
    const isWatcher = callee.kind === 'external' && callee.package !== 'global' && WATCHES.test(callee.path.at(-1) ?? '')
    const reached = isWatcher && first ? reach(first, depth + 1) : null
    return reached?.client && reached.path.length === 0 ? reached : null
  }

  /** A parameter of a function that a client's method gets: `pool.connect((err, client) => …)`, `pool.connect().then((client) => …)`. */
  function handed({ of, module, index }: Extract<Term, { kind: 'parameter' }>, depth: number): Reached | null {
    const node = outermost(of as Node).parent
    if (node?.type !== 'CallExpression' || !node.arguments.some((arg) => bare(arg as Node) === of)) return null
    const callee = evaluator.termOf(node.callee, module)
    if (callee.kind === 'member' && callee.name === 'then' && index === 0) return reach(callee.object, depth + 1)
    const reached = reach(callee, depth + 1)
    if (!reached) return null
    const { model, client, path } = reached
    const shape = model.clients.find((each) => each.handedAs === index && isOn(each, client) && isNamed(each, path.join('.')))
    const args = argsOf(node, module, evaluator)
    return shape
      ? { ...reached, client: clientOf(shape, { kind: 'made', callee, args, isNew: false, at: { node, module } }, reached), path: [] }
      : null
  }

  function typed(type: Exclude<Extract<Term, { kind: 'parameter' }>['declaredAs'], null>, term: Extract<Term, { kind: 'parameter' }>) {
    const from = modelOf(type)
    const name = from?.path.join('.') ?? ''
    const shape = from?.model.clients.find(
      ({ made: names, types = [] }) => types.includes(name) || (!(names instanceof RegExp) && names.includes(name)),
    )
    if (!from || !shape) return null
    const at = { node: term.of, module: term.module }
    const client: Client = {
      kind: shape.kind,
      madeBy: name,
      options: { kind: 'unknown', why: 'the client is handed in' },
      args: [],
      parent: null,
      at,
      spot: spotOf(term.of, term.module),
      identity: null,
      others: [],
    }
    return { model: from.model, client, path: [], takenFrom: type.kind === 'external' ? type.package : null, home: importerOf(type) }
  }

  /** `class GithubStrategy extends PassportStrategy(Strategy)`: what another package makes of a library's class to be extended. */
  function mixedIn(above: Term): Reached | null {
    const [first] = above.kind === 'made' && !above.isNew && above.callee.kind === 'external' ? above.args : []
    const reached = first ? reach(first) : null
    return reached && reached.client === null ? reached : null
  }

  /** A call that only one library can mean by its shape. */
  function looksLike(node: CallNode, callee: Term, args: readonly Term[], module: Module): Site | null {
    const model = shaped.find((each) => each.looksLike?.({ node, callee, args, module, evaluator }))
    if (!model) return null
    const [at, spot] = [{ node, module }, spotOf(node, module)]
    const installed = installedAt(model, [module], evaluator, null)
    return {
      model,
      takenFrom: null,
      at,
      node,
      spot,
      client: null,
      method: '',
      args,
      options: undefined,
      followedBy: [],
      ...installed,
      evaluator,
      uses,
    }
  }

  function siteAt(node: CallNode, callee: Term, args: readonly Term[], module: Module): Site | null {
    const reached = reach(callee) ?? (isSuper(node) ? mixedIn(callee) : null)
    return (reached && siteOf(reached, node, callee, args, module)) ?? looksLike(node, callee, args, module)
  }

  function siteOf(reached: Reached, node: CallNode, callee: Term, args: readonly Term[], module: Module): Site | null {
    const { model, client, path, takenFrom, home: importer } = reached
    const isNew = node.type === 'NewExpression' || isSuper(node)
    const method = path.join('.')
    const at: At = { node, module }
    const common = {
      model,
      takenFrom,
      at,
      node,
      spot: spotOf(node, module),
      args,
      ...installedAt(
        model,
        [importer, client?.at.module, module].filter((each) => each != null),
        evaluator,
        takenFrom,
      ),
      evaluator,
      uses,
    }
    const isTag = node.type === 'TaggedTemplateExpression'
    const shape = model.calls.find(
      (each) => fits(each, client, method, isNew) && (each.isTag ?? false) === isTag && !each.unless?.(node, client),
    )
    if (shape)
      return {
        ...common,
        client,
        method,
        options: shape.optionsAt < 0 ? undefined : (args[shape.optionsAt] ?? spreadAmong(args)),
        followedBy: followingCalls(node, module, evaluator),
      }
    const home = model.clients.find((each) => each.isJudged && makes(each, client, method))
    if (!home || isIdleClient(node, module)) return null
    const own = clientOf(home, { kind: 'made', callee, args, isNew, at }, reached)
    return { ...common, client: own, method: 'new', options: undefined, followedBy: [] }
  }

  return { reach: (term) => reach(term), siteAt }
}

/** `fetch(...given)`: the options may be among them. */
function spreadAmong(args: readonly Term[]): Term | undefined {
  return args.find((term) => term.kind === 'unknown' && term.why === SPREAD_ARGUMENTS)
}

function isSuper(node: CallNode): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Super'
}

function importerOf(term: Term): Module | null {
  return term.kind === 'external' && term.package !== 'global' ? term.at.module : null
}

function isOn({ on }: ClientShape, client: Client | null): boolean {
  return on === (client?.kind ?? null)
}

function isNamed({ made }: ClientShape, name: string): boolean {
  return made instanceof RegExp ? made.test(name) : made.includes(name)
}

/** True where calling a name on a client, or on the package, makes such a client. */
function makes(shape: ClientShape, client: Client | null, name: string): boolean {
  return shape.handedAs === undefined && isOn(shape, client) && isNamed(shape, name)
}

/** A name that holds one of several things: the clients among them, as long as they are of one kind. */
function oneOf(all: readonly Reached[]): Reached | null {
  const clients = developedLast(all.filter(({ client }) => client !== null))
  const [first, ...rest] = clients.length > 0 ? clients : all
  if (!first) return null
  const isSame = rest.every(({ model, client }) => model === first.model && client?.kind === first.client?.kind)
  return first.client && rest.length > 0 && isSame ? { ...first, client: merged(first.client, clients) } : first
}

/** One that only development makes says least of where the name of all is used. */
function developedLast(clients: readonly Reached[]): readonly Reached[] {
  if (clients.length < 2) return clients
  const isDeveloped = ({ client }: Reached) => client !== null && isOfDevelopment(client.at.node.start, client.at.module)
  return [...clients].sort((a, b) => Number(isDeveloped(a)) - Number(isDeveloped(b)))
}

function fits({ on, method, isNew = false }: CallShape, client: Client | null, joined: string, isNewHere: boolean): boolean {
  return on === (client?.kind ?? null) && isNew === isNewHere && method.test(joined)
}

function clientOf(shape: ClientShape, term: Extract<Term, { kind: 'made' }>, { client: parent, path }: Reached): Client {
  const { kind, optionsAt } = shape
  const isHandedIn = term.args.length === 1 && term.args[0]?.kind === 'unknown' && !(shape.isFirstPlain && isWrittenPlain(term.at.node))
  return {
    kind,
    madeBy: path.join('.'),
    options: optionsAt < 0 ? undefined : isHandedIn ? term.args[0] : term.args[optionsAt],
    args: term.args,
    parent,
    at: term.at,
    spot: spotOf(term.at.node, term.at.module),
    identity: identityOf(term),
    others: [],
  }
}

/** `new Client(env.KEY)`; not what is filled in by a container, and no `new Client(...args)`. */
function isWrittenPlain(node: Node): boolean {
  return (node.type === 'NewExpression' || node.type === 'CallExpression') && node.arguments[0]?.type !== 'SpreadElement'
}

/** A name that holds one of several clients has the options of all of them. */
function merged(client: Client, all: readonly Reached[]): Client {
  const nothing: Term = { kind: 'constant', value: undefined, at: client.at }
  const clients = all.flatMap((each) => each.client ?? [])
  const most = Math.max(...clients.map(({ args }) => args.length))
  const args = Array.from({ length: most }, (_, k) => eitherOf(clients.map((each) => each.args[k] ?? nothing)))
  const isPlain = clients.every(({ options }) => options === undefined)
  const others = clients.flatMap(({ identity }) => (identity === null || identity === client.identity ? [] : [identity]))
  return { ...client, others, args, options: isPlain ? undefined : eitherOf(clients.map(({ options }) => options ?? nothing)) }
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
