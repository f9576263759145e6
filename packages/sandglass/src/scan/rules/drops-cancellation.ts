import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { ScanView, SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { bothSignals } from '../signals/both-signals.js'
import { type HandedSignal, handedSignal } from '../signals/handed-signal.js'
import { outsideTypeOf } from '../terms/global-type.js'
import { findProperty } from '../terms/property.js'
import type { ParameterTerm, Term } from '../terms/term.js'

/** Types of options that have a signal. */
const WITH_SIGNAL = /^(RequestInit|AxiosRequestConfig|InternalAxiosRequestConfig|OptionsInit|OptionsOf\w+|Options|RequestOptions)$/

/** A limit that takes the place of the signal a caller hands in. */
export const dropsCancellation: ScanRule = {
  id: 'drops-cancellation',
  severity: 'info',
  summary: "the limit takes the place of the caller's signal",
  *check(view) {
    const known = new Set<object>()
    for (const seen of view.calls) {
      if (seen.isClient || known.has(seen.site.node)) continue
      known.add(seen.site.node)
      const handed = handedSignal(seen, view.evaluator)
      if (handed?.kind === 'dropped' && isSignalHandedIn(handed, view)) yield scanFinding(findingOf(seen, handed))
    }
  },
}

/** Sure where a caller hands one in; where nobody is seen to call, or not what is given, the type tells. */
function isSignalHandedIn({ parameter }: HandedSignal, { callersOf }: ScanView): boolean {
  if (listensToAbort(parameter)) return false
  const given = callersOf(parameter.of).map(({ args }) => args[parameter.index])
  if (given.some(hasSignal)) return true
  if (given.length > 0 && given.every(isWithoutSignal)) return false
  return WITH_SIGNAL.test(outsideTypeOf(parameter) ?? '')
}

/** Nothing is given, or an object that is written down whole. */
function isWithoutSignal(term: Term | undefined): boolean {
  if (!term || term.kind === 'constant') return true
  if (term.kind !== 'object') return false
  const { value, mayBeReplacedBy } = findProperty(term, 'signal')
  return mayBeReplacedBy.length === 0 && (value === null || value.kind === 'constant')
}

/** `signal.addEventListener('abort', () => controller.abort())`: what is handed in counts too. */
function listensToAbort({ of, module }: ParameterTerm): boolean {
  return /\.addEventListener\(\s*['"]abort['"]/.test(module.source.text.slice(of.start, of.end))
}

function hasSignal(term: Term | undefined): boolean {
  if (term?.kind !== 'object') return false
  const { value } = findProperty(term, 'signal')
  return value !== null && value.kind !== 'constant'
}

function findingOf({ site }: SeenCall, { ms }: HandedSignal): ScanFinding {
  return {
    rule: 'drops-cancellation',
    severity: 'info',
    message: `${ms === null ? 'the limit' : `the limit of ${secondsText(ms)}`} takes the place of a signal that is handed in: drops the caller's cancellation`,
    why: 'When the caller gives up, this call goes on until its own limit.',
    spot: site.spot,
    label: 'goes on when the caller has left',
    values: { ms },
    suggestion: {
      text: `where a signal is handed in, let both count: ${bothSignals(ms)}`,
      edits: [],
    },
  }
}
