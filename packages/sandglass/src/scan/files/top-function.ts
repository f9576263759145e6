import type { Node } from 'oxc-parser'
import { lastStartingAt } from '../syntax/last-starting-at.js'
import type { Module } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { isMadeQuietly } from './only-declares.js'

/** A function that a module declares at its top, under a name. */
export interface TopFunction {
  readonly name: string
  readonly node: Node
  /** Where its name stands. */
  readonly nameAt: number
  /** `exports.ask = …` gives it to others as it is made. */
  readonly isGiven: boolean
}

/** The function at the top of a module that a place stands in; null where it stands in none that has a name. */
export function functionAt(place: number, module: Module): TopFunction | null {
  const statement = statementAt(place, module)
  const declared = statement?.type === 'ExportNamedDeclaration' && statement.declaration ? (statement.declaration as Node) : statement
  if (declared?.type === 'FunctionDeclaration') return declared.id && named(declared.id, declared)
  if (declared?.type === 'VariableDeclaration') {
    const one = declared.declarations.find((each) => isWithin(place, each))
    const value = one?.init ? bare(one.init) : null
    return one?.id.type === 'Identifier' && isFunctionNode(value) ? named(one.id, value) : null
  }
  const given = declared && givenBy(declared)
  return given && isFunctionNode(given.value) ? { ...named(given.property, given.value), isGiven: true } : null
}

/** What a module makes at its top and keeps under a name, where a place stands in how it is made; null where it stands in a function there, or something is waited for. */
export function madeAt(place: number, module: Module): TopFunction | null {
  const statement = statementAt(place, module)
  const declared = statement?.type === 'ExportNamedDeclaration' && statement.declaration ? (statement.declaration as Node) : statement
  if (declared?.type !== 'VariableDeclaration') return null
  const one = declared.declarations.find((each) => isWithin(place, each))
  if (!one?.init || one.id.type !== 'Identifier') return null
  return isMadeQuietly(one.init) ? named(one.id, bare(one.init)) : null
}

/** True where a name is only declared, imported under itself or passed on, so that nothing is done with it. */
export function isOnlyNamedAt(place: number, module: Module): boolean {
  const statement = statementAt(place, module)
  if ((functionAt(place, module) ?? madeAt(place, module))?.nameAt === place) return true
  switch (statement?.type) {
    case 'ImportDeclaration':
      return statement.specifiers.every(
        (each) => !isWithin(place, each) || (each.type === 'ImportSpecifier' && sameName(each.imported, each.local)),
      )
    case 'ExportNamedDeclaration':
      return (
        statement.declaration === null &&
        statement.specifiers.every((each) => !isWithin(place, each) || sameName(each.local, each.exported))
      )
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return true
    case 'VariableDeclaration':
      return statement.declarations.every((each) => !isWithin(place, each) || (isWithin(place, each.id) && takesOut(each.id, place)))
    case 'ExpressionStatement':
      return isGivenAt(place, statement.expression as Node)
    default:
      return false
  }
}

function named({ name, start }: { readonly name: string; readonly start: number }, node: Node): TopFunction {
  return { name, node, nameAt: start, isGiven: false }
}

/** Statements stand in the order of their starts: a file may have thousands. */
function statementAt(place: number, { program: { body } }: Module): Node | null {
  const found = body[lastStartingAt(body, place)]
  return found && isWithin(place, found) ? (found as Node) : null
}

function isWithin(place: number, node: { readonly start: number; readonly end: number }): boolean {
  return node.start <= place && place < node.end
}

function sameName(a: Node, b: Node): boolean {
  return a.type === 'Identifier' && b.type === 'Identifier' && a.name === b.name
}

/** `const { ask } = require('./ask')`. */
function takesOut(pattern: Node, place: number): boolean {
  if (pattern.type !== 'ObjectPattern') return false
  return pattern.properties.some((each) => isWithin(place, each) && each.type === 'Property' && sameName(each.key, each.value))
}

/** `exports.ask = …`, `module.exports.ask = …`. */
function givenBy(statement: Node) {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return null
  const { left, right } = statement.expression
  if (left.type !== 'MemberExpression' || left.property.type !== 'Identifier' || left.computed || !isExports(left.object as Node))
    return null
  return { property: left.property, value: bare(right) }
}

function isExports(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'exports'
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return false
  return node.object.name === 'module' && node.property.name === 'exports'
}

/** A name in `module.exports = { ask }` or `exports.ask = ask`. */
function isGivenAt(place: number, expression: Node): boolean {
  if (expression.type !== 'AssignmentExpression') return false
  const { left, right } = expression
  if (left.type !== 'MemberExpression') return false
  if (isExports(left)) {
    return (
      right.type === 'ObjectExpression' &&
      right.properties.some((each) => isWithin(place, each) && each.type === 'Property' && sameName(each.key, each.value))
    )
  }
  return isExports(left.object as Node) && sameName(left.property as Node, right)
}
