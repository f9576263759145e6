import { expect, test } from 'vitest'
import { outgoingBudget } from './wire-out.js'

test('a budget is written once for each format asked for, rounded down, with its companion', () => {
  const meta = { sentAt: 1_764_374_400_000, from: 'gw-1', hop: 1, attempt: 2 }
  expect(outgoingBudget(300.9, { formats: ['request-budget', 'grpc', 'connect', 'envoy', 'dubbo', 'finagle'], meta })).toEqual({
    state: 'send',
    headers: {
      'request-budget-ms': '300',
      'request-budget-meta': 'sent=1764374400000; from=gw-1; hop=1; attempt=2',
      'grpc-timeout': '300m',
      'connect-timeout-ms': '300',
      'x-envoy-upstream-rq-timeout-ms': '300',
      _to: '300',
      'finagle-ctx-com.twitter.finagle.deadline': '1764374400000000000 1764374400300000000',
    },
  })
})

test('only our own header is written unless others are asked for', () => {
  expect(outgoingBudget(500)).toEqual({ state: 'send', headers: { 'request-budget-ms': '500' } })
})

test('no deadline sends no budget, an expired one sends no request', () => {
  expect(outgoingBudget(Number.POSITIVE_INFINITY)).toEqual({ state: 'send', headers: {} })
  for (const ms of [0.9, 0, -5, Number.NaN]) expect(outgoingBudget(ms)).toEqual({ state: 'expired' })
})
