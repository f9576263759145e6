import type { Chain, Journey, RateStep, Scenario } from '../model/chain.js'

/** The load of one journey. */
export interface JourneyLoad {
  readonly journey: Journey
  readonly steps: readonly RateStep[]
}

/** The load of a scenario by journey, in the order of the chain: what it says, else every journey at its own rate. */
export function loadOf(chain: Chain, scenario: Scenario): readonly JourneyLoad[] {
  const out: JourneyLoad[] = []
  for (const journey of chain.journeys) {
    const steps = scenario.load.size > 0 ? scenario.load.get(journey.name)?.value : ownRate(journey)
    if (steps && journey.start) out.push({ journey, steps })
  }
  return out
}

function ownRate(journey: Journey): readonly RateStep[] | undefined {
  const rate = journey.ratePerS?.value
  return typeof rate === 'number' ? [{ atMs: 0, ratePerS: rate }] : undefined
}
