import type { LimitState } from '../limits/limit-state.js'
import type { Site } from '../models/library-model.js'
import { findProperty } from '../terms/property.js'
import type { Term } from '../terms/term.js'
import { signalState } from './signal-limit.js'

/** The limit that the signal among a call's options gives. */
export function signalIn(site: Site, options: Term | undefined, name = 'signal'): LimitState {
  if (!options || options.kind === 'constant') return signalState(site, null)
  if (options.kind !== 'object') return { state: 'unknown', name, why: 'the options are only known at run time' }
  const { value, mayBeReplacedBy } = findProperty(options, name)
  const state = signalState(site, value)
  if (state.state === 'none' && mayBeReplacedBy.length > 0) return { state: 'unknown', name, why: 'it may come with a spread' }
  return state
}
