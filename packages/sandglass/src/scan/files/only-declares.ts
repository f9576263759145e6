import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'

/** What waits for work, or for the end that somebody else gives it. */
const WAITS =
  /\bsetInterval\(|\.(listen|consume|subscribe|process|schedule|brpop|blpop|xread\w*)\(|\bserve\(|\bcreateServer\(|\bnew\s+(Worker|CronJob)\(/

/** True for a module that gives something to others and does nothing by itself: whoever does not import it may do without it. */
export function onlyDeclares({ source, program, exports, exportsAll }: Module): boolean {
  if (exports.size === 0 && exportsAll.length === 0) return false
  return !WAITS.test(source.text) && program.body.every((statement) => isDeclared(statement as Node))
}

function isDeclared(statement: Node): boolean {
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'FunctionDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
    case 'TSDeclareFunction':
    case 'TSImportEqualsDeclaration':
    case 'EmptyStatement':
      return true
    case 'ExportNamedDeclaration':
      return statement.declaration === null || isDeclared(statement.declaration as Node)
    case 'ExportDefaultDeclaration':
      return isMadeQuietly(statement.declaration as Node)
    case 'TSExportAssignment':
      return isMadeQuietly(statement.expression)
    case 'ClassDeclaration':
      return isMadeQuietly(statement)
    case 'VariableDeclaration':
      return statement.declarations.every(({ init }) => init === null || isMadeQuietly(init))
    case 'ExpressionStatement':
      return isQuiet(statement.expression as Node)
    default:
      return false
  }
}

/** `'use strict'`, `module.exports = …`, `exports.ask = …`. */
function isQuiet(expression: Node): boolean {
  if (expression.type === 'Literal') return true
  if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return false
  const { object, property } = expression.left
  const isExports = (node: Node) => node.type === 'Identifier' && (node.name === 'exports' || node.name === 'module')
  const isGiven = isExports(object) || (object.type === 'MemberExpression' && isExports(object.object) && property.type === 'Identifier')
  return isGiven && isMadeQuietly(expression.right)
}

/** True for a value that is made and starts nothing: a call that is given a function may keep it and call it, as may what decorates a class. */
export function isMadeQuietly(value: Node): boolean {
  const found = quiet.get(value) ?? looksQuiet(value)
  quiet.set(value, found)
  return found
}

const quiet = new WeakMap<Node, boolean>()

function looksQuiet(value: Node): boolean {
  let isQuietly = true
  walk(value, (node) => {
    if (node.type === 'Decorator' || node.type === 'AwaitExpression') isQuietly = false
    if (node.type === 'CallExpression' || node.type === 'NewExpression') isQuietly &&= !node.arguments.some((each) => holdsFunction(each))
    return isQuietly && !isFunctionNode(node)
  })
  return isQuietly
}

function holdsFunction(value: Node): boolean {
  let holds = false
  walk(value, (node) => {
    holds ||= isFunctionNode(node)
    return !holds
  })
  return holds
}
