import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { type Declared, isFunctionNode, lookUp } from '../syntax/scope.js'

/** What only texts can do. */
const OF_TEXT: ReadonlySet<string> = new Set([
  'split',
  'startsWith',
  'endsWith',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'replace',
  'replaceAll',
  'substring',
  'match',
])
/** Names that say that an address is in them. */
const ADDRESS = /(^|[a-z_])(url|uri|dsn)$|(Url|URL|Uri|URI|DSN|Dsn)$|^connectionString$/

/** True for an expression whose value is not known, but that it is a text: by its type, what is done with it, or a name that says address. */
export function isText(node: Node, module: Module): boolean {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return isText(node.expression, module)
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      return node.typeAnnotation.type === 'TSStringKeyword' || isText(node.expression, module)
    case 'MemberExpression':
      return ADDRESS.test(keyName(node.property as Node, node.computed) ?? '')
    case 'Identifier': {
      const declared = lookUp(node.name, scopeAt(node, module))
      return ADDRESS.test(node.name) || (declared !== null && isDeclaredText(declared, module))
    }
    case 'CallExpression':
      return isAskedForText(node, module)
    default:
      return false
  }
}

/** `config.get('redis.url')`, `config.get<string>('redis')`, `redisUrl()`, a function of the file that gives a text by its type. */
function isAskedForText(call: Extract<Node, { type: 'CallExpression' }>, module: Module): boolean {
  const { callee, typeArguments } = call
  const [first] = call.arguments
  const [type] = typeArguments?.params ?? []
  if (type) return type.type === 'TSStringKeyword'
  if (callee.type === 'Identifier') return ADDRESS.test(callee.name) || givesText(callee, module)
  if (callee.type !== 'MemberExpression') return false
  const name = keyName(callee.property as Node, callee.computed) ?? ''
  const key = first?.type === 'Literal' && typeof first.value === 'string' ? (first.value.split(/[.:]/).at(-1) ?? '') : ''
  return ADDRESS.test(name) || (LOOKS_UP.test(name) && ADDRESS.test(key))
}

/** `function host(): string`. */
function givesText(callee: Extract<Node, { type: 'Identifier' }>, module: Module): boolean {
  const binding = lookUp(callee.name, scopeAt(callee, module))?.binding
  const of = binding?.kind === 'function' || (binding?.kind === 'value' && binding.steps.length === 0) ? binding.node : null
  return of !== null && isFunctionNode(of) && of.returnType?.typeAnnotation.type === 'TSStringKeyword'
}

const LOOKS_UP = /^get(OrThrow|String)?$/

function isDeclaredText(declared: Declared, module: Module): boolean {
  const { binding } = declared
  if (binding.kind === 'parameter')
    return binding.steps.length === 0 && isParameterOfText(binding.of.params[binding.index] as Node | undefined)
  const value = binding.kind === 'value' && binding.steps.length === 0 ? binding.node : null
  if (value?.type === 'TSAsExpression' && value.typeAnnotation.type === 'TSStringKeyword') return true
  if (value?.type === 'CallExpression' && isAskedForText(value, module)) return true
  const id = value?.parent?.type === 'VariableDeclarator' ? value.parent.id : null
  const annotation = id?.type === 'Identifier' ? id.typeAnnotation?.typeAnnotation : null
  return annotation?.type === 'TSStringKeyword' || referencesOf(declared, module).some(isUsedAsText)
}

/** `(url: string)`, `private readonly url: string`. */
function isParameterOfText(node: Node | undefined): boolean {
  if (node?.type === 'TSParameterProperty') return isParameterOfText(node.parameter as Node)
  if (node?.type === 'AssignmentPattern') return isParameterOfText(node.left as Node)
  return node?.type === 'Identifier' && node.typeAnnotation?.typeAnnotation.type === 'TSStringKeyword'
}

function isUsedAsText(node: Node): boolean {
  const member = node.parent
  if (member?.type !== 'MemberExpression' || member.object !== node || member.parent?.type !== 'CallExpression') return false
  return member.parent.callee === member && OF_TEXT.has(keyName(member.property as Node, member.computed) ?? '')
}
