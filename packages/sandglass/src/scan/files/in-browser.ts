import type { Module } from '../syntax/module.js'
import { browserModules } from './browser-modules.js'
import type { Project } from './project.js'
import { serverPartsOf } from './server-parts.js'

/** A place in a text: of which only the start is looked at. */
export interface Place {
  readonly source: { readonly file: string }
  readonly start: number
}

/** Tells which places of a project run in a browser: all of a browser's module but what a server runs of it. */
export function inBrowserAmong(modules: readonly Module[], project: Project): (place: Place) => boolean {
  const byFile = new Map([...browserModules(modules, project)].map((module) => [module.source.file, module]))
  return ({ source, start }) => {
    const module = byFile.get(source.file)
    return module !== undefined && !serverPartsOf(module).nodes.some((node) => node.start <= start && start < node.end)
  }
}
