import type { LimitGuard } from '../guards/guard.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { functionAround } from '../terms/evaluator.js'

/** A call whose caller gives up while its work goes on. What a model finds of this kind stands in its reading. */
export const workNotCancelled: ScanRule = {
  id: 'work-not-cancelled',
  severity: 'warning',
  summary: 'the caller gives up, and the work goes on',
  *check({ calls }) {
    const reported = new Set<string>()
    const told = toldElsewhere(calls)
    for (const seen of calls) {
      if (seen.own.outcome.state === 'unbounded' && toldAt(seen).some((each) => told.has(each))) continue
      const guard =
        seen.isClient || isClosedThere(seen) ? undefined : seen.guards.find((each) => each.kind === 'limit' && outlives(seen, each))
      if (guard?.kind !== 'limit') continue
      const key = JSON.stringify([guard.spot.source.file, guard.spot.start])
      if (reported.has(key)) continue
      reported.add(key)
      yield scanFinding(findingOf(seen, guard))
    }
  },
}

/** Clients, and calls of several callers, without a limit of which one is reported that nobody gives up: the limit that is missing there would end this work, too. */
function toldElsewhere(calls: readonly SeenCall[]): ReadonlySet<object | string> {
  return new Set(calls.flatMap((seen) => (!seen.isClient && seen.judged.outcome.state === 'unbounded' ? toldAt(seen) : [])))
}

function toldAt({ site: { client, node } }: SeenCall): readonly (object | string)[] {
  return client?.identity ? [client.identity, node] : [node]
}

const CLOSES = /^(close|destroy|disconnect|terminate|logout)$/

/** Who makes a client, gives up and closes it, ends what the client still does. */
function isClosedThere({ site: { client, at, uses } }: SeenCall): boolean {
  if (!client?.identity) return false
  const around = functionAround(at.node)
  return around !== null && functionAround(client.at.node) === around && uses.membersOf(client.identity).some((name) => CLOSES.test(name))
}

/** Work that somebody gave a limit of its own ends by that; only what has none, or a library's default, goes on unseen. */
function outlives({ own }: SeenCall, { ms, cancels }: LimitGuard): boolean {
  if (ms === null || cancels) return false
  if (own.outcome.state === 'unbounded') return true
  return own.outcome.state === 'bounded' && own.isDefault && own.outcome.ms > ms
}

function findingOf({ site, own, reading }: SeenCall, guard: LimitGuard): ScanFinding {
  const ms = guard.ms ?? 0
  const name = libraryName(site)
  const untilMs = own.outcome.state === 'bounded' ? own.outcome.ms : null
  const until = untilMs === null ? 'nothing ends it' : `only its default of ${secondsText(untilMs)} ends it`
  const by = guard.isDefault
    ? `${guard.name} gives up after ${secondsText(ms)} by default`
    : `${guard.name} gives up after ${secondsText(ms)}`
  return {
    rule: 'work-not-cancelled',
    severity: 'warning',
    message: `${by}, but ${name} is not told to stop: ${until}`,
    why: 'The work is abandoned, not cancelled: it holds its connection and the other side goes on for nobody.',
    spot: guard.work,
    label: 'goes on',
    related: [{ spot: guard.spot, label: 'the caller gives up' }],
    values: { ms, workMs: untilMs },
    suggestion: { text: `end the work as well: ${reading.remedy}`, edits: [] },
  }
}
