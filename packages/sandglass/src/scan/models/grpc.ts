import type { Node } from 'oxc-parser'
import { holds, type LimitState } from '../limits/limit-state.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { secondsText } from '../seconds-text.js'
import { type CallNode, type Module, spotOf } from '../syntax/module.js'
import { outermost } from '../syntax/walk.js'
import { argsOf } from '../terms/args-of.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import type { Term } from '../terms/term.js'
import { type GrpcDeadline, grpcDeadline, isStale } from './grpc-deadline.js'
import { handlerAround } from './grpc-handler.js'
import { hasShapeOfGrpc } from './grpc-shape.js'
import { isServerStream, LASTS } from './grpc-stream.js'
import type { LibraryModel, Lookalike, Site } from './library-model.js'

const NO_CALLS = /^(close|getChannel|waitForReady|constructor|on|once|then|catch|finally|bind|call|apply)$|^make\w+Request$/

/** A call whose callback `util.promisify` brings. */
const PROMISED = /^promisify\(\w+\)$/

/** @grpc/grpc-js: a call ends by its `deadline`, by that of its `parent`, or not at all. */
export const grpcModel: LibraryModel = {
  id: 'grpc-js',
  packages: ['@grpc/grpc-js', 'grpc'],
  generated: /_grpc_pb(\.js)?$|[._]grpc\.pb(\.js)?$/,
  clients: [
    {
      kind: 'client',
      on: null,
      made: /^((loadPackageDefinition|load)\(\)(\.\w+)*|make(Generic)?ClientConstructor\(\)|[A-Z]\w*Client)$/,
      types: ['Client'],
      optionsAt: 2,
    },
  ],
  calls: [
    { on: 'client', method: /^[a-zA-Z]\w*$/, optionsAt: -1, unless: (node) => !isUnary(node) || NO_CALLS.test(nameOf(node) ?? '') },
    { on: 'client', method: PROMISED, optionsAt: -1 },
    { on: 'client', method: /^[a-zA-Z]\w*$/, optionsAt: -1, unless: (node) => !isServerStream(node) || LASTS.test(nameOf(node) ?? '') },
  ],
  looksLike,
  read,
  targetOf: ({ client }) => {
    const [address] = client?.args ?? []
    return address?.kind === 'constant' && typeof address.value === 'string' ? address.value : null
  },
}

function nameOf({ type, ...node }: CallNode): string | null {
  const callee = type === 'CallExpression' && 'callee' in node ? node.callee : null
  return callee?.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : null
}

/** A request and a callback, whose result nobody takes: what streams gives a stream. */
function isUnary(node: CallNode): boolean {
  if (node.type !== 'CallExpression' || node.arguments.length < 2) return false
  const last = node.arguments.at(-1)
  if (last?.type === 'ArrowFunctionExpression' || last?.type === 'FunctionExpression') return true
  return (last?.type === 'Identifier' || last?.type === 'MemberExpression') && outermost(node).parent?.type === 'ExpressionStatement'
}

const clientsOf = new WeakMap<Module, ReadonlySet<string>>()

/**
 * Where nothing tells what a client is, a call of it with a `deadline` before a callback does: no other library has that.
 * Then its other calls with a callback are calls of gRPC too.
 */
function looksLike({ node, callee, args, module, evaluator }: Lookalike): boolean {
  if (!isUnary(node)) return false
  if (callee.kind !== 'function' && !NO_CALLS.test(nameOf(node) ?? '') && hasShapeOfGrpc(node, args, module)) return true
  const object = objectText(node, module)
  if (object === null) return false
  const known = clientsOf.get(module) ?? clientsIn(module, evaluator)
  clientsOf.set(module, known)
  return known.has(object)
}

function clientsIn(module: Module, evaluator: Evaluator): ReadonlySet<string> {
  const texts = module.calls.flatMap((node) => {
    if (!isUnary(node) || node.type !== 'CallExpression' || node.arguments.length < 3) return []
    const options = argsOf(node, module, evaluator).slice(1, -1)
    const hasDeadline = options.some((term) => term.kind === 'object' && findProperty(term, 'deadline').value !== null)
    return hasDeadline ? (objectText(node, module) ?? []) : []
  })
  return new Set(texts)
}

function objectText(node: CallNode, { source }: Module): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null
  const { start, end } = node.callee.object as Node
  return end - start > 100 ? null : source.text.slice(start, end)
}

