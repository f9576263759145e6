import type { LimitState } from '../limits/limit-state.js'
import type { Site } from './library-model.js'

const SETS: Readonly<Record<'statement_timeout' | 'max_execution_time', RegExp>> = {
  statement_timeout: /\bset\s+(?:local\s+|session\s+)?statement_timeout\b|set_config\(\s*'statement_timeout'/i,
  max_execution_time: /\bset\s+(?:session\s+|global\s+|@@)?\S*max_(?:execution|statement)_time\b/i,
}

/** A limit that is missing among the options, but set by a statement beside them: `pool.on('connect', (client) => client.query('SET statement_timeout = 5000'))`. */
export function orSetBySql(limit: LimitState, name: keyof typeof SETS, { client, at }: Site): LimitState {
  if (limit.state !== 'none') return limit
  const isSet = [client?.at.module, at.module].some((module) => module && SETS[name].test(module.source.text))
  return isSet ? { state: 'unknown', name, why: 'a statement of the code sets it' } : limit
}
