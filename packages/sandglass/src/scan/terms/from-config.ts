import type { Module } from '../syntax/module.js'
import { deepMerged } from './deep-merged.js'
import type { Evaluator } from './evaluator.js'
import { type At, eitherOf, type ObjectPart, type Term, unknownTerm } from './term.js'

/** What the package has of its own: all else that is read of it is a setting. */
const OWN: ReadonlySet<string> = new Set(['get', 'has', 'util', 'getSource'])

/** What `config.get('redis.url')` of the npm package `config` gives, as the default file of its folder has it; null for anything else. */
export function configAsked(callee: Term, args: readonly Term[], at: At, evaluator: Evaluator): Term | null {
  if (callee.kind !== 'external' || callee.package !== 'config' || callee.path.join('.') !== 'get') return null
  const [key] = args
  if (key?.kind !== 'constant' || typeof key.value !== 'string') return null
  const whole = wholeConfig(at.module, evaluator)
  if (!whole) return null
  const found = key.value.split('.').reduce((term, name) => evaluator.memberOf(term, name), whole)
  // What no file had would be an error when it is asked for.
  return found.kind === 'constant' && found.value === undefined ? unknownTerm('another file of the configuration sets it') : found
}

/** What `config.redis` of the npm package `config` is, as the default file of its folder has it; null for anything else. */
export function configMember(term: Extract<Term, { kind: 'external' }>, name: string, evaluator: Evaluator): Term | null {
  if (term.package !== 'config' || term.path.length > 0 || OWN.has(name) || name === 'default') return null
  const whole = wholeConfig(term.at.module, evaluator)
  const found = whole && evaluator.memberOf(whole, name)
  return found && !(found.kind === 'constant' && found.value === undefined) ? found : null
}

/** What was put together of the same files is the same. */
const known = new WeakMap<Module, Term | null>()

function wholeConfig(from: Module, evaluator: Evaluator): Term | null {
  const files = evaluator.project.configOf(from.source.file)
  if (!files) return null
  const before = known.get(files.defaults)
  if (before !== undefined) return before
  // What a file of it asks for itself has no answer yet.
  known.set(files.defaults, null)
  const defaults = evaluator.exportOf(files.defaults, 'default')
  const environment = files.environment && evaluator.exportOf(files.environment, 'default')
  const at = { node: files.defaults.program, module: files.defaults }
  const written = writtenIn([defaults, ...(files.production ? [evaluator.exportOf(files.production, 'default')] : [])], at)
  const whole =
    written && environment?.kind === 'object' ? (writtenIn([written, named(environment, written, evaluator)], at) ?? written) : written
  known.set(files.defaults, whole)
  return whole
}

/** A file that is not written down but computed changes nothing of what the default file says. */
function writtenIn([defaults, ...others]: readonly Term[], at: At): Term | null {
  if (defaults?.kind !== 'object') return null
  return deepMerged([defaults, ...others], at) ?? defaults
}

/** `{ redis: { url: 'REDIS_URL' } }` names variables of the environment, which win over what is written. */
function named(names: Extract<Term, { kind: 'object' }>, written: Term, evaluator: Evaluator): Term {
  const parts = names.parts.flatMap((part): ObjectPart[] => {
    if (!('name' in part)) return []
    const own = evaluator.memberOf(written, part.name)
    const value = part.value.kind === 'object' && !isNamed(part.value) ? named(part.value, own, evaluator) : environmentOf(part.value, own)
    return value ? [{ ...part, value }] : []
  })
  return { ...names, parts }
}

function isNamed({ parts }: Extract<Term, { kind: 'object' }>): boolean {
  return parts.some((part) => 'name' in part && part.name === '__name')
}

function environmentOf(value: Term, own: Term): Term | null {
  const name = value.kind === 'object' ? value.parts.find((part) => 'name' in part && part.name === '__name') : undefined
  const variable = name && 'name' in name ? name.value : value
  if (variable.kind !== 'constant' || typeof variable.value !== 'string') return null
  const given: Term = { kind: 'external', package: 'global', path: ['process', 'env', variable.value], at: variable.at }
  return own.kind === 'constant' && own.value !== undefined ? eitherOf([given, own], true) : given
}
