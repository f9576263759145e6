import type { Node } from 'oxc-parser'
import type { Related } from '../../model/diagnostic.js'
import type { Spot } from '../../model/sourced.js'
import { asideLast } from '../calls/aside-last.js'
import { causeKey, clientAt, givenOptions, isAskedBefore, isOfSingleton, sharedOptions } from '../calls/cause-key.js'
import { hasIgnoredLimit } from '../calls/ignored-in.js'
import { isDropped } from '../calls/is-dropped.js'
import { clientsOfCalls, isJudgedByCalls } from '../calls/judged-by-calls.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { cancelOnlyRelated, limitText } from '../signals/cancel-only-spot.js'
import { isLimitReplaced } from '../signals/limit-replaced.js'
import { isFunctionNode } from '../syntax/scope.js'

/** What has no limit for one reason. */
interface Cause {
  readonly first: SeenCall
  /** Of those that would be limited at the same place as the first the one that waits for most: it tells best what to write there. */
  most: SeenCall
  readonly spots: Set<string>
  /** Where the clients are made, or the calls stand. */
  readonly made: Map<string, Spot>
  /** Those that have their options in common. */
  readonly alike: Map<string, Spot>
  readonly waits: Set<string>
  /** Calls that ask the same in another branch. */
  readonly branches: Spot[]
  /** Somebody waits for one of the calls, or may. */
  isAwaited: boolean
  /** All of them run in a browser. */
  readonly isOfPage: boolean
}

/** A call that nothing ends. */
export const unboundedCall: ScanRule = {
  id: 'unbounded-call',
  severity: 'error',
  summary: 'a call that no limit of any kind ends',
  *check({ calls, evaluator, isAside, isInBrowser }) {
    const judgedByCalls = clientsOfCalls(calls)
    const byCause = new Map<string, Cause>()
    const ownKeyOf = keysByPlace()
    const isOfPage = (seen: SeenCall) => isInBrowser(causeOf(seen))
    const keyOf = (seen: SeenCall) => (isOfPage(seen) ? keyOfPages(seen) : ownKeyOf(seen))
    const open = calls.filter((seen) => seen.judged.outcome.state === 'unbounded' && !isJudgedByCalls(seen, judgedByCalls))
    const made = new Set(open.flatMap((seen) => (isHandedIn(seen) ? [] : [kindOf(seen), ...makersOf(seen)])))
    for (const seen of asideLast(open, causeOf, isAside)) {
      if (isToldWhereMade(seen, made) || isLimitReplaced(seen, evaluator) || hasIgnoredLimit(seen)) continue
      const key = keyOf(seen)
      const known: Cause = byCause.get(key) ?? {
        first: seen,
        most: seen,
        spots: new Set(),
        made: new Map(),
        alike: new Map(),
        waits: new Set(),
        branches: [],
        isAwaited: false,
        isOfPage: isOfPage(seen),
      }
      known.isAwaited ||= holdsUp(seen)
      for (const { what } of seen.own.open) known.waits.add(what)
      if (seen.own.open.length > known.most.own.open.length && isAt(causeOf(seen), causeOf(known.first))) known.most = seen
      if (known.first !== seen && isAskedBefore(seen, causeOf(seen))) {
        known.branches.push(seen.site.spot)
        continue
      }
      if (!seen.isClient) known.spots.add(placeOf(seen.site.spot))
      const home = homeOf(seen)
      known.made.set(placeOf(home), home)
      if (isAlike(seen)) known.alike.set(placeOf(home), home)
      byCause.set(key, known)
    }
    for (const cause of byCause.values()) yield scanFinding(findingOf(cause))
  },
}

/** What pages of one package ask by one library is told once: it holds up whoever looks at them, and no server. */
function keyOfPages({ site: { model, at, evaluator } }: SeenCall): string {
  return JSON.stringify([evaluator.project.packageOf(at.module.source.file), model.id, 'pages'])
}

/** True where somebody is stopped by waiting for it, or may be. */
function holdsUp(seen: SeenCall): boolean {
  return !seen.reading.isTold && !isDropped(seen)
}

/** Where the client is made whose limit lacks; one that is handed in is made wherever the cause is. */
function homeOf(seen: SeenCall): Spot {
  const { client, spot } = seen.site
  if (client === null) return spot
  let first = client
  while (first.parent) first = first.parent
  return first.identity === null ? causeOf(seen) : (clientAt(client, causeOf(seen)) ?? client).spot
}

function isAlike(seen: SeenCall): boolean {
  return (sharedOptions(seen, causeOf(seen)) ?? givenOptions(seen, causeOf(seen))) !== null
}

/** What a library asks over the client of another one has its limit at the same place. */
function keysByPlace(): (seen: SeenCall) => string {
  const known = new Map<string, string>()
  return (seen) => {
    const place = placeOf(causeOf(seen))
    const key = known.get(place) ?? (isHandedIn(seen) ? receiverOf(seen) : causeKey(seen, causeOf(seen), missingOf(seen)?.isOff))
    known.set(place, key)
    return key
  }
}

/** Nothing is known of its client but the type; one of that library that is made in the same file is told where that is. */
function isHandedIn({ site: { client } }: SeenCall): boolean {
  return client !== null && client.identity === null && client.options?.kind === 'unknown' && isFunctionNode(client.at.node)
}

/** True for a client that is handed in, where those that are made are told. */
function isToldWhereMade(seen: SeenCall, made: ReadonlySet<string>): boolean {
  return isHandedIn(seen) && [kindOf(seen), ...makersOf(seen)].some((key) => made.has(key))
}

