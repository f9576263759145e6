import { findProperty } from '../terms/property.js'
import type { Term } from '../terms/term.js'
import { numberOf } from './reckon.js'
import { limitGuard, outsideName, type ReadWrapper } from './wrapping.js'

interface TimeoutLibrary {
  readonly name: string
  /** Which argument is the work. */
  readonly work: number
  /** Which argument is the time, or the options that hold it under `setting`. */
  readonly ms: number
  readonly setting?: string
}

const LIBRARIES: Readonly<Record<string, TimeoutLibrary>> = {
  'p-timeout:': { name: 'pTimeout', work: 0, ms: 1, setting: 'milliseconds' },
  'p-timeout:pTimeout': { name: 'pTimeout', work: 0, ms: 1, setting: 'milliseconds' },
  'promise-timeout:timeout': { name: 'timeout', work: 0, ms: 1 },
  'es-toolkit:withTimeout': { name: 'withTimeout', work: 0, ms: 1 },
  'es-toolkit/promise:withTimeout': { name: 'withTimeout', work: 0, ms: 1 },
}

/** Libraries whose calls have `cancel`, which p-timeout calls. */
const CANCELABLE: ReadonlySet<string> = new Set(['got'])

/** Packages that race some work against a timer: they clear it, and tell the work nothing. */
export const readTimeoutLibrary: ReadWrapper = (wrapping) => {
  const library = LIBRARIES[outsideName(wrapping.callee) ?? '']
  if (!library) return null
  if (wrapping.index !== library.work) return []
  const ms = timeOf(wrapping.args[library.ms], library.setting)
  if (ms === Number.POSITIVE_INFINITY) return []
  const isCancelled = library.name === 'pTimeout' && CANCELABLE.has(wrapping.library)
  return [limitGuard(wrapping, library.name, ms, { cancels: wrapping.isTold || isCancelled })]
}

function timeOf(term: Term | undefined, setting: string | undefined): number | null {
  if (term?.kind !== 'object') return numberOf(term)
  const { value, mayBeReplacedBy } = findProperty(term, setting ?? '')
  return value && mayBeReplacedBy.length === 0 ? numberOf(value) : null
}
