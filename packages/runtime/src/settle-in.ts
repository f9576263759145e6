import { hasUnreadBody, onBodyEnd } from './body.js'
import { runIn } from './context.js'
import { endingError, type Scope } from './scope.js'

/**
 * Runs `fn` in `scope` and settles as it does, or with a `SandglassError` as soon as the scope ends early; then the scope is closed.
 * A value with a body still to be read keeps the scope until its deadline: the bound covers the body.
 */
export function settleIn<T>(scope: Scope, fn: () => T | PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (scope.ending !== undefined) return reject(endingError(scope.ending, scope))
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
      const value = runIn(scope, fn)
      if (isThenable(value)) value.then(answered, failed)
      else answered(value)
    } catch (error) {
      failed(error)
    }
  })
}

/** Whether a value is to be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<T>).then === 'function'
}
