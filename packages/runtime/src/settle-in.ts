import { hasUnreadBody, onBodyEnd } from './body.js'
import { runIn } from './context.js'
import { endingError, type Scope } from './scope.js'

/**
 * Runs `fn` in `scope` and settles as it does, or with a `SandglassError` as soon as the scope ends early; then the scope is closed.
 * A value with a body still to be read keeps the scope until its deadline: the bound covers the body.
 */
export function settleIn<T>(scope: Scope, fn: () => T | PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (scope.ending !== undefined) return reject(endingError(scope.ending, scope, 'not-sent'))
    const before = scope.owner
    scope.owner = {
      onScopeEnd(ended, ending) {
        before?.onScopeEnd(ended, ending)
        reject(endingError(ending, ended))
      },
    }
    const answered = (value: T): void => {
      if (scope.hasSignal && scope.endsAt !== Infinity && hasUnreadBody(value)) onBodyEnd(value, () => scope.close())
      else scope.close()
      resolve(value)
    }
    const failed = (error: unknown): void => {
      scope.close()
      reject(error)
    }
    try {
      const value = startIn(scope, fn)
      if (isThenable(value)) value.then(answered, failed)
      else answered(value)
    } catch (error) {
      failed(error)
    }
  })
}

function startIn<T>(scope: Scope, fn: () => T | PromiseLike<T>): T | PromiseLike<T> {
  const value = runIn(scope, fn)
  return value instanceof Promise || !isThenable(value) ? value : runIn(scope, promiseOf, value)
}

/**
 * A promise for a foreign thenable, to be made in the scope of its work: a query builder begins only when its `then` is called. And
 * whatever that `then` does (throws, calls back twice, answers with another thenable), the promise settles once, with a value.
 */
export function promiseOf<T>(thenable: PromiseLike<T>): Promise<T> {
  return Promise.resolve(thenable)
}

/** Whether a value is to be waited for, as `await` sees it. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') && typeof (value as PromiseLike<T>).then === 'function'
  )
}
