import type { CalledWith, Client, Site } from '../library-model.js'
import { spotOf } from '../syntax/module.js'
import { eitherOf, identityOf, type Term } from '../terms/term.js'

/** The one connection that a project makes for all that asks over it without naming it; of several the first, with the arguments of all. */
export function projectClient({ uses }: Site, names: readonly string[]): Client | null {
  const calls = names.flatMap((name) => uses.callsOf(name))
  const [first, ...others] = calls
  if (!first) return null
  const args = others.length === 0 ? first.args : mergedArgs(calls, first)
  const spot = spotOf(first.at.node, first.at.module)
  return { kind: 'connection', options: args[1], args, parent: null, at: first.at, spot, identity: identityAt(first) }
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

/** What a factory among the options gives: `forRootAsync({ useFactory: () => ({ … }) })`; the options themselves without one. */
export function factoryOptions(options: Term | undefined, { evaluator, at }: Site): Term | undefined {
  if (options?.kind !== 'object') return options
  const factory = evaluator.memberOf(options, 'useFactory')
  return factory.kind === 'function' ? evaluator.called(factory, [], false, at) : options
}
