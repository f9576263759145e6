import type { CallersOf } from './callers.js'
import type { Guard } from './guard.js'
import type { Site } from './library-model.js'
import type { Caller } from './scan-view.js'
import type { Module } from './syntax/module.js'
import type { Evaluator } from './terms/evaluator.js'

/** What finding guards needs. */
export interface Guarding {
  readonly evaluator: Evaluator
  readonly callersOf: CallersOf
}

/** What stands around the calls of some modules, from the inside out. */
export function guardsAmong(_modules: readonly Module[], _guarding: Guarding): (site: Site, caller: Caller | null) => readonly Guard[] {
  return () => []
}
