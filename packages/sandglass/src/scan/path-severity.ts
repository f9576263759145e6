import type { Diagnostic } from '../model/diagnostic.js'

/** Folders of what people start by hand: a call there that waits long holds nobody up but them. */
const BY_HAND = /(^|\/)(scripts?|examples?|samples?|demos?|docs|benchmarks?|bench|tools|migrations?|seeds?|seeders?)\//

/** True for a file that people start by hand: a script, an example, a migration. */
export function isStartedByHand(file: string): boolean {
  return BY_HAND.test(file)
}

/** A finding as severe as the place of its file makes it: what is started by hand is worth a note. */
export function severityOfPath(one: Diagnostic): Diagnostic {
  return one.severity !== 'info' && isStartedByHand(one.spot.source.file) ? { ...one, severity: 'info' } : one
}
