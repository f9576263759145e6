import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { isFunctionNode, lookUp } from '../syntax/scope.js'

/** What runners of tests give to all files: under a text, or around each test. */
const NAMED: ReadonlySet<string> = new Set(['describe', 'it', 'test', 'suite'])
const AROUND: ReadonlySet<string> = new Set(['beforeAll', 'afterAll', 'beforeEach', 'afterEach'])
const MAY_DESCRIBE = /\b(describe|it|test|suite|(before|after)(All|Each))\b/

/** True for a module that describes tests at its top by names that it neither declares nor imports: only a runner of tests has them. */
export function describesTests(module: Module): boolean {
  return MAY_DESCRIBE.test(module.source.text) && module.program.body.some((statement) => isOfRunner(statement as Node, module))
}

/** `describe('orders', () => {})`, `describe.skip(…)`, `it.each(rows)('…', …)`. */
function isOfRunner(statement: Node, module: Module): boolean {
  const call = statement.type === 'ExpressionStatement' ? statement.expression : null
  if (call?.type !== 'CallExpression') return false
  const name = firstName(call.callee)
  if (name === null || lookUp(name, scopeAt(call, module))) return false
  const [first, ...others] = call.arguments as Node[]
  if (AROUND.has(name)) return isFunctionNode(first)
  const isText = first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string')
  return NAMED.has(name) && isText && others.some(isFunctionNode)
}

function firstName(callee: Node): string | null {
  for (let node = callee; ; ) {
    if (node.type === 'MemberExpression') node = node.object
    else if (node.type === 'CallExpression') node = node.callee
    else if (node.type === 'TaggedTemplateExpression') node = node.tag
    else return node.type === 'Identifier' ? node.name : null
  }
}
