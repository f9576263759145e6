import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { Caller, ScanView, SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { bothSignals } from '../signals/both-signals.js'
import { type HandedSignal, handedSignal } from '../signals/handed-signal.js'
import { signalForCaller } from '../signals/limit-replaced.js'
import { spotOf } from '../syntax/module.js'

/** A limit whose place the signal of a caller takes. */
export const replaceableLimit: ScanRule = {
  id: 'replaceable-limit',
  severity: 'warning',
  summary: "a caller's signal takes the place of the limit",
  *check(view) {
    const known = new Set<object>()
    const told = new Set<object>()
    for (const seen of view.calls) {
      if (seen.isClient || known.has(seen.site.node)) continue
      known.add(seen.site.node)
      const handed = handedSignal(seen, view.evaluator)
      if (handed?.kind === 'replaced') yield* findingsOf(seen, handed, view, told)
    }
  },
}

/** `told`: where the signals are made that were told of; a helper that gives them to several calls is one cause. */
function* findingsOf(seen: SeenCall, handed: HandedSignal, { callersOf, evaluator }: ScanView, told: Set<object>) {
  const callers = callersOf(handed.parameter.of)
  const readings = callers.map((caller) => ({ caller, kind: signalForCaller(handed, caller, evaluator).kind }))
  const removing = readings.filter(({ kind }) => kind === 'cancel-only')
  for (const { caller } of removing) yield scanFinding(atCaller(seen, handed, caller))
  const mayBe = callers.length === 0 || readings.some(({ kind }) => kind === 'unknown')
  if (removing.length > 0 || !mayBe || (handed.madeAt && told.has(handed.madeAt.node))) return
  if (handed.madeAt) told.add(handed.madeAt.node)
  yield scanFinding(atWrapper(seen, handed))
}

const LIMIT = (ms: number | null) => (ms === null ? 'the limit' : `the limit of ${secondsText(ms)}`)

function atWrapper({ site }: SeenCall, { ms, by }: HandedSignal): ScanFinding {
  const how = by === 'spread' ? 'what is spread after it' : 'a signal that is handed in'
  return {
    rule: 'replaceable-limit',
    severity: 'warning',
    message: `${LIMIT(ms)} holds only as long as no caller brings a signal: ${how} takes its place`,
    why: 'A caller that wants to be able to cancel takes the limit away, and does not know it.',
    spot: site.spot,
    label: `${ms === null ? 'limited' : secondsText(ms)}, unless a signal is handed in`,
    values: { ms },
    suggestion: { text: `where a signal is handed in, let both count: ${bothSignals(ms)}`, edits: [] },
  }
}

function atCaller({ site }: SeenCall, { ms }: HandedSignal, caller: Caller): ScanFinding {
  return {
    rule: 'replaceable-limit',
    severity: 'error',
    message: `this signal can only cancel, and takes the place of ${LIMIT(ms)}: nothing ends ${libraryName(site)} by the clock`,
    why: 'Who hands in a signal to be able to cancel has lost the limit by it.',
    spot: spotOf(caller.node, caller.module),
    label: 'takes the limit away',
    related: [{ spot: site.spot, label: `${LIMIT(ms)} was meant for this` }],
    values: { ms },
    suggestion: { text: `let both count in the wrapper: ${bothSignals(ms)}`, edits: [] },
  }
}
