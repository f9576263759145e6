import type { LimitMs } from '../model/chain.js'
import type { Sourced } from '../model/sourced.js'
import type { FactsDraft } from './facts.js'
import { limitFact, type Written } from './limit-fact.js'

/**
 * The limit of statements that an address asks the server for in the sessions it opens: `?options=-c statement_timeout=5s`, or as
 * `statement_timeout=5000` itself; undefined where it asks for none.
 */
export function statementOfUrl(url: Written, draft: FactsDraft): Sourced<LimitMs> | undefined {
  if (!/^(jdbc:)?postgres/.test(url.text)) return undefined
  const query = decoded(url.text.slice(url.text.indexOf('?') + 1).replaceAll('+', ' '))
  const value = /(?:^|[&\s])(?:options=)?(?:-c\s*|--)?statement_timeout=([^&\s]{1,40})/.exec(query)?.[1]
  if (value === undefined) return undefined
  const written = { text: value, spot: url.spot }
  return limitFact({ draft, system: 'postgresql', version: null, key: 'statement_timeout', at: url.spot }, written, 'postgres-ms', 'none')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
