import { settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { Guard } from './guard.js'
import { numberOf, type Span } from './reckon.js'
import { limitGuard, outsideName, retryGuard, type Wrapping } from './wrapping.js'

/** What `observable.pipe(timeout(500), retry(2))` does to the call that the observable makes. */
export function guardsOfPipe(wrapping: Wrapping): readonly Guard[] {
  return wrapping.args.flatMap((operator) => {
    if (operator.kind !== 'made') return []
    const name = outsideName(operator.callee)?.replace(/^rxjs\/operators:/, 'rxjs:')
    if (name === 'rxjs:timeout' || name === 'rxjs:timeoutWith') return ofTimeout(operator.args[0], wrapping)
    return name === 'rxjs:retry' ? ofRetry(operator.args[0], wrapping) : []
  })
}

/** It unsubscribes, which ends an HTTP call. `first` and `each` limit a call with one answer alike. */
function ofTimeout(options: Term | undefined, wrapping: Wrapping): readonly Guard[] {
  const { evaluator } = wrapping.reckoning
  const written = options?.kind === 'object' ? [settingIn(options, 'first', evaluator), settingIn(options, 'each', evaluator)] : []
  const given = written.find(({ state }) => state === 'given')
  const ms = given?.state === 'given' ? Number(given.value) : numberOf(options)
  return [limitGuard(wrapping, 'timeout of rxjs', ms, { cancels: true })]
}

function ofRetry(options: Term | undefined, wrapping: Wrapping): readonly Guard[] {
  const { evaluator } = wrapping.reckoning
  const retries = options === undefined ? Number.POSITIVE_INFINITY : (numberOf(options) ?? countIn(options, wrapping))
  const delay = options?.kind === 'object' ? settingIn(options, 'delay', evaluator) : null
  const ms =
    delay === null || delay.state === 'absent' ? 0 : delay.state === 'given' && typeof delay.value === 'number' ? delay.value : null
  const waits = retries === null || ms === null || retries > 1000 ? null : Array.from({ length: retries }, (): Span => [ms, ms])
  const count = retries === null ? null : retries + 1
  return [retryGuard(wrapping, { name: 'retry of rxjs', count, waits, isDefault: options === undefined })]
}

function countIn(options: Term, { reckoning }: Wrapping): number | null {
  const count = settingIn(options, 'count', reckoning.evaluator)
  if (count.state === 'absent') return Number.POSITIVE_INFINITY
  return count.state === 'given' && typeof count.value === 'number' ? count.value : null
}
