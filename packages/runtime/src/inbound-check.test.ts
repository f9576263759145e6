import { expect, test } from 'vitest'
import { createInbound, type InboundOptions } from './index.js'

const make = (options: unknown): unknown => createInbound(options as InboundOptions)

test.each([
  [undefined, /^a server needs options/],
  [{}, /^budgetMs: a budget must be a number of ms, not undefined$/],
  [{ budgetMs: '500' }, /^budgetMs: .* not the string "500"$/],
  [{ budgetMs: 500, maxBudgetMs: Number.NaN }, /^maxBudgetMs: .* not NaN$/],
  [{ budgetMs: 500, maxBudget: 5 }, /^a server has no option "maxBudget"; is maxBudgetMs meant\?$/],
  [{ budgetMs: 500, trust: 'ful' }, /^trust must be none, shorten or full$/],
  [{ budgetMs: 500, reserveMs: '20' }, /^reserveMs must be a number, not string$/],
  [{ budgetMs: 500, reserveMs: Infinity }, /^reserveMs must be between 0/],
  [{ budgetMs: 500, concurrency: '5' }, /^concurrency must be a number, not string$/],
  [{ budgetMs: 500, concurrency: 0 }, /^concurrency must be between 1/],
  [{ budgetMs: 500, observe: 'yes' }, /^observe must be true or false$/],
  [{ budgetMs: 500, shed: true }, /^shed must be an object/],
  [{ budgetMs: 500, signal: {} }, /^signal must be an AbortSignal$/],
  [{ budgetMs: 500, limits: {} }, /^limits must be what limitsFile\(\) returned$/],
  [{ budgetMs: 500, admission: 'can_finish' }, /^admission\.mode must be/],
])('%j is refused with one line that names the option', (options, message) => {
  expect(() => make(options)).toThrow(message)
})

test('what the types allow is not refused', () => {
  make({ budgetMs: Infinity, maxBudgetMs: Infinity, trust: 'none', reserveMs: 0, observe: true, shed: {}, concurrency: 5, queue: {} })
  make({ budgetMs: -3, signal: AbortSignal.abort(), operation: 'read', onError: () => undefined })
})
