import type { CallChangeKind } from '../scan/calls/compare-scans.js'
import {
  boundWords,
  type ChangeGroup,
  countChanges,
  factorChanges,
  groupChanges,
  type LockfileDiff,
  placeText,
  versionsText,
} from './diff-report.js'
import { type FramePlace, frameLines } from './frame.js'
import { type Palette, plainStyle, type TextStyle } from './palette.js'
import { printable } from './printable.js'
import { counted } from './text.js'
import { wrap } from './wrap.js'

const heads: Readonly<Record<CallChangeKind, string>> = { weaker: 'error weaker', unclear: 'info unclear', tighter: 'info tighter' }
/** Places beyond this are counted. */
const MAX_PLACES = 20

/** What two lockfiles make of the calls, for people: each change with its places and its reason; then what was looked at. */
export function diffText(diff: LockfileDiff, style: TextStyle = plainStyle): string {
  const groups = groupChanges(diff.changes).map((group) => groupLines(group, diff, style).join('\n'))
  return `${[...groups, diffSummary(diff, style.palette)].join('\n\n')}\n`
}

function groupLines(group: ChangeGroup, diff: LockfileDiff, style: TextStyle): string[] {
  const { palette } = style
  const { kind, first, changes } = group
  const inner: TextStyle = { ...style, width: style.width - 2 }
  const head = heads[kind]
  const [line = '', ...rest] = wrap(`${head}  ${printable(sentence(group))}`, style.width, '  ')
  const paint = kind === 'weaker' ? palette.error : palette.info
  const own: FramePlace = { spot: first.after.spot, label: `was ${boundWords(first.before)}, now ${boundWords(first.after)}`, paint }
  const locked = diff.lockedAt(first.after)
  const places = locked ? [own, { spot: locked, label: `was ${first.before.version ?? 'not known'}`, paint: palette.place }] : [own]
  const below = [
    ...frameLines(places, inner),
    ...factorChanges(first).flatMap((each) => wrap(printable(each), inner.width, '  ')),
    ...alsoAt(
      changes.slice(1).map(({ after }) => placeText(after.spot)),
      inner.width,
    ),
  ]
  return [
    paint(line.slice(0, head.length)) + palette.strong(line.slice(head.length)),
    ...rest.map(palette.strong),
    ...below.map((each) => `  ${each}`.trimEnd()),
  ]
}

/** `this call's bound goes from 30 s to none (elasticsearch-js 8.19.1 -> 9.4.3)`. */
function sentence({ first, changes }: ChangeGroup): string {
  const subject = changes.length === 1 ? "this call's bound goes" : `the bounds of ${changes.length} calls go`
  return `${subject} from ${boundWords(first.before)} to ${boundWords(first.after)} (${versionsText(first)})`
}

function alsoAt(places: readonly string[], width: number): string[] {
  if (places.length === 0) return []
  const rest = places.length - MAX_PLACES
  const shown = places.slice(0, MAX_PLACES).map(printable).join(', ')
  return wrap(`also ${shown}${rest > 0 ? ` and ${counted(rest, 'more place')}` : ''}`, width, '     ')
}

/** `1 call weaker, 2 tighter; 13 of 16 calls as they were. 5 packages changed. Not read: 2 files.` */
export function diffSummary({ changes, calls, versions, notRead }: LockfileDiff, palette: Palette = plainStyle.palette): string {
  const { weaker, tighter, unclear } = countChanges(changes)
  const counts = [
    weaker > 0 ? palette.error(`${counted(weaker, 'call')} weaker`) : '',
    tighter > 0 ? palette.info(`${counted(tighter, 'call')} tighter`) : '',
    unclear > 0 ? palette.info(`${counted(unclear, 'call')} unclear`) : '',
  ].filter((part) => part !== '')
  const found =
    counts.length === 0
      ? `${palette.good('No bound changed')} in ${counted(calls, 'call')}`
      : `${counts.join(', ')}; ${calls - changes.length} of ${counted(calls, 'call')} as before`
  const packages = new Set(versions.map(({ packageName }) => packageName)).size
  const left = notRead.length > 0 ? ` Not read: ${counted(notRead.length, 'file')}.` : ''
  return `${found}. ${packages === 0 ? 'No package' : counted(packages, 'package')} changed version.${left}`
}
