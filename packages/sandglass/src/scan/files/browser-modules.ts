import type { Node } from 'oxc-parser'
import { type CallNode, type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import type { Project } from './project.js'
import { usersOf } from './users-of.js'

const BROWSER_PACKAGE =
  /^(react-dom|react-native|vue|pinia|svelte|solid-js|preact|jquery|swr|@tanstack\/(react|vue|svelte|solid)-query|@angular\/(core|common)|next\/(navigation|router|link|image)|expo)(\/|$)/
const SERVER_PACKAGE = /^(node:|server-only$|next\/(headers|server)$|express$|fastify$|koa$|@nestjs\/|hono$)/
const BUILTIN = /^(fs|path|http|https|net|tls|os|child_process|crypto|stream|cluster|worker_threads|async_hooks)(\/promises)?$/
/** Folders and names that only what runs in a browser has. */
const BROWSER_PATH =
  /(^|\/)(frontend|front-end|webapp|browser)\/|(^|\/)use(-[\w-]+|[A-Z]\w*)(\/index)?\.[jt]s$|(^|\/)service-?worker\.[cm]?[jt]s$/
const PAGE = /\b(window|document|localStorage|sessionStorage|navigator)\s*(\?\.|[.[])|[=(,]\s*window\b/
const PAGE_NAMES: ReadonlySet<string> = new Set(['window', 'document', 'localStorage', 'sessionStorage', 'navigator'])

/** Modules that run in a browser, where what Node's `fetch` does says nothing: by what they use, or because only such modules use what they give. */
export function browserModules(modules: readonly Module[], project: Project): ReadonlySet<Module> {
  const users = usersOf(modules, project)
  const found = new Set(modules.filter(isBrowser))
  const waiting = modules.filter((module) => !found.has(module) && !isServer(module))
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const module of waiting) {
      const by = [...(users.get(module) ?? [])]
      if (found.has(module) || by.length === 0 || !by.every((each) => found.has(each))) continue
      found.add(module)
      isGrowing = true
    }
  }
  return found
}

function isBrowser(module: Module): boolean {
  const { file, text } = module.source
  if (directiveOf(module) === 'use client') return true
  if (isServer(module)) return false
  return (
    BROWSER_PATH.test(file) ||
    /\.(vue|[jt]sx)$/.test(file) ||
    module.requests.some((request) => BROWSER_PACKAGE.test(request)) ||
    usesHooks(module) ||
    (PAGE.test(text) && usesPage(module)) ||
    module.calls.some((call) => isOfBrowser(call, module))
  )
}

/** `document.title`, where `document` is no name of the module's own, as every other program has one; `(function (w) { … })(window)`. */
function usesPage(module: Module): boolean {
  let found = false
  walk(module.program, (node) => {
    found ||= pageNamesIn(node).some((name) => !lookUp(name, scopeAt(node, module)))
    return !found
  })
  return found
}

function pageNamesIn(node: Node): readonly string[] {
  if (node.type === 'MemberExpression')
    return node.object.type === 'Identifier' && PAGE_NAMES.has(node.object.name) ? [node.object.name] : []
  const isWindow = (each: Node | null) => each?.type === 'Identifier' && each.name === 'window'
  if (node.type === 'CallExpression') return node.arguments.some(isWindow) ? ['window'] : []
  return node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && isWindow(node.init) ? ['window'] : []
}

/** `fetch('/api/…')`, which Node cannot find; `define(['jquery'], …)` of AMD. */
function isOfBrowser(call: CallNode, module: Module): boolean {
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') return false
  const { name } = call.callee
  const [first, second] = call.arguments
  if (name === 'define') return [first, second].some((arg) => arg?.type === 'ArrayExpression') && !lookUp(name, scopeAt(call, module))
  if (name !== 'fetch' || lookUp(name, scopeAt(call, module))) return false
  const text = first?.type === 'Literal' ? first.value : first?.type === 'TemplateLiteral' ? first.quasis[0]?.value.cooked : null
  return typeof text === 'string' && /^\/(?!\/)/.test(text)
}

function directiveOf({ program }: Module): string | null {
  const first = program.body[0] as Node | undefined
  return first?.type === 'ExpressionStatement' && 'directive' in first ? (first.directive ?? null) : null
}

/** Also what only browser code imports, where it says that it runs on the server. */
function isServer(module: Module): boolean {
  return directiveOf(module) === 'use server' || module.requests.some((request) => SERVER_PACKAGE.test(request) || BUILTIN.test(request))
}

/** `import { useState } from 'react'`; `react` alone is imported by servers too. */
function usesHooks({ requests, source }: Module): boolean {
  return requests.includes('react') && /\buse[A-Z]\w*\s*[(<]/.test(source.text)
}
