import { expect, it } from 'vitest'
import { runChain } from './run-chain.fixture.js'

/**
 * 80 requests a second, evenly spaced, on 10 workers of 100 ms; for the first minute the work takes 300 ms; callers leave after
 * 1 s and try once. The trap: dropping what is late looks like a cure and is none while it lasts.
 */
function brownOut(admission: string, operation = ''): { good: number; firstGoodS: number; longestQueue: number } {
  const result = runChain(`
sandglass: 1
journeys: { ask: { promise: 1s, starts: client.ask } }
services:
  client:
    kind: client
    operations: { ask: { does: read, calls: [{ to: server.work, timeout: 1s, deadline: propagate, cancel: stops-here }] } }
  server:
    concurrency: 10
    deadline: propagate
    admission: ${admission}
    operations: { work: { does: read, latency: { constant: 100ms }${operation} } }
scenarios:
  brown-out:
    load: { ask: 80/s }
    arrivals: constant
    duration: 220s
    faults: [{ on: server.work, at: 0s, for: 60s, latency: x3 }]
`)
  const { goodputPerS } = result.series.journeys['ask']!
  const { longestQueue } = result.series.services['server']!
  return {
    good: goodputPerS.slice(0, 60).reduce((sum, value) => sum + value, 0),
    firstGoodS: goodputPerS.findIndex((value, second) => second >= 60 && value > 0),
    longestQueue: Math.max(...longestQueue),
  }
}

it.each([
  { admission: 'none', good: 50, firstGoodS: 196, longestQueue: 2800 },
  { admission: 'expired', good: 50, firstGoodS: 60, longestQueue: 95 },
  { admission: 'can-finish', good: 1991, firstGoodS: 60, longestQueue: 71 },
])('a brown-out with admission $admission leaves $good good answers in a minute', ({ admission, good, firstGoodS, longestQueue }) => {
  const seen = brownOut(admission)
  expect(Math.abs(seen.good - good)).toBeLessThanOrEqual(good * 0.03)
  expect(seen.firstGoodS).toBe(firstGoodS)
  expect(Math.abs(seen.longestQueue - longestQueue)).toBeLessThanOrEqual(longestQueue * 0.03)
})

it('what a floor refuses is what the recent median would', () => {
  expect(brownOut('can-finish', ', floor: 300ms').good).toBe(brownOut('can-finish').good)
})