function read(site: Site): Reading {
  const isStream = !PROMISED.test(site.method) && !isUnary(site.node)
  const between = PROMISED.test(site.method) || isStream ? site.args.slice(1) : site.args.slice(1, -1)
  const options = between.find((term) => term.kind === 'object') ?? between.find((term) => !isMetadata(term))
  const home = { node: site.node, module: site.at.module }
  const asked: Term | undefined = options?.kind === 'object' ? (findProperty(options, 'deadline').value ?? undefined) : options
  const deadline = deadlineOf(asked, options, home, site)
  const lacksParent = settingIn(options, 'parent', site.evaluator).state === 'absent'
  const handler = handlerAround(site.node, site.at.module, site.evaluator)
  return readingOf({
    phases: [{ what: isStream ? 'all of the stream' : 'the answer', kind: 'total', limit: deadline.limit }],
    findings: findingsOf(deadline, site, lacksParent && handler !== null),
    remedy: handler ? 'deadline: Date.now() + …, and parent: call' : 'deadline: Date.now() + …',
  })
}

function deadlineOf(
  asked: Term | undefined,
  options: Term | undefined,
  home: { node: CallNode; module: Module },
  site: Site,
): GrpcDeadline {
  const unknown = (why: string): GrpcDeadline => ({ limit: { state: 'unknown', name: 'deadline', why }, now: null, isInherited: false })
  if (options && options.kind !== 'object' && options.kind !== 'constant') return unknown('the options are only known at run time')
  if (options?.kind === 'object' && findProperty(options, 'deadline').mayBeReplacedBy.length > 0)
    return unknown('it may come with a spread')
  if (options?.kind === 'object' && settingIn(options, 'parent', site.evaluator).state !== 'absent' && !asked)
    return unknown('it is that of the parent')
  if (asked && asked.kind !== 'constant') return grpcDeadline(asked, home)
  return isGivenElsewhere(site, options)
    ? unknown('an interceptor or the service config may set it')
    : grpcDeadline(asked ?? NOTHING(home), home)
}

const NOTHING = (at: { node: CallNode; module: Module }): Term => ({ kind: 'constant', value: undefined, at })

/** Interceptors and a service config may give a deadline. */
function isGivenElsewhere({ client, evaluator }: Site, options: Term | undefined): boolean {
  if (client?.options?.kind === 'unknown' && client.args.length > 1) return true
  return (
    settingIn(options, 'interceptors', evaluator).state !== 'absent' ||
    ['interceptors', 'interceptor_providers'].some((name) => settingIn(client?.options, name, evaluator).state !== 'absent') ||
    (client?.options?.kind === 'object' && findProperty(client.options, 'grpc.service_config').value !== null)
  )
}

function isMetadata(term: Term): boolean {
  return term.kind === 'made' && term.callee.kind === 'external' && term.callee.path.at(-1) === 'Metadata'
}

function findingsOf({ limit, now, isInherited }: GrpcDeadline, site: Site, isParentLost: boolean): readonly ScanFinding[] {
  if (!holds(limit)) return []
  if (limit.ms === 0 && now === null) return [durationAsInstant(limit.origin.spot)]
  if (now && isStale(now, site.at)) return [stale(limit, now)]
  const isMadeOnce = now !== null && functionAround(now.node) === null
  return isParentLost && !isInherited && !isMadeOnce ? [notInherited(limit, site)] : []
}

function durationAsInstant(spot: ScanFinding['spot']): ScanFinding {
  return {
    rule: 'stale-deadline',
    severity: 'error',
    message: 'this deadline is a duration where an instant is meant: it was over in 1970, and every call fails at once',
    why: 'A deadline is a point in time: the present and a duration.',
    spot,
    label: 'no instant',
    suggestion: { text: 'write deadline: Date.now() + …', edits: [] },
  }
}

function stale({ ms, origin }: Extract<LimitState, { ms: number }>, now: NonNullable<GrpcDeadline['now']>): ScanFinding {
  return {
    rule: 'stale-deadline',
    severity: 'error',
    message: `this deadline is made once, with its object: it is over ${secondsText(ms)} after that, and every later call fails at once`,
    why: 'An instant is good for one request. A test sees it work, a server fails for as long as it runs.',
    spot: origin.spot,
    label: 'made once',
    related: [{ spot: spotOf(now.node, now.module), label: 'asks for the time once' }],
    values: { ms },
    suggestion: { text: 'make the deadline in the function that makes the call', edits: [] },
  }
}

function notInherited({ ms, name }: Extract<LimitState, { ms: number }>, { spot }: Site): ScanFinding {
  return {
    rule: 'deadline-not-inherited',
    severity: 'warning',
    message: `${name} ${secondsText(ms)} is not the earlier of that and the deadline that came in: the call may outlive its caller`,
    why: 'Who called this handler may have less time left; the work then goes on for nobody.',
    spot,
    label: 'does not take the incoming deadline',
    values: { ms },
    suggestion: { text: 'hand the incoming call on: parent: call', edits: [] },
  }
}
