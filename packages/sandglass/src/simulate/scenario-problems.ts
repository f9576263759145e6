import type { Chain, Fault, Scenario } from '../model/chain.js'
import type { Problem } from '../model/diagnostic.js'
import { didYouMean } from '../model/nearest.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { loadOf } from './scenario-load.js'

/** What is wrong with a scenario for this chain, one line each; empty when it can be run. */
export function scenarioProblems(chain: Chain, scenario: Scenario): readonly Problem[] {
  return [
    ...timeProblems(scenario),
    ...loadProblems(chain, scenario),
    ...scenario.faults.flatMap((fault) => faultProblems(chain, scenario, fault)),
  ]
}

/** Most requests one run may offer: a bound on time and memory for what is probably a slip. */
export const MOST_REQUESTS = 1e9

function problem(spot: Spot, message: string): Problem {
  return { file: spot.source.file, spot, message }
}

function at(value: Sourced<unknown>, message: string): Problem {
  return problem(value.origin.spot, message)
}

function timeProblems({ name, durationMs, warmupMs }: Scenario): Problem[] {
  if (durationMs.value <= 0) return [at(durationMs, `scenario "${name}" has a duration of 0; it needs some time to run`)]
  if (warmupMs.value < durationMs.value) return []
  return [
    at(
      warmupMs,
      `scenario "${name}" warms up for ${seconds(warmupMs.value)} and runs for ${seconds(durationMs.value)}: nothing would be counted`,
    ),
  ]
}

function loadProblems(chain: Chain, scenario: Scenario): Problem[] {
  const out: Problem[] = []
  const names = chain.journeys.map(({ name }) => name)
  for (const [name, steps] of scenario.load) {
    const journey = chain.journeys.find((candidate) => candidate.name === name)
    if (!journey)
      out.push(
        at(
          steps,
          `scenario "${scenario.name}" loads "${name}", and there is no such journey${didYouMean(name, names)}; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ') || 'none'}`,
        ),
      )
    else if (!journey.start)
      out.push(
        at(
          journey.starts,
          `journey "${name}" starts with "${journey.starts.value}", and there is no such operation${didYouMean(journey.starts.value, [...chain.operations.keys()])}`,
        ),
      )
    else if (steps.value.every(({ ratePerS }) => ratePerS === 0))
      out.push(at(steps, `journey "${name}" has a load of 0/s in scenario "${scenario.name}"; a rate above 0 was expected`))
    else if ((steps.value[0]?.atMs ?? 0) >= scenario.durationMs.value)
      out.push(
        at(
          steps,
          `the load of "${name}" begins at ${seconds(steps.value[0]?.atMs ?? 0)}, after the end of scenario "${scenario.name}" at ${seconds(scenario.durationMs.value)}`,
        ),
      )
  }
  const load = out.length > 0 ? [] : loadOf(chain, scenario)
  if (out.length === 0 && load.every(({ steps }) => steps.every(({ ratePerS }) => ratePerS === 0))) {
    out.push(
      problem(
        scenario.spot,
        `scenario "${scenario.name}" has no load: give it "load: { <journey>: 100/s }", or a journey a "rate" above 0 and a start that exists`,
      ),
    )
  }
  const requests =
    load.reduce((sum, { steps }) => sum + Math.max(...steps.map(({ ratePerS }) => ratePerS)), 0) * (scenario.durationMs.value / 1000)
  if (requests > MOST_REQUESTS)
    out.push(
      problem(
        scenario.spot,
        `scenario "${scenario.name}" would offer ${requests.toExponential(1)} requests; at most ${MOST_REQUESTS.toExponential(0)} are simulated`,
      ),
    )
  return out
}

function faultProblems(chain: Chain, scenario: Scenario, fault: Fault): Problem[] {
  const { on, atMs, forMs } = fault
  const service = chain.services.get(on.value) ?? chain.operations.get(on.value)?.service
  if (!service) {
    const names = [...chain.operations.keys(), ...chain.services.keys()]
    return [at(on, `a fault strikes "${on.value}", and there is no such operation or service${didYouMean(on.value, names)}`)]
  }
  if (atMs.value >= scenario.durationMs.value)
    return [
      at(
        atMs,
        `a fault on ${on.value} begins at ${seconds(atMs.value)}, after the end of scenario "${scenario.name}" at ${seconds(scenario.durationMs.value)}`,
      ),
    ]
  if (forMs?.value === 0) return [at(forMs, `a fault on ${on.value} lasts for 0 s; it would never be noticed`)]
  if (!fault.latency && !fault.capacity && !fault.slots && !fault.errors && !fault.hang && !fault.down) {
    return [at(on, `a fault on ${on.value} does not say what goes wrong; expected latency, capacity, slots, errors, hang or down`)]
  }
  if (!fault.slots) return []
  if (typeof service.concurrency?.value !== 'number')
    return [at(fault.slots, `a fault leaves ${fault.slots.value} slots to ${service.name}, which has no "concurrency" to take them from`)]
  return []
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
