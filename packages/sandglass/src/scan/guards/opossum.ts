import { defaultMs, defaultOf } from '../../model/default-of.js'
import { settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { Guard } from './guard.js'
import { limitGuard, outsideName, type ReadWrapper, type Wrapping } from './wrapping.js'

/** `new CircuitBreaker(work, { timeout })` of opossum, and work that its `fire` hands in: it gives up, the work goes on unless it has an `abortController`. */
export const readOpossum: ReadWrapper = (wrapping) => {
  const { callee, args, index } = wrapping
  if (isBreaker(callee)) return index === 0 ? ofOptions(args[1], wrapping) : []
  if (callee.kind !== 'member' || callee.name !== 'fire') return null
  const { object } = callee
  return object.kind === 'made' && isBreaker(object.callee) ? ofOptions(object.args[1], wrapping) : null
}

function isBreaker(callee: Term): boolean {
  const name = outsideName(callee)
  return name === 'opossum:' || name === 'opossum:CircuitBreaker'
}

function ofOptions(options: Term | undefined, wrapping: Wrapping): readonly Guard[] {
  const { evaluator } = wrapping.reckoning
  const timeout = settingIn(options, 'timeout', evaluator)
  const hasController = settingIn(options, 'abortController', evaluator).state !== 'absent'
  const cancels = { cancels: hasController && wrapping.isTold }
  if (timeout.state === 'given') {
    const isOff = typeof timeout.value !== 'number' || timeout.value <= 0 || timeout.value === Number.POSITIVE_INFINITY
    return isOff ? [] : [limitGuard(wrapping, 'opossum', Number(timeout.value), cancels)]
  }
  if (timeout.state !== 'absent') return [limitGuard(wrapping, 'opossum', null, cancels)]
  const found = defaultOf('opossum', 'timeout', null)
  const ms = found.kind === 'known' ? defaultMs(found.row) : null
  return [limitGuard(wrapping, 'opossum', typeof ms === 'number' ? ms : null, { ...cancels, isDefault: true })]
}
