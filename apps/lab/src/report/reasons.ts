import { quantile } from '../measure/quantile.js'
import type { RunFacts } from '../measure/summary.js'
import type { Difference } from './table.js'

/** What the simulator does not know of, by arm. */
const unknown: Readonly<Record<string, string>> = {
  uniform:
    'once all slots are held hardly a request is answered any more: its useful answers are those of the few seconds before the fault, whose number is a matter of chance, and its percentiles differ as much from seed to seed as from run to run',
  funnel: 'a hop that is slower now and then than the median the simulator was told',
  sandglass:
    'a wait for a slot that ends in time ends up to 6 ms late in the runtime (one coarse timer for all deadlines), and a real Redis and PostgreSQL take a little longer than the chain says; the simulator knows of neither',
  cockatiel:
    'which of its breakers opens first is a race: when an inner one wins, its fallback answers, when the outermost wins, every order is refused for 10 s; and its retry repeats, with waits, what its own open breaker has refused, so that real fallbacks come up to a second later than simulated ones',
  opossum:
    'its breaker counts a call when it is begun and its failure when it is over; the simulator plays the breaker of the runtime, which counts both when it is over and does not blame a callee for a limit below its usual p99',
}

const untold =
  'a fault was played that the simulator was not told of: one between two services, or one that was asked for while the arm ran'

/** The median lies in a gap when a few requests more or less would move it by so much. */
const GAP = { around: 0.05, factor: 1.5 } as const

/** Why a prediction is further off than it should be: what the run itself shows, then what the simulator does not know. Empty where all is near. */
export function reasonsFor(name: string, facts: RunFacts, differences: readonly Difference[], hasUntoldFault: boolean): string {
  if (differences.every(({ isNear }) => isNear)) return ''
  if (hasUntoldFault) return untold
  const gap = differences.some(({ what, isNear }) => what === 'p50Ms' && !isNear) ? gapAroundMedian(facts) : null
  return [...(gap === null ? [] : [gap]), unknown[name] ?? ''].join('; ')
}

/** Words for a median that lies between two kinds of answers; null where it does not. */
export function gapAroundMedian({ requests, times }: RunFacts): string | null {
  const latencies = requests
    .filter(({ intendedMs, end }) => intendedMs >= times.warmupMs && (end === 'full' || end === 'degraded'))
    .map(({ latencyMs }) => latencyMs)
    .sort((a, b) => a - b)
  const [below, above] = [quantile(latencies, 0.5 - GAP.around), quantile(latencies, 0.5 + GAP.around)]
  if (below === null || above === null || above < GAP.factor * below) return null
  return `the median lies between quick answers and slow ones (45 % took at most ${Math.round(below)} ms, 55 % at most ${Math.round(above)} ms), so that a few more or fewer of them move it far`
}
