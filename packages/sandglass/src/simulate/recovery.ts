import type { Scenario } from '../model/chain.js'
import { faultEndsAt } from './faults.js'
import type { JourneySeries, Series } from './series.js'

/** Goodput must be back to this share of what it was, for so many windows in a row. */
export const RECOVERED = { share: 0.95, windows: 10 } as const

/**
 * How long after the end of the last fault a journey's goodput came back to 95 % for ten windows, ms; null where it did not
 * within the run, where there is no fault, or where nothing
 * was good before it. "Back" compares goodput with what was offered in the same window, and that
 * ratio with its mean before the first fault (after the warm-up; 1 where there was no such time), so that neither chance nor
 * steps of the load count as damage.
 */
export function recoveryMsOf(scenario: Scenario, series: Series, name: string): number | null {
  const of = series.journeys[name]
  if (!of || scenario.faults.length === 0) return null
  const { windowMs } = series
  const usual = usualShare(of, Math.ceil(scenario.warmupMs.value / windowMs), Math.floor(firstFaultAt(scenario) / windowMs), windowMs)
  if (usual === 0) return null
  const endedAt = Math.max(...scenario.faults.map(faultEndsAt))
  const first = Math.ceil(endedAt / windowMs)
  let good = 0
  for (let window = first; window < of.offered.length; window++) {
    good = isGood(of, window, usual, windowMs) ? good + 1 : 0
    if (good === RECOVERED.windows) return Math.max(0, (window + 1 - RECOVERED.windows) * windowMs - endedAt)
  }
  return null
}

function firstFaultAt(scenario: Scenario): number {
  return Math.min(...scenario.faults.map((fault) => fault.atMs.value))
}

function isGood({ goodputPerS, offered }: JourneySeries, window: number, usual: number, windowMs: number): boolean {
  return (goodputPerS[window]! * windowMs) / 1000 >= RECOVERED.share * usual * offered[window]!
}

function usualShare({ goodputPerS, offered }: JourneySeries, from: number, to: number, windowMs: number): number {
  let good = 0
  let all = 0
  for (let window = from; window < to; window++) {
    good += (goodputPerS[window]! * windowMs) / 1000
    all += offered[window]!
  }
  return all === 0 ? 1 : Math.min(1, good / all)
}
