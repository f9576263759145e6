import type { Node } from 'oxc-parser'

/** The statements that something stands among; the condition where it is a branch without any. */
export function blockOf(node: Node): Node | null {
  for (let here = node.parent; here; here = here.parent) {
    if (here.type === 'BlockStatement' || here.type === 'Program' || here.type === 'StaticBlock') return here
    if (here.type === 'IfStatement' || here.type === 'ConditionalExpression' || here.type === 'LogicalExpression') return here
  }
  return null
}
