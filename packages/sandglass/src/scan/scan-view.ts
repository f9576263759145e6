import type { Spot } from '../model/sourced.js'
import type { SiteFinder } from './calls/find-site.js'
import type { Guard } from './guards/guard.js'
import type { Judged } from './limits/outcome.js'
import type { Reading } from './limits/reading.js'
import type { ClientUses, Site } from './models/library-model.js'
import type { CallNode, Module } from './syntax/module.js'
import type { FunctionNode } from './syntax/scope.js'
import type { Evaluator } from './terms/evaluator.js'
import type { Term } from './terms/term.js'

/** A call of a library with all that is known of it; the same call may be seen once for each of its function's callers. */
export interface SeenCall {
  readonly site: Site
  readonly reading: Reading
  /** Without what stands around it. */
  readonly own: Judged
  /** With it: how long the caller waits. */
  readonly judged: Judged
  readonly guards: readonly Guard[]
  /** The call of the scanned code's own function that gave the arguments; null where they do not depend on a caller. */
  readonly caller: Caller | null
  /** It is a client that is judged where it is made. */
  readonly isClient: boolean
}

/** A call of a function of the scanned code. */
export interface Caller {
  readonly node: CallNode
  readonly module: Module
  readonly args: readonly Term[]
  readonly self: Term | null
}

/** What a rule of `scan` looks at. */
export interface ScanView {
  readonly calls: readonly SeenCall[]
  /** The files that are judged: no tests, no declarations. */
  readonly modules: readonly Module[]
  readonly evaluator: Evaluator
  readonly uses: ClientUses
  readonly finder: SiteFinder
  readonly callersOf: (of: FunctionNode) => readonly Caller[]
  /** True for a place that holds up nobody who is served: nothing calls it, somebody starts it by hand, only development runs it. */
  readonly isAside: (spot: Spot) => boolean
  /** True for a place that runs in a browser. */
  readonly isInBrowser: (spot: Spot) => boolean
  /** What every journey has, where the user says it; null where not. */
  readonly budgetMs: number | null
  /** How long what stands before the servers keeps an idle connection, where the user says it; null where not. */
  readonly proxyIdleMs: number | null
}
