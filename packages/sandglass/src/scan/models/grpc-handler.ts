import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { CallNode, Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { declaredType } from '../terms/declared-type.js'
import type { Evaluator } from '../terms/evaluator.js'
import { functionsAround } from './grpc-deadline.js'

/** The handler of a gRPC server that a call stands in: what it is called with has a deadline. Null outside of one. */
export function handlerAround(node: CallNode, module: Module, evaluator: Evaluator): FunctionNode | null {
  return functionsAround(node).find((of) => isHandler(of, node, module, evaluator)) ?? null
}

function isHandler(of: FunctionNode, node: CallNode, module: Module, evaluator: Evaluator): boolean {
  return isDeclaredSo(of, module, evaluator) || isServed(of, module) || isCalledSo(of, node)
}

/** `(call: ServerUnaryCall<A, B>, …)`. */
function isDeclaredSo(of: FunctionNode, module: Module, evaluator: Evaluator): boolean {
  const type = declaredType(of.params[0] as Node | undefined, module, evaluator)
  const path = type?.kind === 'external' ? type.path : type?.kind === 'unknown' ? (type.missing?.path ?? []) : []
  return /^Server(Unary|Readable|Writable|Duplex)/.test(path.at(-1) ?? '')
}

/** `server.addService(Users, { getUser: (call, callback) => … })`, also by the name of the function. */
function isServed(of: FunctionNode, module: Module): boolean {
  const own = of.type === 'FunctionDeclaration' && of.id ? of.id.name : null
  return module.calls.some((call) => {
    if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false
    const [, served] = call.arguments
    if (keyName(call.callee.property as Node, call.callee.computed) !== 'addService' || served?.type !== 'ObjectExpression') return false
    return served.properties.some((part) => {
      if (part.type !== 'Property') return false
      const value = bare(part.value as Node)
      return value === of || (own !== null && value.type === 'Identifier' && value.name === own)
    })
  })
}

/** `(call, callback) => client.get(call.request, callback)`: two parameters, named as every example of gRPC does, the second handed on. */
function isCalledSo(of: FunctionNode, node: CallNode): boolean {
  const [call, callback] = of.params
  if (of.params.length !== 2 || call?.type !== 'Identifier' || callback?.type !== 'Identifier' || call.name !== 'call') return false
  const last = node.type === 'CallExpression' ? node.arguments.at(-1) : undefined
  return last?.type === 'Identifier' && last.name === callback.name
}
