import type { Module } from '../syntax/module.js'
import { idleRequests } from './idle-requests.js'
import { listedFoldersIn } from './listed-folders.js'
import { isLoadedByPlace } from './loaded-by-place.js'
import { namedFiles } from './named-files.js'
import { onlyDeclares } from './only-declares.js'
import type { Project } from './project.js'

/** What is known of a project beside its modules. */
export interface UnusedAmong {
  readonly project: Project
  /** Files whose uses do not count: tests. */
  readonly isOfTests: (file: string) => boolean
  /** What is no source names the file: a script, a configuration. */
  readonly isNamedOutside: (file: string) => boolean
}

/**
 * The modules that nothing uses: they only declare, no other one takes anything out of them but such as nothing uses either, and nothing names
 * them or loads what is in their folder.
 */
export function unusedModules(modules: readonly Module[], { project, isOfTests, isNamedOutside }: UnusedAmong): ReadonlySet<Module> {
  const counted = modules.filter(({ source }) => !isOfTests(source.file))
  const byFile = new Map(counted.map((module) => [module.source.file, module]))
  const unused = new Set(counted)
  const use = (first: Module) => {
    const waiting = [first]
    for (let module = waiting.pop(); module; module = waiting.pop()) {
      if (!unused.delete(module)) continue
      const idle = idleRequests(module)
      for (const request of new Set(module.requests)) {
        const to = idle.has(request) ? null : project.resolve(request, module.source.file)
        const used = to?.kind === 'file' ? byFile.get(to.file) : undefined
        if (used) waiting.push(used)
      }
    }
  }
  const isListed = listedFoldersIn(project, isOfTests)
  for (const module of counted) if (!onlyDeclares(module) || isLoadedByPlace(module, project, isListed)) use(module)
  const isNamed = namedFiles(project, isOfTests)
  for (const module of [...unused]) if (unused.has(module) && (isNamed(module) || isNamedOutside(module.source.file))) use(module)
  return unused
}
