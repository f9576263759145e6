import type { Diagnostic } from '../model/diagnostic.js'

/** Folders of what people start by hand: a call there that waits long holds nobody up but them. */
const BY_HAND = /(^|\/)(scripts?|examples?|samples?|demos?|docs|benchmarks?|bench|tools|migrations?|seeds?|seeders?)\//

/** A finding as severe as the place of its file makes it: what is started by hand is worth a note. */
export function severityOfPath(one: Diagnostic): Diagnostic {
  return one.severity !== 'info' && BY_HAND.test(one.spot.source.file) ? { ...one, severity: 'info' } : one
}
