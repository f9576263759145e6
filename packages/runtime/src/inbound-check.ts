import { budgetOf } from './core/deadline.js'
import { optionInRange } from './core/option-range.js'
import { ConfigError } from './errors.js'
import type { InboundOptions } from './inbound.js'
import { isObject, likely, need } from './option-check.js'

const OPTIONS: readonly (keyof InboundOptions)[] = [
  'budgetMs',
  'maxBudgetMs',
  'trust',
  'reserveMs',
  'admission',
  'concurrency',
  'queue',
  'shed',
  'observe',
  'signal',
  'limits',
]
/** What `serve` and the adapters add. */
const OTHERS: readonly string[] = ['operation', 'onError']
const TRUSTS: readonly unknown[] = [undefined, 'none', 'shorten', 'full']

/** Refuses options of a server that make no sense, each by its name. Throws `ConfigError`, TypeError or RangeError. */
export function checkInbound(options: InboundOptions): void {
  if (!isObject(options)) throw new ConfigError('a server needs options, such as { budgetMs: 2800 }')
  const unknown = Object.keys(options).find((field) => ![...OPTIONS, ...OTHERS].includes(field))
  if (unknown !== undefined) throw new ConfigError(`a server has no option ${JSON.stringify(unknown)}${likely(OPTIONS, unknown)}`)
  const { trust, observe, signal, limits, maxBudgetMs, reserveMs, concurrency } = options
  // A limits file may bring the budget later; what is given here is checked here.
  for (const [field, ms] of Object.entries({ budgetMs: options.budgetMs, maxBudgetMs })) if (ms !== undefined) checkBudget(field, ms)
  if (options.budgetMs === undefined && limits === undefined) checkBudget('budgetMs', undefined)
  need(TRUSTS.includes(trust), 'trust', 'none, shorten or full')
  need(observe === undefined || typeof observe === 'boolean', 'observe', 'true or false')
  for (const field of ['queue', 'shed'] as const)
    need(options[field] === undefined || isObject(options[field]), field, 'an object of options')
  need(signal === undefined || typeof signal?.addEventListener === 'function', 'signal', 'an AbortSignal')
  need(limits === undefined || typeof limits?.register === 'function', 'limits', 'what limitsFile() returned')
  if (reserveMs !== undefined) optionInRange('reserveMs', reserveMs, 0, Number.MAX_VALUE)
  if (concurrency !== undefined) optionInRange('concurrency', concurrency, 1)
}

function checkBudget(field: string, ms: unknown): void {
  try {
    budgetOf(ms)
  } catch (error) {
    throw new ConfigError(`${field}: ${(error as Error).message}`)
  }
}
