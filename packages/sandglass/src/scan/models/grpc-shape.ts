import type { Node } from 'oxc-parser'
import { type CallNode, type Module, scopeAt } from '../syntax/module.js'
import { isFunctionNode, lookUp } from '../syntax/scope.js'
import type { Term } from '../terms/term.js'

const GRPC = /^(@grpc\/grpc-js|grpc)$/

/** A call with what only gRPC has: metadata before its callback, or a callback that is told a `ServiceError`. */
export function hasShapeOfGrpc(node: CallNode, args: readonly Term[], module: Module): boolean {
  const last = node.type === 'CallExpression' ? (node.arguments.at(-1) as Node | undefined) : undefined
  if (!isFunctionNode(last)) return false
  const [first] = last.params
  return (first?.type === 'Identifier' && toldServiceError(first, module)) || args.slice(1, -1).some(isMetadata)
}

function isMetadata(term: Term): boolean {
  return (
    term.kind === 'made' &&
    term.isNew &&
    term.callee.kind === 'external' &&
    GRPC.test(term.callee.package) &&
    term.callee.path.at(-1) === 'Metadata'
  )
}

/** `(error: grpc.ServiceError | null, answer) => …` */
function toldServiceError(parameter: Extract<Node, { type: 'Identifier' }>, module: Module): boolean {
  const type = parameter.typeAnnotation?.typeAnnotation
  const types = type?.type === 'TSUnionType' ? type.types : type ? [type] : []
  return types.some((each) => {
    const name = each.type === 'TSTypeReference' ? each.typeName : null
    const [first, last] =
      name?.type === 'TSQualifiedName' && name.left.type === 'Identifier'
        ? [name.left.name, name.right.name]
        : [name?.type === 'Identifier' ? name.name : null, null]
    const binding = first === null ? undefined : lookUp(first, scopeAt(parameter, module))?.binding
    return binding?.kind === 'import' && GRPC.test(binding.request) && (last ?? binding.name) === 'ServiceError'
  })
}
