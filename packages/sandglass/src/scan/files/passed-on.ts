import { append } from '../../model/append.js'
import type { Module } from '../syntax/module.js'
import { passedOnBy } from './escaped-modules.js'
import type { Project } from './project.js'
import type { Users } from './used-only-there.js'

/** The modules that others only pass the names of on, where something uses each of those: whoever takes a name from there is seen. */
export function passedOnModules(modules: readonly Module[], project: Project, users: Users): ReadonlySet<Module> {
  const byFile = new Map(modules.map((module) => [module.source.file, module]))
  const passing = new Map<Module, Module[]>()
  for (const module of modules) {
    for (const request of new Set(passedOnBy(module))) {
      const to = project.resolve(request, module.source.file)
      const given = to.kind === 'file' ? byFile.get(to.file) : undefined
      if (given) append(passing, given, module)
    }
  }
  const found = new Set<Module>()
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const [module, by] of passing) {
      if (found.has(module) || !by.every((each) => users.has(each) || found.has(each))) continue
      found.add(module)
      isGrowing = true
    }
  }
  return found
}
