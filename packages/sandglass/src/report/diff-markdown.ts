import type { VersionChange } from '../scan/lockfile/changed-versions.js'
import { boundWords, type ChangeGroup, countChanges, groupChanges, type LockfileDiff, packageText, placeText } from './diff-report.js'
import { diffSummary } from './diff-text.js'
import { markdownCell } from './markdown-cell.js'
import { counted } from './text.js'

/** A pull request's comment holds 65 536 characters; what does not fit is counted. */
const MAX_ROWS = 100
const MAX_PLACES = 5

/** What two lockfiles make of the calls as a pull-request comment: the bounds that changed, and the versions in a folded table. */
export function diffMarkdown(diff: LockfileDiff): string {
  const { weaker } = countChanges(diff.changes)
  const groups = groupChanges(diff.changes)
  const head =
    weaker > 0 ? `${counted(weaker, 'call')} may take longer` : groups.length > 0 ? 'no call may take longer' : 'no bound changed'
  const parts = [`### Sandglass: ${head}`, diffSummary(diff)]
  if (groups.length > 0) parts.push(table('| | call | bound before | bound now | library |', groups.map(groupRow)))
  if (diff.versions.length > 0)
    parts.push(
      [
        '<details>',
        `<summary>${counted(diff.versions.length, 'changed version')}</summary>`,
        '',
        table('| package | for | before | now |', diff.versions.map(versionRow)),
        '',
        '</details>',
      ].join('\n'),
    )
  return `${parts.join('\n\n')}\n`
}

function table(head: string, rows: readonly string[]): string {
  const rest = rows.length - MAX_ROWS
  const rule = head.replace(/[^|]+/g, '---')
  return [head, rule, ...rows.slice(0, MAX_ROWS), ...(rest > 0 ? ['', `… and ${rest} more`] : [])].join('\n')
}

function groupRow({ kind, first, changes }: ChangeGroup): string {
  const places = changes.slice(0, MAX_PLACES).map(({ after }) => markdownCell(placeText(after.spot)))
  const rest = changes.length - places.length
  const shown = `${places.join('<br>')}${rest > 0 ? `<br>and ${rest} more` : ''}`
  const { before, after } = first
  const versions = `${packageText(after)} ${before.version ?? '?'} -> ${after.version ?? '?'}`
  return `| ${kind} | ${shown} | ${markdownCell(boundWords(before))} | **${markdownCell(boundWords(after))}** | ${markdownCell(versions)} |`
}

function versionRow({ packageName, importer, before, after }: VersionChange): string {
  const who = importer === null ? 'other packages' : importer === '' ? 'the root' : importer
  const version = (side: VersionChange['before']): string => (side === null ? '' : (side.version ?? 'no version'))
  return `| ${[packageName, who, version(before), version(after)].map(markdownCell).join(' | ')} |`
}
