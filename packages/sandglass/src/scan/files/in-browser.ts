import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { browserModules } from './browser-modules.js'
import { givenToPage } from './given-to-page.js'
import { handedByPagesAmong } from './handed-by-pages.js'
import type { Project } from './project.js'
import { serverPartsOf } from './server-parts.js'

/** A place in a text: of which only the start is looked at. */
export interface Place {
  readonly source: { readonly file: string }
  readonly start: number
}

/** Tells which places of a project run in a browser: all of a browser's module but what a server runs of it, what a server has a page run, and what only pages hand to functions of others. */
export function inBrowserAmong(modules: readonly Module[], project: Project): (place: Place) => boolean {
  const browsers = browserModules(modules, project)
  const byFile = new Map(modules.map((module) => [module.source.file, module]))
  const isHandedByPages = handedByPagesAmong(modules, project, browsers)
  const given = new Map<Module, readonly Node[]>()
  const partsOf = (module: Module): readonly Node[] => {
    const parts = given.get(module) ?? givenToPage(module)
    given.set(module, parts)
    return parts
  }
  return ({ source, start }) => {
    const module = byFile.get(source.file)
    if (!module) return false
    return browsers.has(module)
      ? !isWithin(serverPartsOf(module).nodes, start)
      : isWithin(partsOf(module), start) || isHandedByPages(start, module)
  }
}

function isWithin(nodes: readonly Node[], start: number): boolean {
  return nodes.some((node) => node.start <= start && start < node.end)
}
