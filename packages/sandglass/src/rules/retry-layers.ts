import { factorOf } from '../model/arithmetic.js'
import { journeyOf, namesOf, visitAlong, visitsByCall } from '../model/call-path.js'
import type { Call, Operation } from '../model/chain.js'
import { allOf, changeCount } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { innermostRetries } from '../model/innermost-retries.js'
import { countText } from '../model/retrying.js'
import { type Finding, findingAt, findingBeside, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'

/** The way into an operation on which most layers retry. */
interface Way {
  readonly layers: number
  readonly via: Call | null
}

/** For each operation, the last call of the way with most retrying layers. */
function mostLayers(view: View): ReadonlyMap<Operation, Way> {
  const ways = new Map<Operation, Way>()
  for (const operation of view.order.operations) {
    const into = ways.get(operation)?.layers ?? 0
    for (const call of operation.calls) {
      if (!call.callee || view.order.closing.has(call)) continue
      const layers = into + (factorOf(call) > 1 ? 1 : 0)
      if (layers > (ways.get(call.callee)?.layers ?? -1)) ways.set(call.callee, { layers, via: call })
    }
  }
  return ways
}

function pathTo(call: Call, ways: ReadonlyMap<Operation, Way>): Call[] {
  const calls: Call[] = []
  for (let at: Call | null = call; at; at = ways.get(at.from)?.via ?? null) calls.push(at)
  return calls.reverse()
}

function findingOf(retrying: readonly Call[], call: Call): Finding {
  const outer = retrying.filter((other) => other !== call)
  const change = allOf(outer.map((other) => changeCount(`${other.from.id} attempts`, other.attempts, 1)))
  return {
    rule: 'retry-layers',
    severity: 'warning',
    message: `${retrying.length} layers of this path retry: ${retrying.map((other) => `${other.from.id} (${countText(factorOf(other))})`).join(', ')}`,
    arithmetic: retrying.map((other) => `${other.from.id} ${countText(factorOf(other))}`).join(', '),
    why: 'A failure below is retried by each layer again; one layer that retries is enough, and only it knows how much time is left.',
    spot: call.attempts.origin.spot,
    label: 'the innermost layer that retries',
    related: outer.map((other) => ({ spot: other.attempts.origin.spot, label: 'retries too' })),
    values: { layers: retrying.length },
    factors: retrying.map((other) => ({ ...factor('attempts', other.attempts, 'count'), name: `${other.from.id} attempts` })),
    suggestion: change && { ...change, text: `retry in one layer only: ${change.text}` },
  }
}

function* check(view: View): Iterable<Diagnostic> {
  const innermost = innermostRetries(view, () => true)
  if (innermost.length === 0) return
  const ways = mostLayers(view)
  const visits = visitsByCall(view.situations.visits)
  for (const call of innermost) {
    if ((ways.get(call.from)?.layers ?? 0) < 1) continue
    const path = pathTo(call, ways)
    const finding = findingOf(
      path.filter((other) => factorOf(other) > 1),
      call,
    )
    const visit = visitAlong(visits.get(call) ?? [], path)
    yield visit ? findingAt(visit, finding) : findingBeside(finding, journeyOf(view, path), namesOf(path))
  }
}

/** More than one layer of a path retries. */
export const retryLayers: Rule = {
  id: 'retry-layers',
  severity: 'warning',
  summary: 'more than one layer of a path retries',
  check,
}
