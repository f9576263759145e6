import { expect, test } from 'vitest'
import { settleBy } from '../test/settle-by.js'
import { call } from './index.js'
import { fakePeer } from './testing/fake-peer.js'
import { useManualClock } from './testing/manual-clock.js'

test('the second copy of an attempt that failed does not come early in the next one', async () => {
  const clock = useManualClock()
  try {
    const peer = fakePeer<string>({ does: 'answer', value: 'well', afterMs: 90 })
    peer.next({ does: 'fail', error: new Error('first'), afterMs: 10 })
    const hedge = { afterMs: 100, maxExtra: 1 }
    const ask = call('a.b', { does: 'read', timeoutMs: 1000, attempts: 2, backoff: { waitsMs: [40], jitter: 'none' }, hedge }, peer.fn)
    expect((await settleBy(clock, ask())).value?.value).toBe('well')
    expect(peer.visits.map(({ arrivedAt }) => arrivedAt - 1_000_000)).toEqual([0, 50])
    expect(clock.armed).toBe(0)
  } finally {
    clock.restore()
  }
})
