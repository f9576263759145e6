import { namesOf } from '../model/call-path.js'
import type { Call } from '../model/chain.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type Finding, findingAt, findingBeside, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'

/** A path longer than this is shown by its ends. */
const MOST_SHOWN = 12

function shown(names: readonly string[]): string {
  if (names.length <= MOST_SHOWN) return names.join(' > ')
  return [...names.slice(0, MOST_SHOWN / 2), `… ${names.length - MOST_SHOWN} more …`, ...names.slice(-MOST_SHOWN / 2)].join(' > ')
}

/** Operations that stand for all that a service can be asked, where its chain was imported: configs tell services, and not what a request goes on to ask. */
const STAND_IN = new Set(['request', 'query', 'get', 'publish'])

function isOfServices({ chain }: View, cycle: readonly Call[]): boolean {
  return chain.deadSettings !== undefined && cycle.some(({ from }) => STAND_IN.has(from.name))
}

function findingOf(cycle: readonly Call[], closing: Call, more: number, ofServices: boolean): Finding {
  const names = namesOf(cycle)
  const many = more > 0 ? ` (and ${more} more calls lead back to where they came from)` : ''
  return {
    rule: 'cycle',
    severity: ofServices ? 'warning' : 'error',
    message: ofServices
      ? `${closing.from.service.name} calls ${closing.callee?.service.name ?? closing.to.value}, which calls it too: whether one request goes round is not in the configs${many}`
      : `${closing.from.id} calls ${closing.to.value}, which is on the way to it: the chain calls itself${many}`,
    arithmetic: shown(names),
    why: 'A chain that calls itself has no longest time; each round takes slots until none is left. This call is left out of every sum.',
    spot: closing.to.origin.spot,
    label: 'leads back',
    related: cycle
      .slice(0, -1)
      .slice(0, MOST_SHOWN)
      .map((call) => ({ spot: call.to.origin.spot, label: 'on the way' })),
    values: { calls: cycle.length },
    factors: cycle.slice(0, MOST_SHOWN).map((call) => ({ name: call.from.id, value: call.to.value, unit: 'text', origin: call.to.origin })),
    suggestion: null,
  }
}

function* check(view: View): Iterable<Diagnostic> {
  const { cycles, closing } = view.order
  if (cycles.length === 0) return
  const visits = new Map(view.perCall.filter((visit) => closing.has(visit.call)).map((visit) => [visit.call, visit]))
  for (const [i, cycle] of cycles.entries()) {
    const last = cycle[cycle.length - 1]
    if (!last) continue
    const finding = findingOf(cycle, last, i === cycles.length - 1 ? closing.size - cycles.length : 0, isOfServices(view, cycle))
    const visit = visits.get(last)
    yield visit ? findingAt(visit, finding) : findingBeside(finding, null, namesOf(cycle))
  }
}

/** The chain calls itself. */
export const cycle: Rule = {
  id: 'cycle',
  severity: 'error',
  summary: 'the chain calls itself',
  check,
}
