import type { BoundKind } from '@sandglass/runtime/core'
import type { ScannedCall } from './scanned-call.js'

/**
 * What became of a call's bound: it may take longer than before (`weaker`), it ends sooner (`tighter`), or it is another one that cannot
 * be compared (`unclear`): it is not known on one side, or limits another stretch of the call.
 */
export type CallChangeKind = 'weaker' | 'tighter' | 'unclear'

/** A call whose bound is not what it was. */
export interface CallChange {
  readonly kind: CallChangeKind
  readonly before: ScannedCall
  readonly after: ScannedCall
}

/** Two scans of the same texts, compared. */
export interface ComparedScans {
  /** The weaker ones first, then as they stand in the files. */
  readonly changes: readonly CallChange[]
  /** Calls that were compared. */
  readonly calls: number
}

const order: Readonly<Record<CallChangeKind, number>> = { weaker: 0, unclear: 1, tighter: 2 }

/** Compares the calls of two scans of the same texts, each made with the versions of another lockfile. */
export function compareScans(before: readonly ScannedCall[], after: readonly ScannedCall[]): ComparedScans {
  const old = new Map(before.map((call) => [identityOf(call), call]))
  const pairs = after.flatMap((call) => {
    const was = old.get(identityOf(call))
    return was ? [{ before: was, after: call }] : []
  })
  const changes = pairs.flatMap((pair) => {
    const kind = changeOf(pair.before, pair.after)
    return kind ? [{ kind, ...pair }] : []
  })
  return { changes: changes.sort((a, b) => order[a.kind] - order[b.kind]), calls: pairs.length }
}

function identityOf({ spot, library }: ScannedCall): string {
  return `${spot.start} ${spot.end} ${library} ${spot.source.file}`
}

/** How long a call may take, all attempts included, in ms; Infinity where nothing ends it, null where that is not known. */
export function longestMs({ outcome, worstMs }: ScannedCall): number | null {
  if (outcome.state === 'unbounded') return Number.POSITIVE_INFINITY
  return outcome.state === 'unknown' ? null : (worstMs ?? outcome.ms)
}

/** A bound of these kinds ends the whole call; the others end a part of it, such as a silence. */
function endsTheCall(kind: BoundKind): boolean {
  return kind === 'total' || kind === 'attempt'
}

function changeOf(before: ScannedCall, after: ScannedCall): CallChangeKind | null {
  const [was, is] = [longestMs(before), longestMs(after)]
  if (was === null || is === null) return was === is ? null : 'unclear'
  return kindChange(before, after) ?? (is > was ? 'weaker' : is < was ? 'tighter' : null)
}

/** What the kinds alone decide: a limit of the whole call is worth more than a longer or shorter one of a part. */
function kindChange({ outcome: was }: ScannedCall, { outcome: is }: ScannedCall): CallChangeKind | null {
  if (was.state !== 'bounded' || is.state !== 'bounded') return null
  const [ended, ends] = [endsTheCall(was.kind), endsTheCall(is.kind)]
  if (ended !== ends) return ended ? 'weaker' : 'tighter'
  return ended || was.kind === is.kind ? null : 'unclear'
}
