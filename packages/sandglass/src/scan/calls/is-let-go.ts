import type { Node } from 'oxc-parser'
import type { CallNode } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'

/** True for a call of which the text says that nobody waits for its end, and that starts nothing when it is over: `fetch(url).catch(() => {})`, `void fetch(url)`. */
export function isLetGo(call: CallNode): boolean {
  let node: Node = call
  for (let next = withoutErrors(node); next; next = withoutErrors(node)) node = next
  const { parent } = node
  const isVoid = parent?.type === 'UnaryExpression' && parent.operator === 'void'
  return isVoid ? parent.parent?.type === 'ExpressionStatement' : node !== call && parent?.type === 'ExpressionStatement'
}

/** What `.catch(…)` makes of a promise, or a `.then(…)` that only looks at what came; any other goes on with it, and waits for it. */
function withoutErrors(node: Node): Node | null {
  const { parent } = node
  if (parent?.type !== 'MemberExpression' || parent.object !== node) return null
  const { property, parent: call } = parent
  if (property.type !== 'Identifier' || call?.type !== 'CallExpression' || call.callee !== parent) return null
  const goesOn = property.name === 'then' && call.arguments.some((each) => !onlyLooks(each as Node))
  return property.name === 'catch' || (property.name === 'then' && !goesOn) ? call : null
}

/** What writes for people. */
const LOGS = /\b(console|log|logger)\b/i
const CHANGES: ReadonlySet<string> = new Set(['AssignmentExpression', 'UpdateExpression', 'AwaitExpression', 'ImportExpression'])

/** `(answer) => { if (!answer.ok) throw new Error(answer.statusText) }`: it starts nothing and changes nothing. */
function onlyLooks(handler: Node): boolean {
  if (!isFunctionNode(handler)) return false
  let starts = false
  walk(handler.body as Node, (node) => {
    if (CHANGES.has(node.type)) starts = true
    else if (node.type === 'NewExpression') starts ||= !lastName(node.callee).endsWith('Error')
    else if (node.type === 'CallExpression') starts ||= !namesOf(node.callee).some((name) => LOGS.test(name))
    return !starts
  })
  return !starts
}

function lastName(callee: Node): string {
  return namesOf(callee)[0] ?? ''
}

/** `log`, `req` of `req.log`. */
function namesOf(callee: Node): readonly string[] {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type !== 'MemberExpression') return []
  return [...(callee.property.type === 'Identifier' ? [callee.property.name] : []), ...namesOf(callee.object)]
}
