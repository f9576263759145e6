import type { Chain, Scenario } from '../model/chain.js'
import { nearest } from '../model/nearest.js'
import { byDefault } from '../model/sourced.js'

/** A scenario, or the one line that says why there is none. */
export type ChosenScenario = { readonly ok: true; readonly scenario: Scenario } | { readonly ok: false; readonly message: string }

/** The scenario of that name, the only one there is, or where a chain has none: every journey at its own rate for a minute. */
export function chooseScenario(chain: Chain, name: string | undefined): ChosenScenario {
  const names = chain.scenarios.map((scenario) => scenario.name)
  const found = chain.scenarios.find((scenario) => scenario.name === name)
  if (found) return { ok: true, scenario: found }
  if (name !== undefined) {
    const near = nearest(name, names)
    return {
      ok: false,
      message: `there is no scenario "${name}"${near === null ? '' : ` (did you mean "${near}"?)`}; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ') || 'none'}`,
    }
  }
  const [only] = chain.scenarios
  if (only && chain.scenarios.length === 1) return { ok: true, scenario: only }
  if (only) return { ok: false, message: `there are several scenarios; choose one with --scenario: ${names.join(', ')}` }
  return atOwnRates(chain)
}

function atOwnRates(chain: Chain): ChosenScenario {
  const [journey] = chain.journeys
  if (!journey)
    return { ok: false, message: 'the chain has no journey, so there is nothing to send; add "journeys:" with a rate, or a scenario' }
  const { spot } = journey
  return {
    ok: true,
    scenario: {
      name: 'usual-load',
      spot,
      load: new Map(),
      arrivals: byDefault('poisson' as const, spot),
      durationMs: byDefault(60_000, spot),
      warmupMs: byDefault(10_000, spot),
      faults: [],
    },
  }
}
