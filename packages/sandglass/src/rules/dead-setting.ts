import type { DeadSetting } from '../model/chain.js'
import { anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type Finding, findingAt, findingBeside, findingIn, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'
import { callSettings, hasMore } from './dead/call-settings.js'
import type { Dead } from './dead/dead.js'
import { operationSettings, serviceSettings } from './dead/service-settings.js'

function findingOf(where: string, dead: Dead): Finding {
  const { setting, written, effective, because, instead } = dead
  return {
    rule: 'dead-setting',
    severity: 'warning',
    message: `${setting} (${written}) of ${where} has no effect: ${because}`,
    arithmetic: `in effect: ${effective}`,
    why: 'Whoever reads it counts on something that never happens.',
    spot: dead.spot,
    label: 'no effect',
    related: instead && instead.origin.kind === 'declared' ? [{ spot: instead.origin.spot, label: 'this holds' }] : [],
    values: { setting, effective },
    factors: dead.factors,
    suggestion: dead.change === undefined ? null : anyOf([dead.change]),
  }
}

function imported(dead: DeadSetting): Finding {
  const { setting, written, spot, because, effective } = dead
  return {
    ...findingOf('', { setting, written, spot, because, effective, factors: [] }),
    message: `${setting} (${written}) has no effect: ${because}`,
  }
}

function* check(view: View): Iterable<Diagnostic> {
  for (const dead of view.chain.deadSettings ?? []) yield findingBeside(imported(dead))
  for (const visit of view.perCall.filter(({ call }) => hasMore(call))) {
    const { call } = visit
    for (const dead of callSettings(call)) yield findingAt(visit, findingOf(`the call to ${call.to.value}`, dead))
  }
  for (const service of view.chain.services.values()) {
    for (const dead of serviceSettings(service)) yield findingBeside(findingOf(service.name, dead))
    for (const operation of service.operations.values()) {
      const arrival = view.situations.arrivals.get(operation)?.[0]
      for (const dead of operationSettings(operation)) {
        const finding = findingOf(operation.id, dead)
        yield arrival ? findingIn(arrival, finding) : findingBeside(finding)
      }
    }
  }
}

/** Something that is written and has no effect. */
export const deadSetting: Rule = {
  id: 'dead-setting',
  severity: 'warning',
  summary: 'something is written that has no effect',
  check,
}
