import { describe, expect, it } from 'vitest'
import type { SentRequest } from '../load/sent-request.js'
import { recoveryMs } from './recovery.js'

const run = { promiseMs: 300, warmupMs: 0, faultFromMs: 2000, faultToMs: 4000, durationMs: 8000 }

/** 100 requests a second, useful where `isGood` says so. */
const requests = (isGood: (atMs: number) => boolean): SentRequest[] =>
  Array.from({ length: 800 }, (_, i) => ({ intendedMs: i * 10, latencyMs: isGood(i * 10) ? 5 : 500, end: 'full' as const }))

describe('recovery', () => {
  it('is 0 where nothing was ever wrong', () => {
    expect(
      recoveryMs(
        requests(() => true),
        run,
      ),
    ).toBe(0)
  })

  it('is the time from the end of the fault until answers are as before, for good', () => {
    expect(
      recoveryMs(
        requests((at) => at < 2000 || at >= 5500),
        run,
      ),
    ).toBeGreaterThanOrEqual(1400)
    expect(
      recoveryMs(
        requests((at) => at < 2000 || at >= 5500),
        run,
      ),
    ).toBeLessThanOrEqual(1500)
    // A good second in between is not recovery.
    expect(
      recoveryMs(
        requests((at) => at < 2000 || (at >= 4200 && at < 5200) || at >= 6000),
        run,
      ),
    ).toBeGreaterThanOrEqual(1900)
  })

  it('is null where it does not come within the run, or where nothing was good before', () => {
    expect(
      recoveryMs(
        requests((at) => at < 2000),
        run,
      ),
    ).toBeNull()
    expect(
      recoveryMs(
        requests((at) => at > 4000),
        run,
      ),
    ).toBeNull()
  })

  it('is measured against what was usual: 4 % of failures all the time are none of the fault', () => {
    expect(
      recoveryMs(
        requests((at) => at % 250 !== 0 && (at < 2000 || at >= 4000)),
        run,
      ),
    ).toBe(0)
  })
})
