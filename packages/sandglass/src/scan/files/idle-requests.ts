import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { outermost } from '../syntax/walk.js'
import { placesOf } from './places-of.js'

/** What a module imports and takes nothing out of: for its effects alone, or under names that it never asks for. */
export function idleRequests(module: Module): ReadonlySet<string> {
  const { source, program, requests } = module
  if (source.file.endsWith('.vue')) return new Set()
  const isAsked = (name: string, within: Node) => placesOf(name, source).some((place) => place < within.start || place >= within.end)
  const idle: string[] = []
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
    if (!statement.specifiers.some(({ local }) => isAsked(local.name, statement))) idle.push(statement.source.value)
  }
  for (const call of module.calls) {
    if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'require') continue
    const [first] = call.arguments
    if (first?.type !== 'Literal' || typeof first.value !== 'string') continue
    const above = outermost(call).parent
    if (above?.type === 'ExpressionStatement') idle.push(first.value)
    if (above?.type === 'VariableDeclarator' && above.id.type === 'Identifier' && !isAsked(above.id.name, above)) idle.push(first.value)
  }
  return new Set(idle.filter((request) => countOf(request, requests) === countOf(request, idle)))
}

function countOf(one: string, all: readonly string[]): number {
  return all.filter((each) => each === one).length
}
