import type { ClientCase, Ends, Seen } from './client-case.js'
import type { Measured } from './measure.js'
import type { PeerMode } from './peers.js'

/** Timers may fire a moment early. */
const EARLY_MS = 5
/** Opening a connection, and what a machine does besides, for each attempt. */
const LATE_MS = 120
/** Opening a session with a real server, besides. */
const SESSION_MS = 300

/** Where what was measured is not what the case says, one line each. */
export function judge(one: ClientCase, measured: readonly Measured[], capMs: number): string[] {
  return [...kindProblems(one), ...measured.flatMap((each) => peerProblems(one, each, capMs).map((problem) => `${each.mode}: ${problem}`))]
}

/** Where the kind that a case claims does not fit what it says of the peers that tell kinds apart. */
export function kindProblems({ expected, seen, worstMs }: ClientCase): string[] {
  if (expected.state === 'unknown') return ['a case knows its answer']
  const { hang, stall, drip } = seen
  if (expected.state === 'unbounded')
    return [hang, stall, drip].every((each) => endsWithin(each, Number.MAX_VALUE)) ? ['unbounded, yet it always ends'] : []
  // Another limit, a far longer one, may end what this one leaves.
  const farMs = 10 * Math.max(expected.ms, range(worstMs ?? 0)[1])
  const isOver = (each: Seen | undefined) => endsWithin(each, farMs)
  const isLeft = (each: Seen | undefined) => each !== undefined && !isOver(each)
  const { kind } = expected
  if (kind === 'silence' && (isOver(drip) || isLeft(stall))) return ['a limit of silence ends what stalls and leaves what drips']
  if (kind === 'headers' && (isOver(stall) || isOver(drip))) return ['a limit of headers leaves what comes after them']
  if ((kind === 'total' || kind === 'attempt') && (isLeft(stall) || isLeft(drip))) return [`a limit of the ${kind} ends what drips`]
  return []
}

const endsWithin = (seen: Seen | undefined, ms: number) => seen !== undefined && range(seen.ends)[0] <= ms

function peerProblems(one: ClientCase, got: Measured, capMs: number): string[] {
  const seen = one.seen[got.mode]
  if (seen === undefined) return []
  const [from, to] = range(seen.ends)
  if (from > capMs) return got.end === 'pending' ? [] : [`${got.end} after ${got.ms.toFixed(0)} ms (${got.words}), not pending at ${capMs}`]
  const how = seen.how ?? 'rejects'
  const problems = got.end === how ? [] : [`${got.end} at ${got.ms.toFixed(0)} ms (${got.words}), not ${how} at ${from}`]
  const lateMs = (LATE_MS + got.latestMs) * Math.max(1, got.attempts ?? 1) + (isSession(got.mode) ? SESSION_MS : 0)
  if (got.ms < from - EARLY_MS || got.ms > to + lateMs)
    problems.push(`ended after ${got.ms.toFixed(0)} ms, not ${from === to ? from : `${from} to ${to}`}`)
  const [least, most] = range(seen.attempts ?? one.attempts ?? 1)
  if (got.attempts !== null && (got.attempts < least || got.attempts > most))
    problems.push(`${got.attempts} attempts, not ${least === most ? least : `${least} to ${most}`}`)
  const cancels = seen.cancelsWork === undefined ? (one.cancelsWork ?? true) : seen.cancelsWork
  if (cancels !== null && got.cancelsWork !== null && got.cancelsWork !== cancels)
    problems.push(got.cancelsWork ? 'the peer saw the close' : 'the peer saw no close')
  return problems
}

const isSession = (mode: PeerMode) => /postgres|mariadb|redis|rabbitmq|mongo|kafka/.test(mode)

/** From and to, both inclusive; never is Infinity. */
export function range(ends: Ends): readonly [number, number] {
  if (ends === 'never') return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  return typeof ends === 'number' ? [ends, ends] : ends
}
