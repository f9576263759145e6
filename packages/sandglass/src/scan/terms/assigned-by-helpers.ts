import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Declared, type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { blockOf } from './block-of.js'
import type { Evaluator } from './evaluator.js'
import { assignmentsIn, partOf, perhaps } from './member-assignments.js'
import { substitute } from './substitute.js'
import { type FunctionTerm, type ObjectPart, type ParameterTerm, type Term, unknownTerm } from './term.js'

/** A name, what it holds before anything is assigned to a member of it, and the block that certainly runs where that is there. */
interface Held {
  readonly declared: Declared
  readonly term: Term
  readonly block: Node | null
  readonly module: Module
}

/** Helpers that hand it on to helpers. */
const MAX_DEPTH = 3
/** An object that goes to more functions is no options. */
const MAX_HELPERS = 20
/** Members that may limit how long something takes. */
const LIMITS = /timeout|signal|dispatcher|agent$|deadline|^retry$|^retries$|^maxRetries$/i

/** What is assigned to members of a parameter that may be options, `options.timeout = 500`, here or by a function that gets it; the parameter itself where nothing is. */
export function withAssignedLimits(term: ParameterTerm, declared: Declared, module: Module, evaluator: Evaluator): Term {
  const { of } = term
  if (term.declaredAs !== null || term.isRest || of.body?.type !== 'BlockStatement') return term
  const held = { declared, term, block: of.body, module }
  const parts = [...assignedHere(held, evaluator), ...assignedByHelpers(held, evaluator)].filter(isLimit)
  const at = { node: of.params[term.index] as Node, module }
  return parts.length === 0 ? term : { kind: 'object', parts: [{ spread: term, at }, ...parts], at }
}

function isLimit(part: ObjectPart): boolean {
  if ('name' in part) return LIMITS.test(part.name)
  const inner = part.spread.kind === 'either' ? part.spread.of[0] : undefined
  return inner?.kind === 'object' && inner.parts.some(isLimit)
}

/** What functions of the project that get an object assign to its members: `setDefaults(options)`. */
export function assignedByHelpers(held: Held, evaluator: Evaluator, depth = 0): readonly ObjectPart[] {
  const given = depth < MAX_DEPTH ? (callsWith(held.module).get(held.declared) ?? []) : []
  if (given.length > MAX_HELPERS) return []
  return given.flatMap(({ node, index }) => {
    const helper = helperOf(node.callee, held.module, evaluator)
    const inner = helper && parameterAt(helper, index)
    if (!helper || !inner) return []
    const args = node.arguments.map((arg, k) => (k === index ? held.term : plainTerm(arg as Node, held.module, evaluator)))
    const there = { ...inner, module: helper.module }
    const parts = [...assignedHere(there, evaluator), ...assignedByHelpers(there, evaluator, depth + 1)]
    const isCertain = blockOf(node) === held.block
    return parts.map((part) => {
      const own = substitutePart(part, { of: helper.node, args, self: null }, evaluator)
      return isCertain ? own : perhaps(own)
    })
  })
}

function assignedHere({ declared, block, module }: Held, evaluator: Evaluator): readonly ObjectPart[] {
  const assigned = assignmentsIn(module).get(declared) ?? []
  const named = assigned.filter(({ left }) => keyName(left.property as Node, left.computed) !== null)
  return named.length > MAX_HELPERS ? [] : named.map((each) => partOf(each, block, module, evaluator))
}

function substitutePart(part: ObjectPart, frame: Parameters<typeof substitute>[1], evaluator: Evaluator): ObjectPart {
  return 'name' in part
    ? { ...part, value: substitute(part.value, frame, evaluator) }
    : { ...part, spread: substitute(part.spread, frame, evaluator) }
}

/** The function that a name stands for; what is made of what it gets must not be asked for here. */
function helperOf(callee: Node, module: Module, evaluator: Evaluator): FunctionTerm | null {
  const name = bare(callee)
  const declared = name.type === 'Identifier' ? lookUp(name.name, scopeAt(name, module)) : null
  if (!declared || declared.assigned.length > 0) return null
  const { binding } = declared
  const isPlain = binding.kind === 'function' || binding.kind === 'import' || (binding.kind === 'value' && isFunctionNode(bareOf(binding)))
  const term = isPlain ? evaluator.nameOf(declared, module) : null
  return term?.kind === 'function' ? term : null
}

function bareOf({ node, steps }: Extract<Declared['binding'], { kind: 'value' }>): Node | null {
  return node && steps.length === 0 ? bare(node) : null
}

function parameterAt({ node, module }: FunctionTerm, index: number): Pick<Held, 'declared' | 'term' | 'block'> | null {
  if (node.body?.type !== 'BlockStatement') return null
  const declared = [...(module.scopes.get(node)?.names.values() ?? [])].find(({ binding }) => isAt(binding, node, index))
  if (!declared || declared.assigned.length > 0) return null
  const term: ParameterTerm = { kind: 'parameter', of: node, module, index, isRest: false, fallback: null, declaredAs: null }
  return { declared, term, block: node.body }
}

function isAt(binding: Declared['binding'], of: FunctionNode, index: number): boolean {
  return binding.kind === 'parameter' && binding.of === of && binding.index === index && !binding.isRest && binding.steps.length === 0
}

function plainTerm(arg: Node, module: Module, evaluator: Evaluator): Term {
  const { type } = bare(arg)
  return type === 'Identifier' || type === 'Literal' ? evaluator.termOf(arg, module) : unknownTerm('it is computed')
}

interface Given {
  readonly node: Extract<Module['calls'][number], { type: 'CallExpression' }>
  readonly index: number
}

const known = new WeakMap<Module, ReadonlyMap<Declared, readonly Given[]>>()

/** The calls of a module that each of its names is handed to. */
function callsWith(module: Module): ReadonlyMap<Declared, readonly Given[]> {
  const before = known.get(module)
  if (before) return before
  const found = new Map<Declared, Given[]>()
  for (const node of module.calls) {
    if (node.type !== 'CallExpression' || bare(node.callee).type !== 'Identifier') continue
    for (const [index, arg] of node.arguments.entries()) {
      const name = bare(arg as Node)
      const declared = name.type === 'Identifier' ? lookUp(name.name, scopeAt(name, module)) : null
      if (declared) append(found, declared, { node, index })
    }
  }
  known.set(module, found)
  return found
}
