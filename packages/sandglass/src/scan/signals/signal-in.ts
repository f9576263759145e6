import { holds, type LimitState } from '../limits/limit-state.js'
import type { Site } from '../models/library-model.js'
import { findProperty } from '../terms/property.js'
import type { Term } from '../terms/term.js'
import { signalState } from './signal-limit.js'

/** The limit that the signal among a call's options gives. */
export function signalIn(site: Site, options: Term | undefined, name = 'signal'): LimitState {
  if (!options || options.kind === 'constant') return signalState(site, null, name)
  if (options.kind === 'either')
    return agreed(
      options.of.map((each) => signalIn(site, each, name)),
      name,
    )
  if (options.kind !== 'object') return { state: 'unknown', name, why: 'the options are only known at run time' }
  const { value, mayBeReplacedBy } = findProperty(options, name)
  const state = signalState(site, value, name)
  if (state.state === 'none' && mayBeReplacedBy.length > 0) return { state: 'unknown', name, why: 'it may come with a spread' }
  return state
}

/** One of several options: what each of them says, the latest limit where all have one. */
function agreed(states: readonly LimitState[], name: string): LimitState {
  const limits = states.filter(holds)
  if (limits.length === states.length) return limits.reduce((a, b) => (b.ms > a.ms ? b : a))
  const [first] = states
  return first?.state === 'none' && states.every(({ state }) => state === 'none')
    ? first
    : { state: 'unknown', name, why: 'it depends on a condition' }
}
