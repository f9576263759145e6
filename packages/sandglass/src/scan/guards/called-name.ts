import type { Node } from 'oxc-parser'

/** The last name of what is called: `withTimeout`, `timeout` of `limits.timeout`. */
export function calledName(callee: Node): string | null {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : null
}
