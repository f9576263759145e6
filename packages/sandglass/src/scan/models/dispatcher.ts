import { isEnvironment } from '../limits/settings.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty, propertyOf } from '../terms/property.js'
import { type At, eitherOf, type FunctionTerm, isGlobal, type MadeTerm, type ObjectTerm, type Term, unknownTerm } from '../terms/term.js'

/** Where the options of an agent stand among its arguments. */
const OPTIONS_AT: Readonly<Record<string, number>> = {
  Agent: 0,
  ProxyAgent: 0,
  EnvHttpProxyAgent: 0,
  Pool: 1,
  Client: 1,
  BalancedPool: 1,
  RoundRobinPool: 1,
}

/** What makes a dispatcher of its own for each origin, or changes what passes: its limits are not those of the options. */
const MAKES_OTHERS = ['factory', 'clientFactory', 'interceptors']

/** What undici gives to put around a dispatcher, none of which has limits. */
const HARMLESS = /^interceptors\.(retry|redirect|dns|cache|dump|responseError|decompress|deduplicate)$/

/** More agents around agents than these nobody writes. */
const MAX_DEPTH = 8

/** The options whose limits a dispatcher of undici has, whatever is put around it: nothing where it has none of its own, unknown where it cannot be followed. */
export function dispatcherOptions(term: Term, evaluator: Evaluator, depth = 0): Term {
  if (depth > MAX_DEPTH) return UNFOLLOWED
  switch (term.kind) {
    case 'constant':
      return term
    case 'either':
      return eitherOf(term.of.map((each) => dispatcherOptions(each, evaluator, depth + 1)))
    case 'member': {
      // What may be put in the place of a member stands before it.
      const { object, name } = term
      const isWritten = object.kind === 'object' || object.kind === 'either'
      return isWritten ? dispatcherOptions(evaluator.memberOf(object, name), evaluator, depth + 1) : UNFOLLOWED
    }
    case 'made':
      return optionsOfMade(term, evaluator, depth)
    default:
      return UNFOLLOWED
  }
}

const UNFOLLOWED: Term = unknownTerm('the dispatcher may have limits of its own')

function optionsOfMade(term: MadeTerm, evaluator: Evaluator, depth: number): Term {
  const { callee, args, at } = term
  const inner = (each: Term | undefined) => (each ? dispatcherOptions(each, evaluator, depth + 1) : UNFOLLOWED)
  if (callee.kind === 'member' && callee.name === 'compose') return args.every(isHarmless) ? inner(callee.object) : UNFOLLOWED
  const name = callee.kind === 'external' && callee.package === 'undici' ? callee.path.join('.') : ''
  if (name === 'getGlobalDispatcher') return nothing(at)
  if (name === 'RetryAgent') return inner(args[0])
  const optionsAt = OPTIONS_AT[name]
  return optionsAt === undefined ? UNFOLLOWED : optionsOfAgent(args[optionsAt], at)
}

function nothing(at: At): Term {
  return { kind: 'constant', value: undefined, at }
}

/** `new ProxyAgent(address)` has no options. */
function optionsOfAgent(options: Term | undefined, at: At): Term {
  if (!options || isAddress(options)) return nothing(at)
  if (options.kind !== 'object') return options
  if (MAKES_OTHERS.some((name) => mayHave(propertyOf(options, name)))) return UNFOLLOWED
  const connect = propertyOf(options, 'connect')
  return connect.kind === 'function' ? withConnector(options, connect) : options
}

/** A connector of one's own that knows a timeout, beside all limits: what it waits for is its own affair, the limits hold. */
function withConnector(options: ObjectTerm, { node, module }: FunctionTerm): Term {
  const isLimited = ['connectTimeout', 'headersTimeout', 'bodyTimeout'].every((name) => findProperty(options, name).value !== null)
  const knowsTimeout = /timeout/i.test(module.source.text.slice(node.start, node.end))
  return isLimited && knowsTimeout ? { ...options, without: [...(options.without ?? []), 'connect'] } : UNFOLLOWED
}

function mayHave(property: Term): boolean {
  if (property.kind === 'either') return property.of.some(mayHave)
  // A spread that is not followed brings limits rather than a maker: those are told to be unknown where they are read.
  return property.kind !== 'constant' && property.kind !== 'member'
}

function isAddress(term: Term): boolean {
  if (term.kind === 'either') return term.of.every((each) => each.kind === 'constant' || isAddress(each))
  if (term.kind !== 'made') return isEnvironment(term)
  const { callee } = term
  return (
    isGlobal(callee, 'URL') ||
    isEnvironment(term) ||
    (callee.kind === 'external' && callee.package === 'operator' && TEXTS.has(callee.path[0] ?? ''))
  )
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'template', '+'])

function isHarmless(interceptor: Term): boolean {
  if (interceptor.kind === 'list') return interceptor.items.every(isHarmless)
  const made = interceptor.kind === 'made' ? interceptor.callee : interceptor
  return made.kind === 'external' && made.package === 'undici' && HARMLESS.test(made.path.join('.'))
}
