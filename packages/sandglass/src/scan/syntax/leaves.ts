import type { Node } from 'oxc-parser'

/** True for a branch that the code after it is not got to from: it ends in `return` or `throw`. */
export function leaves(branch: Node): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement'
}
