import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Declared, type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { blockOf } from './block-of.js'
import type { Evaluator } from './evaluator.js'
import { operation } from './fold.js'
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
  return mayHoldLimit(part.spread)
}

function mayHoldLimit(spread: Term): boolean {
  if (spread.kind === 'object') return spread.parts.some(isLimit)
  const among = spread.kind === 'either' ? spread.of : spread.kind === 'made' ? spread.args : []
  return among.some(mayHoldLimit)
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

function assignedHere(held: Held, evaluator: Evaluator): readonly ObjectPart[] {
  const { declared, block, module } = held
  const assigned = assignmentsIn(module).get(declared) ?? []
  const named = assigned.filter(({ left }) => keyName(left.property as Node, left.computed) !== null)
  if (named.length > MAX_HELPERS) return []
  return named.map((each) => unlessDecided(partOf(each, block, module, evaluator), each.node, held, evaluator))
}

/** `if (options.timeout) options.signal = …`: each caller decides it by what it gives. */
function unlessDecided(part: ObjectPart, node: Node, held: Held, evaluator: Evaluator): ObjectPart {
  const { block, module } = held
  const branch = firstBranch(node)
  if ('name' in part || branch?.type !== 'IfStatement' || blockOf(branch) !== block || !isWithin(node, branch.consequent)) return part
  const test = bare(branch.test)
  const isNot = test.type === 'UnaryExpression' && test.operator === '!'
  const asked = memberAsked(isNot ? bare(test.argument) : test, held, evaluator)
  const own = part.spread.kind === 'either' ? part.spread.of[0] : undefined
  if (!asked || !own) return part
  const at = { node: branch as Node, module }
  return { spread: operation(isNot ? 'missing' : 'given', [asked, own], at), at }
}

function firstBranch(node: Node): Node | null {
  const block = blockOf(node)
  return block?.type === 'BlockStatement' ? (block.parent ?? null) : block
}

function isWithin(node: Node, outer: Node): boolean {
  return outer.start <= node.start && node.end <= outer.end
}

function memberAsked(test: Node, { declared, term, module }: Held, evaluator: Evaluator): Term | null {
  if (test.type !== 'MemberExpression') return null
  const object = bare(test.object)
  const name = keyName(test.property as Node, test.computed)
  if (name === null || object.type !== 'Identifier' || lookUp(object.name, scopeAt(object, module)) !== declared) return null
  return evaluator.memberOf(term, name)
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
