import { defaultCount, defaultMs, defaultOf } from '../../model/default-of.js'
import { settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import { numberOf, type Span } from './reckon.js'
import { outsideName, type ReadWrapper, retryGuard, type Wrapping } from './wrapping.js'

/** The settings of a library that tries again, as its options and the table of defaults name them. */
interface RetryLibrary {
  readonly name: string
  readonly system: string
  readonly count: string
  /** The number counts all attempts, not only those after the first. */
  readonly isAttempts?: boolean
  readonly first: string
  readonly factor?: string
  readonly most?: string
  /** Each wait may be so many times as long, by chance. */
  readonly randomizes?: 'by option' | 'by default'
  /** A number in place of the options is the count. */
  readonly isNumber?: boolean
}

const P_RETRY: RetryLibrary = {
  name: 'pRetry',
  system: 'p-retry',
  count: 'retries',
  first: 'minTimeout',
  factor: 'factor',
  most: 'maxTimeout',
  randomizes: 'by option',
}
const EXPONENTIAL: RetryLibrary = {
  name: 'backOff',
  system: 'exponential-backoff',
  count: 'numOfAttempts',
  isAttempts: true,
  first: 'startingDelay',
  factor: 'timeMultiple',
  most: 'maxDelay',
}
const ES_TOOLKIT: RetryLibrary = { name: 'retry', system: 'es-toolkit', count: 'retries', first: 'delay', isNumber: true }

const LIBRARIES: Readonly<Record<string, RetryLibrary>> = {
  'p-retry:': P_RETRY,
  'p-retry:pRetry': P_RETRY,
  'p-retry:makeRetriable': P_RETRY,
  'async-retry:': { ...P_RETRY, name: 'async-retry', system: 'retry', randomizes: 'by default' },
  'promise-retry:': { ...P_RETRY, name: 'promise-retry', system: 'retry' },
  'exponential-backoff:backOff': EXPONENTIAL,
  'es-toolkit:retry': ES_TOOLKIT,
  'es-toolkit/function:retry': ES_TOOLKIT,
}

/** More attempts than this are not counted one by one. */
const MAX_ATTEMPTS = 10_000

/** Packages that call a function again until it succeeds. */
export const readRetryLibrary: ReadWrapper = (wrapping) => {
  const library = LIBRARIES[outsideName(wrapping.callee) ?? '']
  if (!library) return null
  const options = wrapping.args[wrapping.index === 0 ? 1 : 0]
  const count = countOf(library, options, wrapping)
  const waits = count.value === null || count.value > MAX_ATTEMPTS ? null : waitsOf(library, options, count.value - 1, wrapping)
  const isEndedTogether = ['maxRetryTime', 'signal'].some(
    (name) => settingIn(options, name, wrapping.reckoning.evaluator).state !== 'absent',
  )
  return [retryGuard(wrapping, { name: library.name, count: count.value, waits, isDefault: count.isDefault, isEndedTogether })]
}

function countOf(library: RetryLibrary, options: Term | undefined, wrapping: Wrapping): { value: number | null; isDefault: boolean } {
  const more = library.isAttempts ? 0 : 1
  if (library.isNumber && options && numberOf(options) !== null) return { value: (numberOf(options) ?? 0) + more, isDefault: false }
  if (settingIn(options, 'forever', wrapping.reckoning.evaluator).state === 'given')
    return { value: Number.POSITIVE_INFINITY, isDefault: false }
  const { value, isDefault } = numberIn(library, options, library.count, wrapping)
  return { value: value === null ? null : Math.max(1, value + more), isDefault }
}

function waitsOf(library: RetryLibrary, options: Term | undefined, retries: number, wrapping: Wrapping): readonly Span[] | null {
  const number = (setting: string | undefined, otherwise: number) =>
    setting === undefined ? otherwise : numberIn(library, options, setting, wrapping).value
  const [first, factor, most] = [number(library.first, 0), number(library.factor, 1), number(library.most, Number.POSITIVE_INFINITY)]
  const stretch = stretchOf(library, options, wrapping)
  if (first === null || factor === null || most === null || stretch === null) return null
  return Array.from({ length: retries }, (_, k): Span => {
    const wait = first * factor ** k
    return [Math.min(most, wait), Math.min(most, wait * stretch)]
  })
}

/** How many times as long a wait may become by chance; null where nobody can tell. */
function stretchOf({ randomizes }: RetryLibrary, options: Term | undefined, { reckoning }: Wrapping): number | null {
  if (!randomizes) return 1
  const setting = settingIn(options, 'randomize', reckoning.evaluator)
  if (setting.state === 'given') return setting.value === true ? 2 : 1
  if (setting.state !== 'absent') return null
  const found = defaultOf('async-retry', 'randomize', null)
  const isOn = found.kind === 'known' && found.row.text === 'true'
  return randomizes === 'by default' && isOn ? 2 : 1
}

function numberIn(
  { system }: RetryLibrary,
  options: Term | undefined,
  setting: string,
  { reckoning }: Wrapping,
): { value: number | null; isDefault: boolean } {
  const found = settingIn(options, setting, reckoning.evaluator)
  if (found.state === 'given') return { value: typeof found.value === 'number' ? found.value : null, isDefault: false }
  if (found.state !== 'absent') return { value: null, isDefault: false }
  return { value: defaultNumber(system, setting), isDefault: true }
}

/** A default as a number: none is `Infinity`; null where the table does not have it. */
function defaultNumber(system: string, setting: string): number | null {
  const name = system === 'es-toolkit' ? `retry.${setting}` : setting
  const found = defaultOf(system, name, null)
  if (found.kind !== 'known') return null
  if (found.row.unbounded) return Number.POSITIVE_INFINITY
  return found.row.unit === 'ms' ? numeric(defaultMs(found.row)) : defaultCount(found.row)
}

function numeric(ms: number | 'none' | null): number | null {
  return ms === 'none' ? Number.POSITIVE_INFINITY : ms
}
