import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'

/** How Playwright and Puppeteer take a function that they run in the page which they drive. */
const TAKES =
  /^(evaluate|evaluateAll|evaluateHandle|evaluateOnNewDocument|evaluateOnContext|\$eval|\$\$eval|waitForFunction|addInitScript)$/
/** What some other library calls `evaluate` takes no functions of a page. */
const DRIVES = /playwright|puppeteer|\b(page|frame|browser)\b/i

/** True for the function of `page.evaluate(() => document.title)`: it runs in another process, in the page. */
export function isGivenToPage(node: Node): boolean {
  const call = isFunctionNode(node) ? node.parent : null
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false
  const { property } = call.callee
  return property.type === 'Identifier' && TAKES.test(property.name) && call.arguments.some((each) => each === node)
}

/** True for what stands in such a function. */
export function isInGivenToPage(node: Node): boolean {
  for (let above: Node | null | undefined = node; above; above = above.parent) if (isGivenToPage(above)) return true
  return false
}

/** The functions of a module that run in a page which it drives. */
export function givenToPage(module: Module): readonly Node[] {
  return DRIVES.test(module.source.text) ? [...module.scopes.keys()].filter(isGivenToPage) : []
}
