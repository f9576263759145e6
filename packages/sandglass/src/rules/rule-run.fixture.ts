import type { Diagnostic } from '../model/diagnostic.js'
import { readChainText } from '../model/read-chain.js'
import type { Rule } from '../model/rule.js'
import type { Spot } from '../model/sourced.js'
import { viewOf } from '../model/view.js'

/** What a rule finds in the text of a chain file; the `sandglass: 1` line is added. Throws when the text has problems. */
export function findings(rule: Rule, text: string): Diagnostic[] {
  const { chain, problems } = readChainText(`sandglass: 1\n${text}`)
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.message).join('\n'))
  return [...rule.check(viewOf(chain))]
}

/** The one finding of a rule. Throws when there is none or more than one. */
export function onlyFinding(rule: Rule, text: string): Diagnostic {
  const found = findings(rule, text)
  const [first] = found
  if (!first || found.length > 1) throw new Error(`${found.length} findings: ${found.map(({ message }) => message).join('; ')}`)
  return first
}

/** The text a spot underlines. */
export function underlined(spot: Spot): string {
  return spot.source.text.slice(spot.start, spot.end)
}

/** Factors as `name = value (declared or default)`. */
export function factorLines(diagnostic: Diagnostic): string[] {
  return diagnostic.factors.map(({ name, value, origin }) => `${name} = ${value} (${origin.kind})`)
}

/** The text after a finding's edits. */
export function mended(diagnostic: Diagnostic, text: string): string {
  const whole = `sandglass: 1\n${text}`
  const edits = [...(diagnostic.suggestion?.edits ?? [])].sort((a, b) => b.spot.start - a.spot.start)
  const out = edits.reduce((now, { spot, text: put }) => now.slice(0, spot.start) + put + now.slice(spot.end), whole)
  return out.slice('sandglass: 1\n'.length)
}
