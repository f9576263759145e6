import type { CallChange } from '../scan/calls/compare-scans.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import type { VersionChange } from '../scan/lockfile/changed-versions.js'
import type { Locked } from '../scan/lockfile/lockfile.js'
import { countChanges, type LockfileDiff } from './diff-report.js'
import { jsonFactor, jsonPlace, jsonText, SCHEMA_VERSION } from './json.js'
import { jsonNotes } from './json-note.js'

/** What two lockfiles make of the calls as one JSON document, described by `schema/diff.schema.json`. */
export function diffJson(diff: LockfileDiff): string {
  const { before, after, changes, versions, calls, notRead, notes } = diff
  const document = {
    schemaVersion: SCHEMA_VERSION,
    before,
    after,
    summary: { ...countChanges(changes), calls },
    changes: changes.map((change) => changeJson(change, diff)),
    versions: versions.map(versionJson),
    notRead,
    notes: jsonNotes(notes),
  }
  return jsonText(document, changes.length + versions.length)
}

function changeJson({ kind, before, after }: CallChange, { lockedAt }: LockfileDiff): object {
  const locked = lockedAt(after)
  return {
    change: kind,
    at: jsonPlace(after.spot),
    library: after.library,
    target: after.target,
    before: sideJson(before),
    after: sideJson(after),
    lockedAt: locked && jsonPlace(locked),
  }
}

function sideJson({ version, outcome, worstMs, factors }: ScannedCall): object {
  const isBounded = outcome.state === 'bounded'
  return {
    version,
    outcome: outcome.state,
    ms: isBounded ? outcome.ms : null,
    kind: isBounded ? outcome.kind : null,
    worstMs,
    factors: factors.map(jsonFactor),
  }
}

function versionJson({ packageName, importer, before, after }: VersionChange): object {
  return { package: packageName, importer, before: lockedJson(before), after: lockedJson(after) }
}

function lockedJson(locked: Locked | null): object | null {
  return locked && { name: locked.name, version: locked.version, at: jsonPlace(locked.spot) }
}
