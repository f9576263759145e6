import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import { leaves } from '../syntax/leaves.js'
import type { CallNode, Module } from '../syntax/module.js'
import { functionAround } from '../terms/evaluator.js'

/** The same question in two branches of one function, once with fewer arguments: `fetch(url)` beside `fetch(url, options)`. The first of them; null where it is asked once. */
export function firstOfBranches(node: CallNode, module: Module): CallNode | null {
  const same = questionsOf(module).get(questionOf(node, module)) ?? []
  if (same.length > MAX_BRANCHES) return null
  const isOther = (each: CallNode) => isShorter(each, node, module) && areApart(each, node)
  const first = same.find((each) => each === node || isOther(each))
  return first !== node ? (first ?? null) : same.some(isOther) ? node : null
}

/** What one function asks more often is no question of two branches. */
const MAX_BRANCHES = 50

const known = new WeakMap<Module, ReadonlyMap<string, readonly CallNode[]>>()

function questionsOf(module: Module): ReadonlyMap<string, readonly CallNode[]> {
  const before = known.get(module)
  if (before) return before
  const found = new Map<string, CallNode[]>()
  for (const node of module.calls) {
    const question = questionOf(node, module)
    if (question !== '') append(found, question, node)
  }
  known.set(module, found)
  return found
}

/** Longer is nothing that is written twice. */
const MAX_TEXT = 200

/** What is called with what at first, and in which function; empty for what is not asked about. */
function questionOf(node: CallNode, module: Module): string {
  if (node.type !== 'CallExpression') return ''
  const [first] = node.arguments
  if (!first || first.end - node.start > MAX_TEXT) return ''
  return `${functionAround(node)?.start} ${textOf(node.callee, module)} ${textOf(first as Node, module)}`
}

function textOf({ start, end }: Node, { source }: Module): string {
  return source.text.slice(start, end)
}

/** One of both is given what the other one is, and more. */
function isShorter(a: CallNode, b: CallNode, module: Module): boolean {
  if (a.type !== 'CallExpression' || b.type !== 'CallExpression' || a.arguments.length === b.arguments.length) return false
  const [less, more] = a.arguments.length < b.arguments.length ? [a, b] : [b, a]
  return less.arguments.every((arg, k) => textOf(arg as Node, module) === textOf(more.arguments[k] as Node, module))
}

/** True where only one of two places is got to: the branches of a condition, or what follows one that leaves. */
function areApart(one: Node, other: Node): boolean {
  const [a, b] = one.start < other.start ? [one, other] : [other, one]
  const above = new Map<Node, Node>()
  for (let here = a; here.parent; here = here.parent) above.set(here.parent, here)
  for (let here = b; here.parent; here = here.parent) {
    const ofA = above.get(here.parent)
    if (ofA) return isChoice(here.parent, ofA, here) || isLeft(ofA, above.get(ofA))
  }
  return false
}

function isChoice(over: Node, a: Node, b: Node): boolean {
  return (over.type === 'IfStatement' || over.type === 'ConditionalExpression') && over.test !== a && over.test !== b
}

/** `if (isPlain) return …` before it. */
function isLeft(statement: Node, inner: Node | undefined): boolean {
  return statement.type === 'IfStatement' && statement.consequent === inner && leaves(statement.consequent)
}
