import type { Class, Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { exportedAs } from './exported-as.js'
import { isTestPath } from './is-test-path.js'
import { isNamedIn, placesOf } from './places-of.js'
import type { Project } from './project.js'
import { functionAt, isOnlyNamedAt, type TopFunction } from './top-function.js'

interface OwnClass {
  readonly name: string
  readonly node: Class
  readonly home: Module
}

/**
 * Tells which places stand in a function that only runs in a browser, as it is handed an instance of a class that only pages make, or a function that
 * only pages call: `load(context: RemoteContext)`.
 */
export function handedByPagesAmong(modules: readonly Module[], project: Project, browsers: ReadonlySet<Module>) {
  const byFile = new Map(modules.map((module) => [module.source.file, module]))
  const known = new Map<Class, boolean>()
  const sources = project.sources.filter(({ file }) => !isTestPath(file))
  const classOf = (param: Node, module: Module): OwnClass | null => {
    const name = typeNameOf(param)
    const binding = name === null ? undefined : lookUp(name, scopeAt(param, module))?.binding
    if (name === null || !binding) return null
    if (binding.kind === 'class') return { name, node: binding.node, home: module }
    const to = binding.kind === 'import' && binding.name === name ? project.resolve(binding.request, module.source.file) : null
    const home = to?.kind === 'file' ? byFile.get(to.file) : undefined
    const there = home?.scope.names.get(name)?.binding
    return home && there?.kind === 'class' ? { name, node: there.node, home } : null
  }
  /** Whatever uses the function is a page; those that only pass its name on use nothing. */
  const isCalledOnPages = (top: TopFunction, home: Module): boolean => {
    const [name, ...others] = exportedAs(top, home)
    if (name !== top.name || others.length > 0 || project.manifestOf(home.source.file)?.isForOthers !== false) return false
    const users = sources.flatMap((source) => {
      if (!isNamedIn(name, source)) return []
      const user = byFile.get(source.file)
      const isUsed = placesOf(name, source).some(
        (place) => !user || (!isOnlyNamedAt(place, user) && functionAt(place, user)?.node !== top.node),
      )
      return isUsed ? [user] : []
    })
    return users.length > 0 && users.every((user) => user && browsers.has(user))
  }
  const isMadeAt = (place: number, maker: Module | undefined): boolean => {
    if (!maker || browsers.has(maker)) return maker !== undefined
    const top = functionAt(place, maker)
    return top !== null && isCalledOnPages(top, maker)
  }
  const isMadeOnPages = ({ name, node }: OwnClass): boolean => {
    const before = known.get(node)
    if (before !== undefined) return before
    const naming = sources.filter((source) => isNamedIn(name, source))
    const isExtended = naming.some(({ text }) => new RegExp(`\\bextends\\s+${name}\\b`).test(text))
    const makers = naming.flatMap(({ file, text }) =>
      [...text.matchAll(new RegExp(`\\bnew\\s+${name}\\b`, 'g'))].map(({ index }) => isMadeAt(index, byFile.get(file))),
    )
    const found = !isExtended && makers.length > 0 && makers.every((isOfPage) => isOfPage)
    known.set(node, found)
    return found
  }
  const isHanded = ({ params }: FunctionNode, module: Module): boolean =>
    params.some((param) => {
      const of = classOf(param as Node, module)
      return of !== null && isMadeOnPages(of)
    })
  const handed = new Map<Module, readonly FunctionNode[]>()
  return (place: number, module: Module): boolean => {
    const functions = handed.get(module) ?? functionsOf(module).filter((each) => isHanded(each, module))
    handed.set(module, functions)
    return functions.some(({ start, end }) => start <= place && place < end)
  }
}

function functionsOf({ scopes }: Module): readonly FunctionNode[] {
  return [...scopes.keys()].filter((node): node is FunctionNode => isFunctionNode(node))
}

function typeNameOf(param: Node): string | null {
  const annotation = param.type === 'Identifier' ? param.typeAnnotation?.typeAnnotation : null
  return annotation?.type === 'TSTypeReference' && annotation.typeName.type === 'Identifier' ? annotation.typeName.name : null
}
