import type { Site } from '../models/library-model.js'
import { withoutText } from '../terms/or-text.js'
import type { Term } from '../terms/term.js'
import type { CallersOf } from './callers.js'
import { firstText } from './target-text.js'

/** True for a `fetch` of an address without a host, `/api/orders`, be it what every caller gives: only a page has one to add, elsewhere it throws at once. */
export function asksOwnPage({ args, method }: Site, callersOf: CallersOf): boolean {
  const [first] = args
  if (method !== 'fetch' || !first) return false
  const address = withoutText(first)
  if (address.kind !== 'parameter') return isPath(address)
  const callers = callersOf(address.of)
  return callers.length > 0 && callers.every((caller) => isPath(caller.args[address.index]))
}

/** A path that is relative to something, `new URL('/api', base)`, is an address. */
function isPath(term: Term | undefined): boolean {
  if (term?.kind === 'either') return term.of.every(isPath)
  const isAddress = term?.kind === 'made' && term.callee.kind === 'external' && term.callee.package !== 'operator'
  return !isAddress && /^\/(?!\/)/.test(firstText(term) ?? '')
}
