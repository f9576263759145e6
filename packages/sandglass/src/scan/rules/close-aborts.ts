import type { Node } from 'oxc-parser'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import { keyName } from '../syntax/declare.js'
import { type CallNode, type Module, spotOf } from '../syntax/module.js'
import { type FunctionNode, isFunctionNode } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import type { Evaluator } from '../terms/evaluator.js'
import { outsideTypeOf } from '../terms/global-type.js'
import { isGlobal, type ParameterTerm, type Term } from '../terms/term.js'

const REQUEST_TYPES = /^(Request|IncomingMessage|FastifyRequest|NextApiRequest)$/
const REQUEST_NAMES = /^(req|request)$/i
const RESPONSE_NAMES = /^(res|response|reply|rep)$/i

/** `req.on('close', () => controller.abort())`: it comes for healthy requests too. */
export const closeAborts: ScanRule = {
  id: 'close-aborts',
  severity: 'warning',
  summary: "a request's close aborts work that is still wanted",
  *check({ modules, evaluator }) {
    for (const module of modules) {
      for (const node of module.calls) {
        if (isCloseOfRequest(node, module, evaluator) && aborts(node, module, evaluator)) yield scanFinding(findingOf(node, module))
      }
    }
  },
}

/** A request without a body has none to be read. */
function isOnlyAskedFor(request: Term): boolean {
  const parameter = request.kind === 'member' ? request.object : request
  if (parameter.kind !== 'parameter') return false
  const { of } = parameter
  const above = of.parent
  const name = of.id?.name ?? (above?.type === 'VariableDeclarator' && above.id.type === 'Identifier' ? above.id.name : null)
  if (name === 'GET') return true
  if (above?.type === 'CallExpression' && above.arguments.some(isListOfGet)) return true
  if (above?.type === 'CallExpression' && above.callee.type === 'MemberExpression')
    return keyName(above.callee.property as Node, above.callee.computed) === 'get'
  return above?.type === 'MethodDefinition' && above.decorators.some(isOfGet)
}

/** `handler(async (req, res) => { … }, ['GET'])`. */
function isListOfGet(node: Node): boolean {
  return (
    node.type === 'ArrayExpression' &&
    node.elements.length === 1 &&
    node.elements[0]?.type === 'Literal' &&
    node.elements[0].value === 'GET'
  )
}

function isOfGet({ expression }: { readonly expression: Node }): boolean {
  const callee = expression.type === 'CallExpression' ? expression.callee : expression
  return callee.type === 'Identifier' && /^(Get|Sse)$/.test(callee.name)
}

function isCloseOfRequest(node: CallNode, module: Module, evaluator: Evaluator): boolean {
  if (node.type !== 'CallExpression' || node.arguments.length < 2) return false
  const callee = bare(node.callee)
  if (callee.type !== 'MemberExpression') return false
  const name = keyName(callee.property as Node, callee.computed) ?? ''
  const event = evaluator.termOf(node.arguments[0] as Node, module)
  if (!['on', 'once', 'addListener'].includes(name) || event.kind !== 'constant' || event.value !== 'close') return false
  const request = evaluator.termOf(callee.object, module)
  return isRequest(request) && !isOnlyAskedFor(request)
}

/** A request that a server was handed: by its type, or first of (req, res); `request.raw` of fastify and `ctx.req` of koa are one too. */
function isRequest(term: Term): boolean {
  if (term.kind === 'either') return term.of.length > 0 && term.of.every(isRequest)
  if (term.kind === 'parameter') return isRequestParameter(term)
  if (term.kind !== 'member' || term.object.kind !== 'parameter') return false
  if (term.name === 'raw') return isRequestParameter(term.object)
  return term.name === 'req' && /^(ctx|context)$/.test(nameOf(term.object.of.params[term.object.index] as Node | undefined))
}

function isRequestParameter(term: ParameterTerm): boolean {
  const type = outsideTypeOf(term)
  if (type !== null) return REQUEST_TYPES.test(type)
  const [first, second] = term.of.params as Node[]
  return term.declaredAs === null && term.index === 0 && REQUEST_NAMES.test(nameOf(first)) && RESPONSE_NAMES.test(nameOf(second))
}

function nameOf(param: Node | undefined): string {
  const pattern = param?.type === 'AssignmentPattern' ? (param.left as Node) : param
  return pattern?.type === 'Identifier' ? pattern.name.replace(/^_/, '') : ''
}

/** The listener aborts a controller, and asks nothing before. */
function aborts(node: CallNode, module: Module, evaluator: Evaluator): boolean {
  const listener = node.type === 'CallExpression' ? bare(node.arguments[1] as Node) : null
  if (!listener) return false
  const of = isFunctionNode(listener) ? listener : functionNamed(listener, module, evaluator)
  return of ? abortsAtOnce(of, module, evaluator) : isAbort(listener, module, evaluator)
}

/** A listener of this module that is given by its name. */
function functionNamed(node: Node, module: Module, evaluator: Evaluator): FunctionNode | null {
  const term = evaluator.termOf(node, module)
  return term.kind === 'function' && term.module === module ? term.node : null
}

function abortsAtOnce(of: FunctionNode, module: Module, evaluator: Evaluator): boolean {
  let found = false
  let asks = false
  walk(of.body ?? of, (part) => {
    if (part.type === 'IfStatement' || part.type === 'ConditionalExpression' || part.type === 'LogicalExpression') asks = true
    if (part.type === 'CallExpression' && isAbort(part.callee, module, evaluator)) found = true
    return true
  })
  return found && !asks
}

function isAbort(callee: Node, module: Module, evaluator: Evaluator): boolean {
  const inner = bare(callee)
  if (inner.type !== 'MemberExpression' || keyName(inner.property as Node, inner.computed) !== 'abort') return false
  const object = evaluator.termOf(inner.object, module)
  return object.kind === 'made' && isGlobal(object.callee, 'AbortController')
}

function findingOf(node: CallNode, module: Module): ScanFinding {
  return {
    rule: 'close-aborts',
    severity: 'warning',
    message:
      "the request's close comes as soon as its body is read, not only when the client has left: it aborts work that is still wanted",
    why: 'A request with a body is cut off while its answer is being made; one without may work by luck.',
    spot: spotOf(node, module),
    label: 'fires on healthy requests',
    suggestion: { text: "res.on('close', () => { if (!res.writableFinished) controller.abort() })", edits: [] },
  }
}
