import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'

const REGISTER = '@nestjs/config:registerAs'

/** What a configuration of Nest holds that is asked for by its name, `config.get('database')` of `registerAs('database', () => ({ … }))`; any other term stands for itself. */
export function registeredConfig(term: Term | undefined, { uses, evaluator, at }: Site): Term | undefined {
  if (term?.kind !== 'made' || term.callee.kind !== 'member') return term
  const [first] = term.args
  const isAsked = /^get(OrThrow)?$/.test(term.callee.name) && first?.kind === 'constant'
  const registered = isAsked
    ? uses.callsOf(REGISTER).filter(({ args: [key] }) => key?.kind === 'constant' && key.value === first.value)
    : []
  const [only] = registered
  const factory = registered.length === 1 ? only?.args[1] : undefined
  return factory?.kind === 'function' ? evaluator.called(factory, [], false, at) : term
}

/** `forRootAsync(database.asProvider())`: the function that `registerAs` was given; null for anything else. */
export function providedConfig(term: Term, { evaluator, at }: Site): Term | null {
  if (term.kind !== 'made' || term.callee.kind !== 'member' || term.callee.name !== 'asProvider') return null
  const { object } = term.callee
  const isRegistered = object.kind === 'made' && object.callee.kind === 'external' && object.callee.path.at(-1) === 'registerAs'
  const factory = isRegistered ? object.args[1] : undefined
  return factory?.kind === 'function' ? evaluator.called(factory, [], false, at) : null
}
