/** What a library made of a header that came in: a budget, nothing, or a refusal of the whole request. */
export interface Read {
  /** The budget it reads, ms; absent: none. */
  readonly ms?: number
  /** It ends the request at once although the budget it reads is long. */
  readonly endedAtOnce?: boolean
  readonly refused?: string
  /** It says that the header made no sense (only this package does). */
  readonly malformed?: boolean
}

/** What a library sends for a budget. */
export interface Written {
  readonly sent: boolean
  readonly text?: string
}

/** A library's answer in words, and whether it is the one that is written in the cases. */
export interface Verdict {
  readonly is: 'right' | 'refused' | 'wrong'
  readonly says: string
}

const LONGEST_MS = 9_999_999_999

/** Judges what a server read; refusing the request is stricter than the contract for a malformed header, and wrong for a good one. */
export function judgeRead(expected: unknown, read: Read): Verdict {
  const says = wordsOf(read)
  const { ms, fault } = expected as { ms?: number; fault?: string }
  if (read.refused !== undefined) return { is: fault === undefined ? 'wrong' : 'refused', says }
  if (read.endedAtOnce === true && ms !== 0) return { is: 'wrong', says }
  if (fault !== undefined || ms === undefined) return { is: read.ms === undefined ? 'right' : 'wrong', says }
  if (read.ms === undefined) return { is: 'wrong', says }
  // A fraction of a ms is still time; beyond the longest all are one.
  const near = ms > 0 && ms < 1 ? read.ms > 0 && read.ms <= 1 : read.ms === ms || (ms === LONGEST_MS && read.ms >= ms)
  return { is: near ? 'right' : 'wrong', says }
}

/** Judges what a client sent. */
export function judgeWritten(expected: unknown, { sent, text }: Written): Verdict {
  const says = sent ? (text === undefined ? 'sent without a limit' : `\`${text}\``) : 'not sent'
  if (expected === 'expired') return { is: sent ? 'wrong' : 'right', says }
  if (expected === 'absent') return { is: sent && text === undefined ? 'right' : 'wrong', says }
  return { is: text === (expected as { text: string }).text ? 'right' : 'wrong', says }
}

function wordsOf(read: Read): string {
  if (read.refused !== undefined) return `refuses the request: ${read.refused}`
  if (read.ms === undefined) return read.malformed === true ? 'no budget, counted' : 'no budget'
  if (read.endedAtOnce === true) return `${read.ms} ms, yet ends the request at once`
  return read.ms < 0 ? `${read.ms} ms: ends the request at once` : `${read.ms} ms`
}
