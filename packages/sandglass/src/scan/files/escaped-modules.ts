import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { outermost, walk } from '../syntax/walk.js'
import type { Project } from './project.js'

/** The modules that something takes as a whole and hands on, so that any of their exports may be called by whoever gets them. */
export function escapedModules(modules: readonly Module[], project: Project): ReadonlySet<Module> {
  const byFile = new Map(modules.map((module) => [module.source.file, module]))
  const found = new Set<Module>()
  const waiting: Module[] = []
  const take = (request: string, from: Module) => {
    const to = project.resolve(request, from.source.file)
    const module = to.kind === 'file' ? byFile.get(to.file) : undefined
    if (!module || found.has(module)) return
    found.add(module)
    waiting.push(module)
  }
  for (const module of modules) for (const request of escapingFrom(module)) take(request, module)
  for (let next = waiting.pop(); next; next = waiting.pop()) for (const request of passedOnBy(next)) take(request, next)
  return found
}

/** What a module only passes the names of on, or all of them. */
export function passedOnBy({ exports, exportsAll, scope }: Module): readonly string[] {
  const named = [...exports.values()].flatMap((given) => {
    if (given.kind === 'from') return [given.request]
    const binding = given.kind === 'local' ? scope.names.get(given.name)?.binding : undefined
    return binding?.kind === 'import' ? [binding.request] : []
  })
  return [...exportsAll, ...named]
}

function escapingFrom(module: Module): readonly string[] {
  const found: string[] = []
  for (const declared of module.scope.names.values()) {
    const { binding } = declared
    if (binding.kind === 'import' && binding.name === '*' && !isOnlyAskedForMembers(declared, module)) found.push(binding.request)
  }
  for (const given of module.exports.values()) if (given.kind === 'from' && given.name === '*') found.push(given.request)
  for (const call of module.calls) {
    if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'require') continue
    const request = textOf(call.arguments[0] as Node | undefined)
    if (request !== null && escapes(call, module)) found.push(request)
  }
  if (/\bimport\s*\(/.test(module.source.text)) {
    walk(module.program, (node) => {
      const request = node.type === 'ImportExpression' ? textOf(node.source) : null
      if (request !== null && escapes(node, module)) found.push(request)
      return true
    })
  }
  return found
}

function textOf(node: Node | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

/** True unless single names are taken out of what is loaded. */
function escapes(loaded: Node, module: Module): boolean {
  const value = outermost(loaded)
  const above = value.parent
  if (above?.type === 'ExpressionStatement') return false
  if (above?.type === 'MemberExpression') return above.computed || above.object !== value
  if (above?.type !== 'VariableDeclarator') return true
  if (above.id.type === 'ObjectPattern') return above.id.properties.some((each) => each.type === 'RestElement')
  const declared = above.id.type === 'Identifier' ? lookUp(above.id.name, scopeAt(above, module)) : null
  return declared === null || !isOnlyAskedForMembers(declared, module)
}

function isOnlyAskedForMembers(declared: Declared, module: Module): boolean {
  if ([...module.exports.values()].some((given) => given.kind === 'local' && given.name === declared.name)) return false
  return referencesOf(declared, module).every(
    (each) => each.parent?.type === 'MemberExpression' && each.parent.object === each && !each.parent.computed,
  )
}
