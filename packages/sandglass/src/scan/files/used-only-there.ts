import type { Module } from '../syntax/module.js'
import { functionAround } from '../terms/evaluator.js'
import { runsOnServer } from './runs-on-server.js'

/** Which modules use a module. */
export type Users = ReadonlyMap<Module, ReadonlySet<Module>>

/** Exports that a framework calls, though nobody imports them. */
const STARTED_EXPORT = /^(default|handler|main|loader|action|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL|get[A-Z]\w*(Props|Paths))$/

/** Those of `presumed` that nothing uses which is neither in `found` nor one of them. */
export function unlessUsedElsewhere(found: ReadonlySet<Module>, presumed: readonly Module[], users: Users): ReadonlySet<Module> {
  const kept = new Set(presumed)
  for (let isShrinking = true; isShrinking; ) {
    isShrinking = false
    for (const module of kept) {
      const isElsewhere = (user: Module) => !found.has(user) && !kept.has(user) && !isIdle(user, users)
      if (![...(users.get(module) ?? [])].some(isElsewhere)) continue
      kept.delete(module)
      isShrinking = true
    }
  }
  return kept
}

/** Those of `waiting` that only `found` ones use, or such as are used so themselves: what uses each other in a circle stands together. */
export function usedOnlyThere(found: ReadonlySet<Module>, waiting: readonly Module[], users: Users): ReadonlySet<Module> {
  const counted = (module: Module) => [...(users.get(module) ?? [])].filter((each) => found.has(each) || !isIdle(each, users))
  const by = new Map(waiting.map((module) => [module, counted(module)]))
  const presumed = new Set(waiting.filter((module) => (by.get(module) ?? []).length > 0))
  for (let isShrinking = true; isShrinking; ) {
    isShrinking = false
    for (const module of presumed) {
      if (by.get(module)?.every((each) => found.has(each) || presumed.has(each))) continue
      presumed.delete(module)
      isShrinking = true
    }
  }
  return reached(found, presumed, by)
}

/** What some way leads to; a circle that nothing else uses is not. */
function reached(
  found: ReadonlySet<Module>,
  presumed: ReadonlySet<Module>,
  by: ReadonlyMap<Module, readonly Module[]>,
): ReadonlySet<Module> {
  const there = new Set<Module>()
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const module of presumed) {
      if (there.has(module) || !by.get(module)?.some((each) => found.has(each) || there.has(each))) continue
      there.add(module)
      isGrowing = true
    }
  }
  return there
}

/** Nobody uses it and it does nothing by itself: a leftover that says nothing of where the modules run that it imports. */
function isIdle(module: Module, users: Users): boolean {
  const isStarted = [...module.exports.keys()].some((name) => STARTED_EXPORT.test(name)) || module.exports.has('=')
  return !users.has(module) && !isStarted && !runsOnServer(module) && module.calls.every((call) => functionAround(call) !== null)
}
