import { AsyncLocalStorage } from 'node:async_hooks'
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

/**
 * Keeps the whole asynchronous context of here, other libraries' stores included: what it returns runs one function in it, a microtask later.
 * The reaction of a promise runs where it was attached, which costs a fortieth of `AsyncLocalStorage.snapshot()` on Node 20.
 */
export function keepContext(): (fn: () => void) => void {
  let open: (fn: () => void) => void = () => undefined
  const gate = new Promise<() => void>((resolve) => {
    open = resolve
  })
  void gate.then((fn) => fn())
  return open
}

/** A controller whose signal may have any number of listeners without a warning: many calls of one request listen to it. */
export function createController(): AbortController {
  const controller = new AbortController()
  if (WARNS_OF_LISTENERS) setMaxListeners(0, controller.signal)
  return controller
}
