import { isStartedByHand } from '../files/path-severity.js'
import { spotOf } from '../syntax/module.js'
import { eitherOf, identityOf, type Term, unknownTerm } from '../terms/term.js'
import type { CalledWith, Client, Site } from './library-model.js'
import { providedConfig, registeredConfig } from './nest-config.js'

/** The one connection that a project makes for all that asks over it without naming it: the file's own, else of several the first, with the arguments of all. */
export function projectClient({ uses, at }: Site, names: readonly string[], optionsAt = 1): Client | null {
  const all = names.flatMap((name) => uses.callsOf(name))
  // What people start by hand has a connection of its own.
  const served = isStartedByHand(at.module.source.file) ? [] : all.filter((call) => !isStartedByHand(call.at.module.source.file))
  const own = all.filter((call) => call.at.module === at.module)
  const calls = [own, served, all].find(({ length }) => length > 0) ?? []
  const [first, ...others] = calls
  if (!first) return null
  const args = others.length === 0 ? first.args : mergedArgs(calls, first)
  const spot = spotOf(first.at.node, first.at.module)
  return {
    kind: 'connection',
    madeBy: '',
    options: args[optionsAt],
    args,
    parent: null,
    at: first.at,
    spot,
    identity: identityAt(first),
    others: [],
  }
}

function mergedArgs(calls: readonly CalledWith[], first: CalledWith): readonly Term[] {
  const most = Math.max(...calls.map(({ args }) => args.length))
  const nothing: Term = { kind: 'constant', value: undefined, at: first.at }
  return Array.from({ length: most }, (_, k) => eitherOf(calls.map(({ args }) => args[k] ?? nothing)))
}

/** The same as of the client that is judged where it is made. */
function identityAt({ at }: CalledWith): string | null {
  return identityOf({ kind: 'made', callee: { kind: 'unknown', why: '' }, args: [], isNew: false, at })
}

/** What gives the options to a module of Nest: `useFactory: () => ({ … })`, `useClass` with its one method for it; the options themselves where neither is. */
export function factoryOptions(options: Term | undefined, site: Site): Term | undefined {
  const { evaluator, at } = site
  if (options?.kind !== 'object') return options && (providedConfig(options, site) ?? options)
  const factory = evaluator.memberOf(options, 'useFactory')
  if (factory.kind === 'function') return registeredConfig(evaluator.called(factory, [], false, at), site)
  const given = ['useClass', 'useExisting'].map((name) => evaluator.memberOf(options, name)).find(({ kind }) => kind !== 'constant')
  if (!given) return isGiven(factory) ? unknownTerm('a factory gives the options') : options
  if (given.kind !== 'class') return unknownTerm('a class gives the options')
  const method = CREATORS.map((name) => evaluator.memberOf({ kind: 'this', of: given.node, module: given.module }, name)).find(isFunction)
  return method ? evaluator.called(method, [], false, at) : unknownTerm('a class gives the options')
}

const CREATORS = [
  'createTypeOrmOptions',
  'createMongooseOptions',
  'createRedisOptions',
  'createRedisModuleOptions',
  'createSharedConfiguration',
]
const isFunction = (term: Term) => term.kind === 'function'
const isGiven = (term: Term) => !(term.kind === 'constant' && term.value === undefined)
