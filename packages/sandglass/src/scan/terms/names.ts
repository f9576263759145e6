import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { Module } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { type Declared, lookUp, type PatternStep } from '../syntax/scope.js'
import { withAssignedLimits } from './assigned-by-helpers.js'
import { withAssignedMembers } from './assigned-members.js'
import { declaredType } from './declared-type.js'
import type { Evaluator } from './evaluator.js'
import { extendedLater } from './extended-later.js'
import { type At, eitherOf, GATHERED, type ParameterTerm, type Term, unknownTerm } from './term.js'

type ParameterBinding = Extract<Declared['binding'], { kind: 'parameter' }>
type ValueBinding = Extract<Declared['binding'], { kind: 'value' }>

/** What a name of a module means: its declaration, and everything that is assigned to it. */
export function declaredTerm(declared: Declared, module: Module, evaluator: Evaluator): Term {
  const { binding, assigned } = declared
  switch (binding.kind) {
    case 'import':
      return importedTerm(binding.request, binding.name, { node: binding.node, module }, evaluator)
    case 'function':
      return { kind: 'function', node: binding.node, module, self: null }
    case 'class':
      return { kind: 'class', node: binding.node, module }
    case 'parameter':
      return eitherOf([
        withLimits(parameterTerm(binding, module, evaluator), declared, module, evaluator),
        ...assignedTerms(assigned, module, evaluator),
      ])
    case 'value':
      return withLater(valueTerm(binding, declared, module, evaluator), declared, module, evaluator)
    case 'opaque':
      return unknownTerm('it is only known at run time')
  }
}

function withLimits(term: Term, declared: Declared, module: Module, evaluator: Evaluator): Term {
  return term.kind === 'parameter' ? withAssignedLimits(term, declared, module, evaluator) : term
}

const PUTS_INTO: ReadonlySet<string | null> = new Set(['push', 'unshift', 'splice'])

/** What is put into a list or an object after it was written. */
function withLater(term: Term, declared: Declared, module: Module, evaluator: Evaluator): Term {
  return term.kind === 'object' ? withAssignedMembers(term, declared, module, evaluator) : withGathered(term, declared, module)
}

/** `const signals = []` before `signals.push(…)`: more than what is written between the brackets. */
function withGathered(term: Term, declared: Declared, module: Module): Term {
  if (term.kind !== 'list') return term
  const isMore = referencesOf(declared, module).some(({ parent: above, start }) => {
    if (above?.type !== 'MemberExpression' || above.object.start !== start || above.parent?.type !== 'CallExpression') return false
    return above.parent.callee === above && PUTS_INTO.has(keyName(above.property as Node, above.computed))
  })
  return isMore ? { ...term, items: [...term.items, unknownTerm(GATHERED)] } : term
}

function assignedTerms(assigned: readonly Node[], module: Module, evaluator: Evaluator): Term[] {
  return assigned.map((value) => evaluator.termOf(value, module))
}

/** `let pool = null` before `pool = new Pool(…)` is a placeholder, not a second value. */
function valueTerm(binding: ValueBinding, declared: Declared, module: Module, evaluator: Evaluator): Term {
  const later = assignedTerms(declared.assigned, module, evaluator)
  if (!binding.node) return eitherOf(later)
  const first = takeSteps(evaluator.termOf(binding.node, module), binding.steps, binding.fallback, module, evaluator)
  const assigned = declared.assigned.map((node, k) => ({ node, term: later[k] as Term }))
  const extended = extendedLater({ node: binding.node, term: first }, assigned, declared, module)
  if (extended) return extended
  const isPlaceholder = first.kind === 'constant' && (first.value === null || first.value === undefined)
  return eitherOf(isPlaceholder && later.length > 0 ? later : [first, ...later])
}

function parameterTerm(binding: ParameterBinding, module: Module, evaluator: Evaluator): Term {
  const { of, index, isRest, steps, fallback, innerFallback } = binding
  const term: ParameterTerm = {
    kind: 'parameter',
    of,
    module,
    index,
    isRest,
    fallback: fallback ? evaluator.termOf(fallback, module) : null,
    declaredAs: declaredType(of.params[index] as Node | undefined, module, evaluator),
  }
  return takeSteps(term, steps, innerFallback, module, evaluator)
}

/** The part of a value that a pattern takes, or the default it gives for what is missing. */
function takeSteps(term: Term, steps: readonly PatternStep[], fallback: Node | null, module: Module, evaluator: Evaluator): Term {
  const part = steps.reduce<Term>((whole, step) => {
    if ('name' in step) return evaluator.memberOf(whole, step.name)
    if ('index' in step) return evaluator.memberOf(whole, String(step.index))
    return restOf(whole, step.rest, { node: module.program, module })
  }, term)
  if (!fallback) return part
  if (part.kind === 'constant') return part.value === undefined ? evaluator.termOf(fallback, module) : part
  return eitherOf([part, evaluator.termOf(fallback, module)], true)
}

/** All of a value but what a pattern took out of it: whatever that was, it is not in the rest. */
function restOf(whole: Term, taken: readonly string[], at: At): Term {
  if (whole.kind === 'constant' || whole.kind === 'list' || whole.kind === 'unknown') return whole
  return { kind: 'object', parts: [{ spread: whole, at }], without: taken, at }
}

/** What an import brings; `*` is the whole module. */
export function importedTerm(request: string, name: string, at: At, evaluator: Evaluator): Term {
  const { project } = evaluator
  const to = project.resolve(request, at.module.source.file)
  if (to.kind === 'package') {
    const path = name === '*' || name === 'default' ? [] : [name]
    return { kind: 'external', package: to.subpath === '' ? to.name : `${to.name}/${to.subpath}`, path, at }
  }
  const module = to.kind === 'file' ? project.moduleOf(to.file) : null
  if (module) return evaluator.exportOf(module, name)
  const path = name === '*' || name === 'default' ? [] : [name]
  return { ...unknownTerm(`"${request}" is not among the files`), missing: { request, path } }
}

/** What a module gives under a name; CommonJS and ESM give to each other as Node lets them. */
export function exportedTerm(module: Module, name: string, evaluator: Evaluator): Term {
  const whole = module.exports.get('=')
  const all = whole?.kind === 'expression' ? evaluator.termOf(whole.node, module) : null
  if (name === '*') return all ?? { kind: 'namespace', module }
  const entry = module.exports.get(name)
  if (entry?.kind === 'expression') return evaluator.termOf(entry.node, module)
  if (entry?.kind === 'from') return importedTerm(entry.request, entry.name, { node: module.program, module }, evaluator)
  if (entry) return localTerm(entry.name, module, evaluator)
  if (all) return name === 'default' ? all : evaluator.memberOf(all, name)
  return passedOn(module, name, evaluator)
}

function localTerm(name: string, module: Module, evaluator: Evaluator): Term {
  const local = lookUp(name, module.scope)
  return local ? evaluator.nameOf(local, module) : unknownTerm(`${name} is not declared`)
}

function passedOn(module: Module, name: string, evaluator: Evaluator): Term {
  for (const request of module.exportsAll) {
    const there = importedTerm(request, name, { node: module.program, module }, evaluator)
    if (there.kind !== 'unknown') return there
  }
  const isCommonJs = name === 'default' && module.exports.size > 0
  return isCommonJs ? { kind: 'namespace', module } : unknownTerm(`${name} is not exported`)
}
