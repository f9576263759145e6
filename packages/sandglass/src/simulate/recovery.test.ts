import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { recoveryMsOf } from './recovery.js'
import type { JourneySeries, Series } from './series.js'

const scenarioWith = (faults: string) =>
  readChainText(`
sandglass: 1
journeys: { ask: { starts: a.x } }
services: { a: { operations: { x: { does: read } } } }
scenarios: { s: { load: { ask: 10/s }, duration: 60s, warmup: 2s, faults: [${faults}] } }
`).chain.scenarios[0]!

/** A journey whose goodput is `shareAt` of the ten requests that every second brings. */
function seriesOf(shareAt: (second: number) => number, offeredAt: (second: number) => number = () => 10): Series {
  const seconds = Array.from({ length: 60 }, (_, i) => i)
  const journey = {
    offered: seconds.map(offeredAt),
    goodputPerS: seconds.map((s) => shareAt(s) * offeredAt(s)),
  } as unknown as JourneySeries
  return { windowMs: 1000, journeys: { ask: journey }, services: {}, operations: {} }
}

const fault = '{ on: a.x, at: 10s, for: 10s, down: true }'

describe('recovery', () => {
  it('is measured from the end of the last fault to the first of ten good windows', () => {
    const series = seriesOf((s) => (s < 10 || s >= 27 ? 1 : 0))
    expect(recoveryMsOf(scenarioWith(fault), series, 'ask')).toBe(7000)
    expect(recoveryMsOf(scenarioWith(`${fault}, { on: a.x, at: 22s, for: 3500ms, errors: 10% }`), series, 'ask')).toBe(1500)
  })

  it('starts anew where goodput falls back', () => {
    expect(
      recoveryMsOf(
        scenarioWith(fault),
        seriesOf((s) => (s < 10 || (s >= 22 && s < 31) || s >= 40 ? 1 : 0.5)),
        'ask',
      ),
    ).toBe(20_000)
  })

  it('asks for 95 % of what was usual, compared with what was offered', () => {
    expect(
      recoveryMsOf(
        scenarioWith(fault),
        seriesOf((s) => (s < 10 ? 0.8 : 0.77)),
        'ask',
      ),
    ).toBe(0)
    expect(
      recoveryMsOf(
        scenarioWith(fault),
        seriesOf((s) => (s < 10 ? 0.8 : 0.75)),
        'ask',
      ),
    ).toBeNull()
    expect(
      recoveryMsOf(
        scenarioWith(fault),
        seriesOf(
          () => 1,
          (s) => (s < 20 ? 10 : 2),
        ),
        'ask',
      ),
    ).toBe(0)
  })

  it('is null without a fault, without ten windows, and where a fault does not end', () => {
    expect(
      recoveryMsOf(
        scenarioWith(''),
        seriesOf(() => 1),
        'ask',
      ),
    ).toBeNull()
    expect(
      recoveryMsOf(
        scenarioWith(fault),
        seriesOf((s) => (s < 10 || s >= 51 ? 1 : 0)),
        'ask',
      ),
    ).toBeNull()
    expect(
      recoveryMsOf(
        scenarioWith(fault),
        seriesOf(() => 0),
        'ask',
      ),
    ).toBeNull()
    expect(
      recoveryMsOf(
        scenarioWith('{ on: a.x, at: 10s, down: true }'),
        seriesOf(() => 1),
        'ask',
      ),
    ).toBeNull()
  })
})
