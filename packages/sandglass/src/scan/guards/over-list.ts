import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { bare } from '../syntax/walk.js'

/** True for a loop that goes through a list: `for (const url of urls)`, `for (let i = 0; i < urls.length; i++)`. */
export function isOverList(node: Node): boolean {
  if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') return true
  const test = node.type === 'ForStatement' && node.test ? bare(node.test) : null
  return test?.type === 'BinaryExpression' && [test.left as Node, test.right].some(isLength)
}

function isLength(node: Node): boolean {
  const inner = bare(node)
  return inner.type === 'MemberExpression' && keyName(inner.property as Node, inner.computed) === 'length'
}
