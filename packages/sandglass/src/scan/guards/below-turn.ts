import type { Node } from 'oxc-parser'
import { firstAbove } from '../syntax/first-above.js'
import { isFunctionNode } from '../syntax/scope.js'
import { isLoop } from './run-attempts.js'

const turns = new WeakMap<Node, Node>()

/** The node below the next function or loop above, or below nothing: only those matter to what is no promise any more. */
export function belowTurn(node: Node): Node {
  return firstAbove(node, isBelowTurn, turns) ?? node
}

function isBelowTurn(node: Node): Node | null {
  return !node.parent || isFunctionNode(node.parent) || isLoop(node.parent) ? node : null
}
