import type { Diagnostic } from '../../model/diagnostic.js'
import { type FoundIgnored, ignoredIn, ignoredInMade } from '../calls/ignored-in.js'
import { outsideName } from '../guards/wrapping.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { ScanView, SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import type { Module } from '../syntax/module.js'
import { argsOf } from '../terms/args-of.js'

/** An option that looks like a limit and that the library does not look at. What a model finds of this kind stands in its reading. */
export const ignoredOption: ScanRule = {
  id: 'ignored-option',
  severity: 'warning',
  summary: 'a limit that is written and has no effect',
  *check(view) {
    const reported = new Set<string>()
    for (const { name, found, left } of foundIn(view)) {
      const key = JSON.stringify([found.spot.source.file, found.spot.start])
      if (reported.has(key)) continue
      reported.add(key)
      yield findingOf(name, found, left)
    }
  },
}

interface Found {
  readonly name: string
  readonly found: FoundIgnored
  /** What ends the call all the same; null where nothing is to be said of it. */
  readonly left: string | null
}

function* foundIn(view: ScanView): Iterable<Found> {
  for (const seen of view.calls) {
    for (const found of ignoredIn(seen)) yield { name: libraryName(seen.site), found, left: found.in === 'call' ? leftOf(seen) : null }
  }
  for (const module of view.modules) yield* withoutModel(module, view)
}

function* withoutModel(module: Module, { evaluator }: ScanView): Iterable<Found> {
  for (const node of module.calls) {
    if (node.type === 'TaggedTemplateExpression') continue
    const name = outsideName(evaluator.termOf(node.callee, module))
    if (name === null) continue
    for (const found of ignoredInMade(name, argsOf(node, module, evaluator), evaluator))
      yield { name: name.replace(/^node:/, '').replace(/:.*$/, ''), found, left: null }
  }
}

function leftOf({ judged }: SeenCall): string | null {
  const { outcome, isDefault } = judged
  if (outcome.state === 'unbounded') return 'nothing ends the call'
  return outcome.state === 'bounded' && isDefault ? `only its default of ${secondsText(outcome.ms)} ends the call` : null
}

function findingOf(name: string, { option, value, effect, spot, instead }: FoundIgnored, left: string | null): Diagnostic {
  const finding: ScanFinding = {
    rule: 'ignored-option',
    severity: 'warning',
    message: `${option} ${value} ${effect ?? `is no option of ${name} and has no effect`}${left === null ? '' : `; ${left}`}`,
    why: 'The limit looks as if it were there, and nothing ends the wait.',
    spot,
    label: 'has no effect',
    values: { [`${option}Ms`]: value },
    suggestion: { text: `write ${instead.replaceAll('…', String(value))}`, edits: [] },
  }
  return scanFinding(finding)
}
