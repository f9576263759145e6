import type { Node } from 'oxc-parser'
import type { Source } from '../../model/sourced.js'
import { folderOf, tidyFolder } from '../lockfile/folder-path.js'
import type { Module } from '../syntax/module.js'
import type { Project } from './project.js'

/**
 * True for a module that asks, as it starts, for a file that was moved, or that moved itself: nothing stands in the folder that it names, and in another
 * one of its package the same path does. Something that is only made later has no such twin.
 */
export function cannotLoad(module: Module, project: Project): boolean {
  const found = known.get(module) ?? asksForMoved(module, project)
  known.set(module, found)
  return found
}

const known = new WeakMap<Module, boolean>()

function asksForMoved(module: Module, { sources, resolve, packageOf }: Project): boolean {
  const { file } = module.source
  const lost = askedAtStart(module).filter((request) => RELATIVE.test(request) && resolve(request, file).kind === 'nothing')
  return lost.some((request) => {
    const tail = tidyFolder(request.replace(UP, '')).replace(ENDING, '')
    const home = folderOf(tidyFolder(`${folderOf(file)}/${request}`))
    if (!tail.includes('/') || sources.some((source) => source.file.startsWith(`${home}/`))) return false
    return sources.some((source) => endsWith(source, tail) && packageOf(source.file) === packageOf(file))
  })
}

const RELATIVE = /^\.{1,2}\//
const UP = /^(\.{1,2}\/)+/
const ENDING = /\.[cm]?[jt]sx?$/

function endsWith({ file }: Source, tail: string): boolean {
  const stem = file.replace(ENDING, '')
  return stem !== file && `/${stem}`.endsWith(`/${tail}`)
}

/** What it imports before anything else of it runs; what is asked for in a function, or on trial, may never be. */
function askedAtStart({ program }: Module): readonly string[] {
  return program.body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return statement.importKind === 'type' ? [] : [statement.source.value]
    if (statement.type === 'ExpressionStatement') return requiredBy(statement.expression as Node)
    return statement.type === 'VariableDeclaration' ? statement.declarations.flatMap(({ init }) => (init ? requiredBy(init) : [])) : []
  })
}

/** `require('./a')`, `require('./a').b`, `require('./a')()`. */
function requiredBy(value: Node): readonly string[] {
  let of = value
  while (of.type === 'MemberExpression' || of.type === 'CallExpression') {
    if (of.type === 'MemberExpression') of = of.object
    else if (of.callee.type !== 'Identifier') of = of.callee
    else return of.callee.name === 'require' ? textOf(of.arguments[0] as Node | undefined) : []
  }
  return []
}

function textOf(node: Node | undefined): readonly string[] {
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}
