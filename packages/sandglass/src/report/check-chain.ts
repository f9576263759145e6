import type { Chain } from '../model/chain.js'
import type { Note, Problem } from '../model/diagnostic.js'
import { applyIgnores } from '../model/ignores.js'
import type { Rule } from '../model/rule.js'
import type { Source } from '../model/sourced.js'
import { viewOf } from '../model/view.js'
import { chainReport } from './chain-report.js'
import type { CheckReport, NotRead } from './check-report.js'
import { runRules } from './run-rules.js'
import { applySeverities } from './severity-settings.js'

/** What a check is given besides the chain; all of it may be left out. */
export interface CheckInput {
  /** The texts the chain was read from: their `# sandglass-ignore` comments are honoured. */
  readonly sources?: readonly Source[]
  /** What was assumed when the chain was read. */
  readonly notes?: readonly Note[]
  readonly notRead?: readonly NotRead[]
  /** Every rule there is, when `rules` are only some of them: a comment may name any. */
  readonly knownRules?: readonly string[]
  /** Hears what is being done. */
  readonly onStep?: (what: string) => void
}

/** What was found, comments that are not well formed, and how many findings comments silence. */
export interface Checked {
  readonly report: CheckReport
  readonly problems: readonly Problem[]
  readonly silenced: number
}

/** Checks a chain with some rules: rules, then the chain's own severities, then the comments. Pure. */
export function checkChain(chain: Chain, rules: readonly Rule[], input: CheckInput = {}): Checked {
  const { sources = [], notes = [], notRead = [], onStep = () => {} } = input
  onStep('adding up the limits')
  const view = viewOf(chain)
  const found = applySeverities(
    runRules(view, rules, (id) => onStep(`rule ${id}`)),
    chain.check,
  )
  const ids = rules.map(({ id }) => id)
  const { diagnostics, problems, notes: unused, silenced } = applyIgnores(found, sources, input.knownRules ?? ids, ids)
  const all = [...notes, ...leftOutNotes(view.situations.leftOut), ...unused]
  return { report: chainReport(view, diagnostics, all, notRead), problems, silenced }
}

function leftOutNotes(leftOut: number): readonly Note[] {
  if (leftOut === 0) return []
  return [
    {
      message: `${leftOut} situations were not looked at: operations are reached in too many different ways; those with the least time were kept`,
      spot: null,
    },
  ]
}
