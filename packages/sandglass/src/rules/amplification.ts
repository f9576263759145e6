import { factorOf } from '../model/arithmetic.js'
import { journeyOf, namesOf, visitAlong, visitsByCall } from '../model/call-path.js'
import type { Call } from '../model/chain.js'
import { allOf, changeCount } from '../model/change.js'
import type { Diagnostic, Factor, Severity } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import type { Amplification } from '../model/flow.js'
import { innermostRetries } from '../model/innermost-retries.js'
import { countText } from '../model/retrying.js'
import { type Finding, findingAt, findingBeside, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'

/** One request may become so many before it is an error, unless `check.limits.amplification` says otherwise. */
const DEFAULT_LIMIT = 10
const WARN_ABOVE = 3

function severityOf(value: number, limit: number): Severity | null {
  if (value > limit) return 'error'
  return value > WARN_ABOVE ? 'warning' : null
}

/** More layers than this are shown by their ends. */
const MOST_SHOWN = 12

function shown(parts: readonly string[], between: string): string {
  if (parts.length <= MOST_SHOWN) return parts.join(between)
  const half = MOST_SHOWN / 2
  return [...parts.slice(0, half), `… ${parts.length - MOST_SHOWN} more …`, ...parts.slice(-half)].join(between)
}

/** "gateway 3 x order 3 x inventory 3 = 27", or the sum where retries are not retried below. */
function layerByLayer({ calls, chainStop, value }: Amplification): string {
  const retrying = calls.filter((call) => factorOf(call) > 1)
  const times = new Map<string, number>()
  for (const { from } of retrying) times.set(from.service.name, (times.get(from.service.name) ?? 0) + 1)
  const layers = retrying.map((call) => {
    const { service, id } = call.from
    return `${(times.get(service.name) ?? 0) > 1 ? id : service.name} ${countText(factorOf(call))}`
  })
  const total = Number.isFinite(value) ? countText(value) : 'no limit'
  if (chainStop)
    return `1 + ${shown(
      layers.map((layer) => `(${layer} - 1)`),
      ' + ',
    )} = ${total}`
  return `${shown(layers, ' x ')} = ${total}`
}

function factorsOf(call: Call): Factor[] {
  const attempts = { ...factor('attempts', call.attempts, 'count'), name: `${call.from.id} attempts` }
  const budget = call.retryBudget
  if (!budget) return [attempts]
  return [
    attempts,
    {
      name: `${call.from.id} retryBudget`,
      value: budget.value.kind === 'share' ? budget.value.share : 'default',
      unit: budget.value.kind === 'share' ? 'share' : 'text',
      origin: budget.origin,
    },
  ]
}

function findingOf(call: Call, amplification: Amplification, severity: Severity, limit: number): Finding {
  const retrying = amplification.calls.filter((other) => factorOf(other) > 1)
  const outer = retrying.filter((other) => other !== call)
  const { value } = amplification
  return {
    rule: 'amplification',
    severity,
    message: `one request becomes up to ${Number.isFinite(value) ? `${countText(value)} calls` : 'any number of calls'} of ${call.to.value}`,
    arithmetic: layerByLayer(amplification),
    why: 'Retries of layers multiply, and they do so exactly when the innermost service is already in trouble.',
    spot: call.attempts.origin.spot,
    label: 'the innermost retries',
    related: outer.map((other) => ({ spot: other.attempts.origin.spot, label: `multiplies by ${countText(factorOf(other))}` })),
    values: {
      amplification: Number.isFinite(value) ? value : null,
      limit,
      layers: retrying.length,
      chainStop: amplification.chainStop ? 'yes' : 'no',
    },
    factors: retrying.flatMap(factorsOf),
    suggestion: outer.length > 0 ? keepInnermost(call, outer) : null,
  }
}

function keepInnermost(call: Call, outer: readonly Call[]): ReturnType<typeof allOf> {
  const all = allOf(outer.map((other) => changeCount(`${other.from.id} attempts`, other.attempts, 1)))
  return all && { ...all, text: `retry in one layer only: ${all.text}; what is left is ${countText(factorOf(call))}` }
}

function* check(view: View): Iterable<Diagnostic> {
  const limit = view.chain.check.limits.get('amplification')?.value ?? DEFAULT_LIMIT
  const isOver = (call: Call): boolean => severityOf(view.flow.callAmplification(call).value, limit) !== null
  const reported = innermostRetries(view, isOver)
  if (reported.length === 0) return
  const visits = visitsByCall(view.situations.visits)
  for (const call of reported) {
    const amplification = view.flow.callAmplification(call)
    const severity = severityOf(amplification.value, limit)
    if (!severity) continue
    const finding = findingOf(call, amplification, severity, limit)
    const visit = visitAlong(visits.get(call) ?? [], amplification.calls)
    yield visit ? findingAt(visit, finding) : findingBeside(finding, journeyOf(view, amplification.calls), namesOf(amplification.calls))
  }
}

/** One request becomes many on its way in. */
export const amplification: Rule = {
  id: 'amplification',
  severity: 'error',
  summary: 'one request becomes many calls',
  check,
}
