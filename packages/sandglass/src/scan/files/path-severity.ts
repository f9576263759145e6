import type { Diagnostic } from '../../model/diagnostic.js'
import { secondsText } from '../seconds-text.js'
import type { Idleness } from './idle-functions.js'

/** Folders of what people start by hand: a call there that waits long holds nobody up but them. Deeper `tools/` are those of agents. */
const BY_HAND =
  /(^|\/)(([\w-]+-)?scripts?|([\w-]+-)?examples?|examples?-(apps?|server|project)|samples?|([\w-]+-)?demos?|docs|docs-site|dev-env|hack|benchmarks?|bench|([\w-]+-)?migrations?([-_]?(db|sql|data|files|scripts))?|seeds?|seeders?|evals?)\/|^((packages|apps)\/[^/]+\/)?tools\/|^cookbooks?\//
/** Files of their own for such: a seed, a migration, what builds, what judges a model. */
const FILE_BY_HAND =
  /(^|\/)((seed|migrate|migration)([.-][\w-]+)?|(vite|webpack|rollup|tsup|esbuild|eslint|metro|babel)\.config)\.[cm]?[jt]s$|\.evals?\.[cm]?[jt]s$/

/** True for a file that people start by hand: a script, an example, a migration. */
export function isStartedByHand(file: string): boolean {
  return BY_HAND.test(file) || FILE_BY_HAND.test(file)
}

/** A finding as severe as its place makes it: in what is started by hand, or runs in a browser, it holds up one person. */
export function severityOfPath(one: Diagnostic, holdsUpOne: (spot: Diagnostic['spot']) => boolean = () => false): Diagnostic {
  return one.severity !== 'info' && (isStartedByHand(one.spot.source.file) || holdsUpOne(one.spot)) ? { ...one, severity: 'info' } : one
}

/** A finding in what the platform ends sooner or later: a call that nothing else ends holds nobody up for ever, and one that is tried again may never get that far. */
export function ofEndedFunction(one: Diagnostic, endMs: number): Diagnostic {
  if (one.rule !== 'unbounded-call' && !isTriedBeyond(one, endMs)) return one
  const severity = one.severity === 'error' ? 'warning' : one.severity
  return { ...one, severity, message: `${one.message}; the platform ends the function after at most ${secondsText(endMs)}` }
}

/** All attempts together take longer than the platform waits, or nobody can tell how many there are. */
function isTriedBeyond({ rule, values: { ms, attempts = 1 } }: Diagnostic, endMs: number): boolean {
  return rule === 'default-bound' && (attempts === null || Number(ms) * Number(attempts) > endMs)
}

/** Why what a finding stands in holds up nobody who is served. */
export type Aside = Idleness | 'developed'

const WORDS: Readonly<Record<Aside, string>> = {
  uncalled: 'nothing here calls it',
  unasked: 'nothing here asks it anything',
  unused: 'nothing here uses its file',
  broken: 'its file cannot be loaded',
  built: 'only the build of pages calls it',
  'by hand': 'only scripts call it',
  developed: 'only development runs it',
}

/** A finding in what holds up nobody who is served, with the reason. */
export function setAside(one: Diagnostic, why: Aside): Diagnostic {
  return { ...one, severity: 'info', message: `${one.message}; ${WORDS[why]}` }
}
