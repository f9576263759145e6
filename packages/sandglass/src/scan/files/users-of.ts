import type { Module } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import type { Binding, Declared } from '../syntax/scope.js'
import type { Project } from './project.js'
import { serverPartsOf } from './server-parts.js'

/** What is asked of an import that takes a module as a whole: `import * as`, `require`, an import for its effects. */
const WHOLE = '*'

/** Which modules use a module, and what those parts of pages use that a server runs. */
export interface Users {
  readonly users: ReadonlyMap<Module, ReadonlySet<Module>>
  readonly usedOnServer: ReadonlySet<Module>
}

/** Which modules use something of a module; what only passes its names on uses nothing, and is looked through. */
export function usersOf(modules: readonly Module[], project: Project): Users {
  const homesOf = homesAmong(modules, project)
  const users = new Map<Module, Set<Module>>()
  const usedOnServer = new Set<Module>()
  for (const module of modules) {
    const { imports } = serverPartsOf(module)
    const homes = usesOf(module).flatMap((use) => [...homesOf(module, use.request, use.name)].map((home) => ({ use, home })))
    for (const { use, home } of homes) {
      users.set(home, (users.get(home) ?? new Set()).add(module))
      if (imports.has(use as Binding)) usedOnServer.add(home)
    }
  }
  return { users, usedOnServer }
}

interface Use {
  readonly request: string
  readonly name: string
}

/** What a module takes from others, and does not only pass on. */
function usesOf(module: Module): readonly Use[] {
  const uses: Use[] = []
  const named = new Set<string>(module.exportsAll)
  for (const each of module.exports.values()) if (each.kind === 'from') named.add(each.request)
  for (const declared of module.scope.names.values()) {
    const { binding } = declared
    if (binding.kind !== 'import') continue
    named.add(binding.request)
    if (!isType(binding.node) && !isOnlyPassedOn(declared, module)) uses.push(binding)
  }
  for (const request of new Set(module.requests)) if (!named.has(request)) uses.push({ request, name: WHOLE })
  return uses
}

/** `import { log } from './log'` before `export { log }`. */
function isOnlyPassedOn(declared: Declared, module: Module): boolean {
  const isGiven = [...module.exports.values()].some((each) => each.kind === 'local' && each.name === declared.name)
  return isGiven && referencesOf(declared, module).every(({ parent }) => parent?.type === 'ExportSpecifier')
}

function isType(node: object): boolean {
  const { importKind, parent } = node as { importKind?: string; parent?: { importKind?: string } }
  return importKind === 'type' || parent?.importKind === 'type'
}

/** The modules that what is imported under a name comes from: the one that declares it, and the one that it is imported from. */
function homesAmong(modules: readonly Module[], project: Project) {
  const byFile = new Map(modules.map((module) => [module.source.file, module]))
  const known = new Map<string, ReadonlySet<Module>>()
  const leadsTo = (request: string, from: Module): Module | null => {
    const to = project.resolve(request, from.source.file)
    return (to.kind === 'file' && byFile.get(to.file)) || null
  }
  /** Empty where the module gives nothing under that name. */
  const declaredBy = (module: Module, name: string, asked: ReadonlySet<string>): ReadonlySet<Module> => {
    const key = `${module.source.file}:${name}`
    const before = known.get(key)
    if (before) return before
    if (asked.has(key)) return new Set()
    const found = lookedUp(module, name, new Set([...asked, key]))
    known.set(key, found)
    return found
  }
  const passedOn = (module: Module, request: string, name: string, asked: ReadonlySet<string>): ReadonlySet<Module> => {
    const to = leadsTo(request, module)
    return to ? declaredBy(to, name, asked) : new Set()
  }
  const lookedUp = (module: Module, name: string, asked: ReadonlySet<string>): ReadonlySet<Module> => {
    if (name === WHOLE) {
      const named = [...module.exports].map(([each]) => lookedUp(module, each, asked))
      return union([new Set([module]), ...named, ...module.exportsAll.map((each) => passedOn(module, each, WHOLE, asked))])
    }
    const given = module.exports.get(name)
    if (given?.kind === 'from') return passedOn(module, given.request, given.name, asked)
    const binding = given?.kind === 'local' ? module.scope.names.get(given.name)?.binding : undefined
    if (binding?.kind === 'import') return passedOn(module, binding.request, binding.name, asked)
    return given ? new Set([module]) : union(module.exportsAll.map((each) => passedOn(module, each, name, asked)))
  }
  return (from: Module, request: string, name: string): ReadonlySet<Module> => {
    const to = leadsTo(request, from)
    return to ? union([new Set([to]), declaredBy(to, name, new Set())]) : new Set()
  }
}

function union(all: readonly ReadonlySet<Module>[]): ReadonlySet<Module> {
  return new Set(all.flatMap((each) => [...each]))
}
