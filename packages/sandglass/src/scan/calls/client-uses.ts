import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import type { Assigned, CalledWith, ClientUses, PassedTo } from '../models/library-model.js'
import { keyName } from '../syntax/declare.js'
import type { Module } from '../syntax/module.js'
import { argsOf } from '../terms/args-of.js'
import type { Evaluator } from '../terms/evaluator.js'
import { identityOf, type Term } from '../terms/term.js'

interface Index {
  readonly passed: Map<string, PassedTo[]>
  readonly members: Map<string, Set<string>>
  readonly called: Map<string, CalledWith[]>
  readonly assigned: Map<string, Assigned[]>
}

/** Where clients go, over some modules; found out when it is first asked. */
export function clientUsesOf(modules: () => readonly Module[], evaluator: Evaluator): ClientUses {
  let index: Index | null = null
  const read = () => {
    index ??= indexOf(modules(), evaluator)
    return index
  }
  return {
    passedTo: (identity) => read().passed.get(identity) ?? [],
    membersOf: (identity) => [...(read().members.get(identity) ?? [])],
    callsOf: (identity) => read().called.get(identity) ?? [],
    assignedTo: (identity, path) => read().assigned.get(`${identity}.${path}`) ?? [],
  }
}

function indexOf(modules: readonly Module[], evaluator: Evaluator): Index {
  const index: Index = { passed: new Map(), members: new Map(), called: new Map(), assigned: new Map() }
  for (const module of modules) {
    for (const node of module.calls) {
      if (node.type === 'TaggedTemplateExpression') continue
      const callee = evaluator.termOf(node.callee, module)
      takeMember(callee, index)
      takeCalled(callee, { args: argsOf(node, module, evaluator), at: { node, module } }, index)
      node.arguments.forEach((arg, k) => {
        if (arg.type !== 'SpreadElement') takePassed(evaluator.termOf(arg, module), String(k), { callee, at: { node, module } }, index, 0)
      })
    }
    for (const { left, right } of module.memberAssignments) takeAssigned(left as Node, right, module, evaluator, index)
  }
  return index
}

function takeMember(callee: Term, { members }: Index): void {
  if (callee.kind !== 'member') return
  for (let here: Term = callee; here.kind === 'member'; here = here.object) {
    const identity = identityOf(here.object)
    if (identity === null) continue
    const names = members.get(identity) ?? new Set()
    names.add(here.name)
    members.set(identity, names)
  }
}

function takeCalled(callee: Term, call: CalledWith, { called }: Index): void {
  const isKept = callee.kind === 'member' || (callee.kind === 'external' && callee.package !== 'global')
  const identity = isKept ? identityOf(callee) : null
  if (identity === null) return
  const known = called.get(identity)
  if (known) known.push(call)
  else called.set(identity, [call])
}

function takePassed(term: Term, way: string, to: Omit<PassedTo, 'way'>, index: Index, depth: number): void {
  if (depth > 3) return
  if (term.kind === 'made') {
    const identity = identityOf(term)
    if (identity !== null) append(index.passed, identity, { ...to, way })
  } else if (term.kind === 'object') {
    for (const part of term.parts) if ('name' in part) takePassed(part.value, `${way}.${part.name}`, to, index, depth + 1)
  } else if (term.kind === 'list') {
    term.items.forEach((item, k) => {
      takePassed(item, `${way}.${k}`, to, index, depth + 1)
    })
  } else if (term.kind === 'either') {
    for (const each of term.of) takePassed(each, way, to, index, depth + 1)
  }
}

function takeAssigned(left: Node, right: Node, module: Module, evaluator: Evaluator, { assigned }: Index): void {
  const names: string[] = []
  let object = left
  while (object.type === 'MemberExpression') {
    const name = keyName(object.property as Node, object.computed)
    if (name === null) return
    names.unshift(name)
    object = object.object
    const identity = identityOf(evaluator.termOf(object, module))
    if (identity === null) continue
    const key = `${identity}.${names.join('.')}`
    append(assigned, key, { value: evaluator.termOf(right, module), at: { node: right, module } })
  }
}
