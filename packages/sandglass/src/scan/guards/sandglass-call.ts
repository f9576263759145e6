import { defaultMs, defaultOf } from '../../model/default-of.js'
import { settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { Guard } from './guard.js'
import { limitGuard, outsideName, type ReadWrapper, retryGuard, type Wrapping } from './wrapping.js'

/** `call(name, options, work)` and `withDeadline(options, work)` of `@sandglass/runtime`. */
export const readSandglassCall: ReadWrapper = (wrapping) => {
  switch (outsideName(wrapping.callee)) {
    case '@sandglass/runtime:call':
      return wrapping.index === 2 ? ofCall(wrapping.args[1], wrapping) : []
    case '@sandglass/runtime:withDeadline':
      return wrapping.index === 1 ? [limitGuard(wrapping, 'withDeadline', writtenMs(wrapping.args[0], 'budgetMs', wrapping))] : []
    default:
      return null
  }
}

function ofCall(options: Term | undefined, wrapping: Wrapping): readonly Guard[] {
  const timeout = settingIn(options, 'timeoutMs', wrapping.reckoning.evaluator)
  const isOff = timeout.state === 'given' && timeout.value === Number.POSITIVE_INFINITY
  if (isOff) return attemptsOf(options, wrapping)
  const isDefault = timeout.state === 'absent'
  const ms = isDefault ? loneMs() : writtenMs(options, 'timeoutMs', wrapping)
  return [...attemptsOf(options, wrapping), limitGuard(wrapping, 'call', ms, { isDefault })]
}

function attemptsOf(options: Term | undefined, wrapping: Wrapping): readonly Guard[] {
  const attemptMs = writtenMs(options, 'attemptMs', wrapping)
  const attempts = writtenMs(options, 'attempts', wrapping)
  const each = attemptMs === null ? [] : [limitGuard(wrapping, 'call', attemptMs)]
  return attempts === null || attempts < 2
    ? each
    : [...each, retryGuard(wrapping, { name: 'call', count: attempts, waits: null, isDefault: false })]
}

function writtenMs(options: Term | undefined, setting: string, { reckoning }: Wrapping): number | null {
  const found = settingIn(options, setting, reckoning.evaluator)
  return found.state === 'given' && typeof found.value === 'number' ? found.value : null
}

function loneMs(): number | null {
  const found = defaultOf('@sandglass/runtime', 'timeoutMs', null)
  const ms = found.kind === 'known' ? defaultMs(found.row) : null
  return typeof ms === 'number' ? ms : null
}
