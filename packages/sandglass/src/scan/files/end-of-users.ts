import type { Module } from '../syntax/module.js'
import { exportedAs } from './exported-as.js'
import { isNamedIn, placesOf } from './places-of.js'
import type { Project } from './project.js'
import { functionAt, isOnlyNamedAt } from './top-function.js'
import type { Users } from './used-only-there.js'

/**
 * After how many ms the platform ends all that calls the function around a place: one of a file whose other functions are for others too, which only
 * functions of the platform name. Null where anything else names it.
 */
export function endOfUsers(
  place: number,
  module: Module,
  { project, users, endOf }: { readonly project: Project; readonly users: Users; readonly endOf: (module: Module) => number | null },
): number | null {
  const top = functionAt(place, module)
  if (!top) return null
  const [name, ...others] = exportedAs(top, module)
  if (name !== top.name || others.length > 0) return null
  const isElsewhere = (at: number) => functionAt(at, module)?.node !== top.node && !isOnlyNamedAt(at, module)
  if (placesOf(name, module.source).some(isElsewhere)) return null
  const using = [...(users.get(module) ?? [])]
  const byFile = new Map(using.map((user) => [user.source.file, user]))
  const ends: (number | null)[] = []
  for (const source of project.sources) {
    if (source.file === module.source.file || !isNamedIn(name, source) || placesOf(name, source).length === 0) continue
    const user = byFile.get(source.file)
    ends.push(user ? endOf(user) : null)
  }
  return ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map((ms) => ms ?? 0))
}