/** What stands for the clients of a library that a package makes: those that it hands on are no others. */
function makersOf({ site }: SeenCall): readonly string[] {
  const { model, at, evaluator } = site
  const kinds: string[] = []
  for (let { client } = site; client; client = client.parent) kinds.push(client.kind)
  return kinds.map((kind) => JSON.stringify([evaluator.project.packageOf(at.module.source.file), model.id, kind, 'made']))
}

/** The class, or the function, that is handed a client. */
function receiverOf({ site: { client, model, at } }: SeenCall): string {
  let of: Node = client?.at.node ?? at.node
  for (let here: Node | null | undefined = of; here; here = here.parent) if (here.type === 'ClassBody') of = here
  return JSON.stringify([at.module.source.file, of.start, model.id, 'handed in'])
}

function kindOf({ site }: SeenCall): string {
  return JSON.stringify([site.spot.source.file, site.model.id, site.client !== null])
}

/** Where a limit is switched off, where a number stands that ends nothing, or where a limit would stand. */
export function causeOf(seen: SeenCall): Spot {
  return missingOf(seen)?.spot ?? seen.site.spot
}

/** What tells most of why there is no limit. */
function missingOf({ own }: SeenCall) {
  const missing = own.open.flatMap(({ limit }) => (limit.state === 'none' ? [limit] : []))
  return missing.find(({ isOff }) => isOff) ?? missing.find(({ does }) => does !== undefined) ?? missing[0]
}

/** A place as a key. */
export const placeOf = ({ source, start }: Spot): string => `${source.file}:${start}`

const isAt = (a: Spot, b: Spot) => placeOf(a) === placeOf(b)

function findingOf(cause: Cause): ScanFinding {
  const { first: seen, most, spots, waits: all, branches, isAwaited } = cause
  const calls = spots.size
  const spot = causeOf(seen)
  const missing = missingOf(seen)
  const waits = [...all]
  const name = libraryName(most.site)
  // What one call waits for may be a part of what the others do.
  const isPart = most.own.open.length < all.size
  return {
    rule: 'unbounded-call',
    severity: isAwaited ? 'error' : 'warning',
    message: `${name} waits without a limit for ${listed(waits.length > 0 ? waits : ['an answer'])}${usesOf(cause, spot, calls)}`,
    why: 'When the other side hangs, the caller hangs with it, and its pool fills from the inside out.',
    spot,
    label: missing?.isOff ? 'switches the limit off' : (missing?.does ?? 'no limit is set'),
    values: { calls: calls > 0 ? calls : null, missing: waits.join(', ') },
    related: [...cancelOnlyRelated(seen), ...sharingOf(cause, spot), ...inBranches(branches)],
    suggestion: { text: `${limitText(most, isPart ? most.reading.remedy : undefined)}${attemptsText(most.reading)}`, edits: [] },
  }
}

/** With the limit of an attempt alone the retries nobody wrote would be the next finding. */
function attemptsText({ attempts, remedy }: SeenCall['reading']): string {
  const [name = ''] = attempts?.name.split('.') ?? []
  if (!attempts?.isDefault || attempts.count === null || attempts.count < 2 || remedy.includes(name)) return ''
  return `; and ${attempts.name} as it is meant: ${attempts.count} attempts by default`
}

/** The others that lack the limit with the one that is told. */
function sharingOf({ first: seen, made, alike, isOfPage }: Cause, spot: Spot): readonly Related[] {
  if (isOfPage) return othersOf(made, spot, 'runs in a browser, too')
  if (isOver(seen, spot, made)) return othersOf(made, spot, 'is made over it')
  if (isOfSingleton(seen, spot)) return othersOf(made, spot, SAME_CLIENT)
  return isAlike(seen) ? othersOf(alike, spot) : []
}

/** True for clients that are made over one thing that is none of them, a driver or an adapter: the limit would stand there. */
function isOver(seen: SeenCall, spot: Spot, made: ReadonlyMap<string, Spot>): boolean {
  const missing = missingOf(seen)
  return (
    seen.site.client !== null && !missing?.isOff && missing?.does === undefined && !isAt(spot, seen.site.spot) && !made.has(placeOf(spot))
  )
}

const SAME_CLIENT = 'asks the same client of its package'

/** How many of the others are shown. */
const MOST_OTHERS = 4

/** The other places that have their options in common with the one that is told. */
export function othersOf(made: ReadonlyMap<string, Spot>, spot: Spot, label = 'has the same options'): readonly Related[] {
  const others = [...made.values()].filter((each) => !isAt(each, spot))
  return others.slice(0, MOST_OTHERS).map((each) => ({ spot: each, label }))
}

/** The other places of the same question, each once. */
export function inBranches(spots: readonly Spot[]): readonly Related[] {
  const once = new Map(spots.map((spot) => [placeOf(spot), spot]))
  return [...once.values()].map((spot) => ({ spot, label: 'asks the same in another branch' }))
}

/** How many are known to use what lacks the limit: others may do so where they are not followed. */
function usesOf({ first: seen, made, alike, isOfPage }: Cause, spot: Spot, calls: number): string {
  if (isOfPage) return `; it runs in a browser${calls > 1 ? `, as do at least ${calls - 1} more such calls of this package` : ''}`
  if (calls > 1 && isOfSingleton(seen, spot)) return `; at least ${calls} calls ask this client of its package`
  if (calls > 1 && givenOptions(seen, spot)) return `; at least ${calls} calls are given these options`
  const isShared = alike.size > 1 && sharedOptions(seen, spot) !== null
  const used = calls > 1 ? `; at least ${calls} calls use ${isShared ? 'them' : 'it'}` : ''
  if (made.size > 1 && isOver(seen, spot, made)) return `; ${made.size} clients are made over it${used}`
  return isShared ? `; ${alike.size} clients are made of these options${used}` : used
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
