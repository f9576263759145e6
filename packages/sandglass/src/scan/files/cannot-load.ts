import type { Node } from 'oxc-parser'
import type { Source } from '../../model/sourced.js'
import { folderOf, tidyFolder } from '../lockfile/folder-path.js'
import type { Module } from '../syntax/module.js'
import type { Project } from './project.js'

/**
 * True for a module that asks, as it starts, for what was moved: for a file, where nothing stands in the folder that it names and the same path does
 * in another one of its package; or for a package that no manifest and no lockfile has, where its package has the one that came after it. What is only
 * made later has no such twin.
 */
export function cannotLoad(module: Module, project: Project): boolean {
  const found = known.get(module) ?? (asksForMoved(module, project) || asksForReplaced(module, project))
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

/** Packages that others came after, which nobody needs beside them. */
const AFTER: ReadonlyMap<string, RegExp> = new Map([
  ['grpc', /^@grpc\/grpc-js$/],
  ['mysql', /^mysql2$/],
  ['bull', /^bullmq$/],
  ['kue', /^(bull|bullmq)$/],
  ['elasticsearch', /^@elastic\/elasticsearch$/],
  ['raven', /^@sentry\/node$/],
  ['hapi', /^@hapi\/hapi$/],
  ['wreck', /^@hapi\/wreck$/],
  ['request', /^(axios|got|node-fetch|undici|postman-request)$/],
  ['request-promise', /^(axios|got|node-fetch|undici|postman-request)$/],
  ['request-promise-native', /^(axios|got|node-fetch|undici|postman-request)$/],
  ['google-cloud', /^@google-cloud\//],
  ['azure-storage', /^@azure\/storage-/],
])

function asksForReplaced(module: Module, project: Project): boolean {
  const { file } = module.source
  const needed = project.manifestOf(file)?.dependencies ?? new Set()
  return askedAtStart(module).some((request) => {
    const after = AFTER.get(request)
    if (!after || ![...needed].some((name) => after.test(name) && project.versionOf(name, file) !== null)) return false
    return project.resolve(request, file).kind === 'package' && project.versionOf(request, file) === null && !namesIn(project).has(request)
  })
}

/** The names of all packages that a project needs or holds, and of its folders and files, which a setting may let others import by them. */
function namesIn({ sources, manifestOf }: Project): ReadonlySet<string> {
  const before = named.get(sources)
  if (before) return before
  const manifests = new Set(sources.flatMap(({ file }) => manifestOf(file) ?? []))
  const needed = [...manifests].flatMap(({ name, dependencies }) => [...(name === null ? [] : [name]), ...dependencies])
  const found = new Set([...needed, ...sources.flatMap(({ file }) => file.replace(ENDING, '').split('/'))])
  named.set(sources, found)
  return found
}

const named = new WeakMap<readonly Source[], ReadonlySet<string>>()

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
