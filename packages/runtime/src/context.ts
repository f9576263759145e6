import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import type { Scope } from './scope.js'

/** Node 20 and 22 warn at the eleventh listener of a signal, later ones do not; saying so costs a quarter of the controller. */
const WARNS_OF_LISTENERS = Number(process.versions.node.split('.')[0]) < 24

const COPIES = Symbol.for('sandglass.runtime.copies')

// One store for the whole package: each further one would cost every `await` of the process on Node 20.
const storage = new AsyncLocalStorage<Scope | undefined>()

// A second copy has a store of its own, so deadlines would silently stop at the border between the two: said loudly, once for each.
const copies = ((globalThis as { [COPIES]?: { count: number } })[COPIES] ??= { count: 0 })
copies.count += 1
if (copies.count > 1)
  process.emitWarning(
    `${copies.count} copies of @sandglass/runtime are loaded; deadlines do not cross from one to another. Run "npm dedupe".`,
  )

/** The scope this code runs in, or undefined outside of any. */
export function currentScope(): Scope | undefined {
  return storage.getStore()
}

/** Runs `fn(...args)` in `scope`; always by `run`, never by entering, so nothing leaks into what runs next. */
export function runIn<Args extends readonly unknown[], T>(scope: Scope | undefined, fn: (...args: Args) => T, ...args: Args): T {
  return storage.run(scope, fn, ...args)
}

/** As `runIn`, with the arguments of a call as they came: what is passed through is not copied twice. */
export function runCall<Context, Args extends readonly unknown[], T>(
  scope: Scope,
  fn: (context: Context, ...args: Args) => T,
  context: Context,
  args: Args,
): T {
  return storage.run(scope, fn, context, ...args)
}

/** The whole asynchronous context of a place, other libraries' stores included. */
export interface KeptContext {
  runInAsyncScope<Args extends unknown[], T>(fn: (...args: Args) => T, receiver: undefined, ...args: Args): T
  /** To be called once, when it is not needed any more. */
  emitDestroy(): unknown
}

/** Keeps the context of here for what runs later and elsewhere. About 50 ns; `AsyncLocalStorage.snapshot()` takes 10 µs on Node 20 and 3 on Node 24. */
export function keepContext(): KeptContext {
  return new AsyncResource('SandglassCall', { requireManualDestroy: true })
}

/** A controller whose signal may have any number of listeners without a warning: many calls of one request listen to it. */
export function createController(): AbortController {
  const controller = new AbortController()
  if (WARNS_OF_LISTENERS) setMaxListeners(0, controller.signal)
  return controller
}
