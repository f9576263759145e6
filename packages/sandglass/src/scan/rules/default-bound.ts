import type { Spot } from '../../model/sourced.js'
import { asideLast } from '../calls/aside-last.js'
import { causeKey, clientAt, givenOptions, helperOf, isAskedBefore, sharedOptions } from '../calls/cause-key.js'
import { hasIgnoredLimit } from '../calls/ignored-in.js'
import { isDropped } from '../calls/is-dropped.js'
import { clientsOfCalls, isJudgedByCalls } from '../calls/judged-by-calls.js'
import { type Reading, whenOf } from '../limits/reading.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { cancelOnlyRelated, limitText } from '../signals/cancel-only-spot.js'
import { isLimitReplaced } from '../signals/limit-replaced.js'
import { causeOf, inBranches, listed, othersOf, placeOf } from './unbounded-call.js'

/** Below this a library's own default is a limit that somebody may have meant. */
const LONG_MS = 15_000

/** What a default ends for one reason. */
interface Cause {
  seen: SeenCall
  /** Where those are made, or asked, that one place would limit. */
  readonly made: Map<string, Spot>
  /** Calls that ask the same in another branch. */
  readonly branches: Spot[]
}

/** A call that only its library's own long default ends. */
export const defaultBound: ScanRule = {
  id: 'default-bound',
  severity: 'warning',
  summary: "a call that only its library's own long default ends",
  *check({ calls, evaluator, isAside }) {
    const byCause = new Map<string, Cause>()
    // A call of which nobody can tell says nothing against what its client alone would wait.
    const judgedByCalls = clientsOfCalls(calls.filter((seen) => seen.judged.outcome.state !== 'unknown' || isEndedSometime(seen)))
    const open = new Set(calls.filter(({ judged }) => judged.outcome.state === 'unbounded').map((seen) => ofLibrary(seen, causeOf(seen))))
    for (const seen of asideLast(calls.filter(isEndedLate), spotOf, isAside)) {
      if (isJudgedByCalls(seen, judgedByCalls)) continue
      if (isLimitReplaced(seen, evaluator) || hasIgnoredLimit(seen)) continue
      // What has no limit at all there says more.
      if (open.has(ofLibrary(seen, spotOf(seen)))) continue
      const key = causeKey(seen, spotOf(seen))
      const known: Cause = byCause.get(key) ?? { seen, made: new Map(), branches: [] }
      if (known.seen !== seen && isAskedBefore(seen, spotOf(seen))) {
        known.branches.push(seen.site.spot)
        continue
      }
      // Of calls that share what they are given one that somebody waits for tells more.
      if (isDropped(known.seen) && !isDropped(seen)) known.seen = seen
      const home = clientAt(seen.site.client, spotOf(seen))?.spot ?? seen.site.spot
      if (isShared(seen)) known.made.set(placeOf(home), home)
      byCause.set(key, known)
    }
    for (const { seen, made, branches } of byCause.values()) yield scanFinding(findingOf(seen, made, branches))
  },
}

function isEndedLate({ judged: { outcome, isDefault } }: SeenCall): boolean {
  return outcome.state === 'bounded' && isDefault && outcome.ms >= LONG_MS
}

/** Something around it ends it for certain, if nobody can tell when. */
function isEndedSometime({ own, guards }: SeenCall): boolean {
  return own.outcome.state !== 'unknown' && guards.some((guard) => guard.kind === 'limit' && guard.isCertain)
}

const ofLibrary = ({ site }: SeenCall, spot: Spot) => `${site.model.id} ${placeOf(spot)}`

function spotOf({ judged, site }: SeenCall) {
  return judged.limits[0]?.origin.spot ?? site.spot
}

function findingOf(seen: SeenCall, made: ReadonlyMap<string, Spot>, branches: readonly Spot[]): ScanFinding {
  const { judged, reading, site } = seen
  const spot = (made.size > 1 ? helperOf(seen, spotOf(seen)) : null) ?? spotOf(seen)
  const isAlone = site.client === null && placeOf(spotOf(seen)) === placeOf(site.spot)
  const related = cancelOnlyRelated(seen)
  const many = made.size > 1 ? sharedText(seen, made.size) : ''
  const ms = judged.outcome.state === 'bounded' ? judged.outcome.ms : 0
  return {
    rule: 'default-bound',
    severity: isDropped(seen) && isAlone ? 'info' : 'warning',
    message: `${related.length > 0 ? 'this signal can only cancel: ' : ''}nothing but ${whatEnds(seen)}: ${waitsOf(reading)}${many}`,
    why: 'No user waits that long: the caller is gone, and what it asked for goes on.',
    spot,
    label: `ends after ${secondsText(ms)} by default`,
    values: { ms, ...attemptsOf(reading), ...Object.fromEntries(judged.limits.map((limit) => [`${limit.name}Ms`, limit.ms])) },
    related: [
      ...related,
      ...(many === '' ? [] : othersOf(made, spot, helperOf(seen, spotOf(seen)) ? 'is asked here' : undefined)),
      ...inBranches(branches),
    ],
    suggestion: { text: limitText(seen), edits: [] },
  }
}

/** How often it is tried where it is more than once, or not known. */
function attemptsOf({ attempts, overall, isAttemptsUnknown = false }: Reading): Readonly<Record<string, number | null>> {
  if (overall?.state === 'default') return {}
  const count = isAttemptsUnknown ? null : (attempts?.count ?? 1)
  return count === 1 ? {} : { attempts: count }
}

function isShared(seen: SeenCall): boolean {
  const spot = spotOf(seen)
  return (sharedOptions(seen, spot) ?? helperOf(seen, spot) ?? givenOptions(seen, spot)) !== null
}

function sharedText(seen: SeenCall, count: number): string {
  if (sharedOptions(seen, spotOf(seen))) return `; ${count} clients are made of these options`
  if (helperOf(seen, spotOf(seen))) return `; ${count} clients are asked here`
  return givenOptions(seen, spotOf(seen)) ? `; ${count} calls are given these options` : ''
}

/** Whose default it is: the library's own, or that of the `fetch` of Node under it. */
function whatEnds({ site, judged }: SeenCall): string {
  const name = libraryName(site)
  const origin = judged.limits[0]?.origin
  const isOfFetch = origin?.kind === 'default' && origin.product === 'node fetch' && !site.model.packages.includes('global')
  return isOfFetch
    ? `the fetch of Node${origin.version === null ? '' : ` ${origin.version}`} ends this call of ${name}`
    : `the default of ${name} ends this call`
}

function waitsOf({ attempt, attempts, isAttemptsUnknown = false, overall, phases }: Reading): string {
  if (overall?.state === 'default') return `${secondsText(overall.ms)} for all of it`
  const each =
    attempts?.count && attempts.count > 1
      ? `each of ${attempts.count} attempts${whenOf(attempts)}`
      : isAttemptsUnknown
        ? 'each attempt'
        : null
  if (attempt?.state === 'default') return `${secondsText(attempt.ms)} for ${each ?? 'the answer'}`
  const waits = phases.flatMap(({ what, limit }) => (limit.state === 'default' ? [`${secondsText(limit.ms)} for ${what}`] : []))
  return `${listed(waits)}${each ? `, in ${each}` : ''}`
}
