import { type BoundKind, formatDuration } from '@sandglass/runtime/core'
import type { Note } from '../model/diagnostic.js'
import { placeOf, type Spot } from '../model/sourced.js'
import { type CallChange, type CallChangeKind, longestMs } from '../scan/calls/compare-scans.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import type { VersionChange } from '../scan/lockfile/changed-versions.js'
import type { NotRead } from './check-report.js'

/** What two lockfiles make of the calls of one project. */
export interface LockfileDiff {
  /** As the user named them. */
  readonly before: string
  readonly after: string
  readonly versions: readonly VersionChange[]
  readonly changes: readonly CallChange[]
  /** Calls that were compared. */
  readonly calls: number
  /** Where the new lockfile has the version of a changed call; null where it has none. */
  readonly lockedAt: (call: ScannedCall) => Spot | null
  readonly notRead: readonly NotRead[]
  readonly notes: readonly Note[]
}

/** Calls that changed in the same way, for the same reason: said once. */
export interface ChangeGroup {
  readonly kind: CallChangeKind
  readonly first: CallChange
  readonly changes: readonly CallChange[]
}

/** Changes of one library between the same versions and bounds are one group, in the order of their first ones. */
export function groupChanges(changes: readonly CallChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, CallChange[]>()
  for (const change of changes) {
    const key = [change.kind, change.after.library, versionsText(change), boundWords(change.before), boundWords(change.after)].join('\n')
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()].flatMap((same) => {
    const [first] = same
    return first ? [{ kind: first.kind, first, changes: same }] : []
  })
}

/** A library by the package that has the version, as people install it. */
export function packageText({ library, packageName }: Pick<CallChange['after'], 'library' | 'packageName'>): string {
  return packageName ?? library
}

/** `@elastic/elasticsearch 8.19.1 -> 9.4.3`. */
export function versionsText({ before, after }: CallChange): string {
  const [was, is] = [before.version ?? 'version not known', after.version ?? 'version not known']
  const name = packageText(after)
  return was === is ? `${name} ${is}` : `${name} ${was} -> ${is}`
}

const parts: Readonly<Record<BoundKind, string>> = {
  total: '',
  attempt: '',
  silence: ' of silence',
  headers: ' to the headers',
  connect: ' to connect',
  queue: ' of waiting for a connection',
  write: ' to send',
  statement: ' at the server',
  lock: ' for a lock',
}

/** A call's bound in words: `30 s`, `6.9 s in all` (all attempts or stretches), `5 min of silence`, `none`, `not known`. */
export function boundWords(call: ScannedCall): string {
  const { outcome } = call
  const longest = longestMs(call)
  if (outcome.state === 'unbounded') return 'none'
  if (outcome.state === 'unknown' || longest === null) return 'not known'
  const tries = longest > outcome.ms ? ' in all' : ''
  return `${formatDuration(longest)}${parts[outcome.kind]}${tries}`
}

/** `file:line:column` of a spot. */
export function placeText(spot: Spot): string {
  const { file, line, column } = placeOf(spot)
  return `${file}:${line}:${column}`
}

/** What changed of the values that decide a bound: `timeout 10 s (default) -> 30 s (default)`, `requestTimeout 30 s (default) no longer counts`. */
export function factorChanges({ before, after }: CallChange): readonly string[] {
  const [old, now] = [factorsOf(before), factorsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)]
    if (was === is) return []
    if (is === undefined) return [`${name} ${was} no longer counts`]
    return [was === undefined ? `${name} ${is} counts now` : `${name} ${was} -> ${is}`]
  })
}

function factorsOf({ factors }: ScannedCall): ReadonlyMap<string, string> {
  return new Map(
    factors.map(({ name, value, unit, origin }) => {
      const shown = value === null ? 'none' : unit === 'ms' && typeof value === 'number' ? formatDuration(value) : String(value)
      return [name, origin.kind === 'default' ? `${shown} (default)` : shown]
    }),
  )
}

/** How many calls changed in each way. */
export function countChanges(changes: readonly CallChange[]): Readonly<Record<CallChangeKind, number>> {
  const count = (kind: CallChangeKind): number => changes.filter((change) => change.kind === kind).length
  return { weaker: count('weaker'), tighter: count('tighter'), unclear: count('unclear') }
}
