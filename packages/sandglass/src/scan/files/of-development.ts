import type { Node } from 'oxc-parser'
import { leaves } from '../syntax/leaves.js'
import type { Module } from '../syntax/module.js'
import { walk } from '../syntax/walk.js'
import { isOfEnvironment, showsDevelopment } from './shows-development.js'

/** A stretch of a text. */
interface Part {
  readonly start: number
  readonly end: number
}

const MAY_SHOW = /dev|test|prod|emulator|\benv\b/i
/** The lines of a comment that end where a statement starts. */
const COMMENT_BEFORE = /(?:^[ \t]*(?:\/\/|\/?\*)[^\n]*\n)+[ \t]*$/m
const SAYS_SO = /\b(during|in|for|while)\s+(local\s+)?development\b|\bdev(elopment)?\s+server\b/i
/** How much of a text is looked at for that comment. */
const NEAR = 800

const known = new WeakMap<Module, readonly Part[]>()

/** True for a place in a branch that only runs while the program is developed or tested: `if (isDev)`, what follows `if (isProduction) return`. */
export function isOfDevelopment(start: number, module: Module): boolean {
  const parts = known.get(module) ?? partsOf(module)
  known.set(module, parts)
  return parts.some((part) => part.start <= start && start < part.end)
}

function partsOf(module: Module): readonly Part[] {
  if (!MAY_SHOW.test(module.source.text)) return []
  const parts: Part[] = []
  walk(module.program, (node) => {
    if (node.type === 'BlockStatement' || node.type === 'Program') parts.push(...behindOnesThatLeave(node, module))
    else parts.push(...branchesOf(node, module))
    return true
  })
  return parts
}

function branchesOf(node: Node, module: Module): readonly Part[] {
  if (node.type === 'LogicalExpression') {
    const isRun = node.operator === '&&' ? true : node.operator === '||' ? false : null
    return isRun !== null && showsDevelopment(node.left, isRun, module) ? [node.right] : []
  }
  if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return []
  const { test, consequent, alternate } = node
  if (showsDevelopment(test, true, module) || isSaidBefore(node, module)) return [consequent]
  return alternate && showsDevelopment(test, false, module) ? [alternate] : []
}

function behindOnesThatLeave(block: Extract<Node, { type: 'BlockStatement' | 'Program' }>, module: Module): readonly Part[] {
  const first = block.body.find(
    (each) => each.type === 'IfStatement' && leaves(each.consequent) && showsDevelopment(each.test, false, module),
  )
  return first ? [{ start: first.end, end: block.end }] : []
}

/** A variable of the environment, and a comment that says when it is set. */
function isSaidBefore(node: Extract<Node, { type: 'IfStatement' | 'ConditionalExpression' }>, { source }: Module): boolean {
  if (node.type !== 'IfStatement' || !isOfEnvironment(node.test)) return false
  const [comment = ''] = COMMENT_BEFORE.exec(source.text.slice(Math.max(0, node.start - NEAR), node.start)) ?? []
  return SAYS_SO.test(comment.replace(/\n[ \t]*(\/\/|\*)?/g, ' '))
}
