import { timeoutDefaults } from './timeout-defaults.generated.js'

/** One row of the table of defaults: of which versions it holds, and what holds. */
export interface DefaultRow {
  readonly version: string
  readonly unit: string
  /** As the table has it: `60s`, `30000 (netty)`, `error timeout`. */
  readonly text: string
  readonly unbounded: boolean
}

/** What holds where nothing is written: a row, rows that differ by a version nobody knows, or nothing that is known. */
export type ProductDefault =
  | { readonly kind: 'known'; readonly row: DefaultRow }
  | { readonly kind: 'differs'; readonly rows: readonly DefaultRow[] }
  | { readonly kind: 'none' }

const tables = new Map<string, ReadonlyMap<string, readonly DefaultRow[]>>()

function tableOf(system: string): ReadonlyMap<string, readonly DefaultRow[]> {
  const known = tables.get(system)
  if (known) return known
  const rows = new Map<string, DefaultRow[]>()
  for (const line of timeoutDefaults.split('\n')) {
    const [of = '', version = '', setting = '', unit = '', text = '', , unbounded = ''] = line.split('\t')
    if (of !== system) continue
    const list = rows.get(setting) ?? []
    list.push({ version, unit, text, unbounded: unbounded === 'yes' })
    rows.set(setting, list)
  }
  tables.set(system, rows)
  return rows
}

/** The default of a product's setting; with an unknown version (null) all rows are given where they differ. */
export function defaultOf(system: string, setting: string, version: string | null): ProductDefault {
  const rows = tableOf(system).get(setting) ?? []
  const fitting = version === null ? rows : rows.filter((row) => coversVersion(row.version, version))
  const [first, ...rest] = fitting
  if (!first) return { kind: 'none' }
  const oneSided = version === null && rows.length === 1 && /^[<>]/.test(first.version)
  if (oneSided || rest.some(({ text }) => text !== first.text)) return { kind: 'differs', rows: fitting }
  return { kind: 'known', row: first }
}

/** The ms of a default that is a time; `none` where it is no limit; null where it is something else. */
export function defaultMs({ unit, text, unbounded }: DefaultRow): number | 'none' | null {
  if (unbounded) return 'none'
  const found = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)?(?![\w.])/.exec(text)
  if (!found) return null
  const [, number = '', written] = found
  const unitMs = UNIT_MS[written ?? (unit === 'duration' || unit === 'seconds' ? 's' : unit)]
  return unitMs === undefined ? null : Number(number) * unitMs
}

/** The count of a default that is one; null where it is something else. */
export function defaultCount({ text }: DefaultRow): number | null {
  const found = /^(\d+)(?![\w.])/.exec(text)
  return found ? Number(found[1]) : null
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * True where a row's versions hold for a version: `<1.29.7`, `>=1.2.12`, `>=6.6 <7.8`, `<=6` (every 6 too); anything else is "as far as is
 * known all".
 */
export function coversVersion(range: string, version: string): boolean {
  if (!/^[<>]/.test(range)) return true
  return [...range.matchAll(/(<=?|>=)\s*(\d+(?:\.\d+)*)/g)].every(([, sign, bound = '']) => {
    if (sign === '<=') return compareParts(firstParts(version, bound), partsOf(bound)) <= 0
    const isBefore = compareVersions(version, bound) < 0 && !isLineOf(version, bound)
    return sign === '<' ? isBefore : !isBefore
  })
}

/** True where a version names the whole line of a bound, whose newest is meant: `18` of 18.14.2, as in `.nvmrc` and the tags of images. */
function isLineOf(version: string, bound: string): boolean {
  const named = /\d+(?:\.\d+)*/.exec(version)?.[0] ?? ''
  return named !== '' && bound.startsWith(`${named}.`)
}

/** As many parts of a version as a bound has: 6.3.1 is a 6. */
function firstParts(version: string, bound: string): readonly number[] {
  return partsOf(version).slice(0, bound.split('.').length)
}

/** Compares versions by their numbers: negative where `a` is older. A missing part counts as 0, what is no number is left out, `^4.4.0` is the newest 4. */
export function compareVersions(a: string, b: string): number {
  return compareParts(partsOf(a), partsOf(b))
}

function compareParts(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one, other] = [left[index] ?? 0, right[index] ?? 0]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/** The numbers of a version; of a range of one line (`^4.4.0`, `~4.4.0`) those of its newest. */
function partsOf(text: string): readonly number[] {
  const parts = (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number)
  if (text.startsWith('~')) return [...parts.slice(0, 2), NEWEST, NEWEST]
  if (!text.startsWith('^')) return parts
  const fixed = parts.findIndex((part) => part > 0) + 1
  return [...parts.slice(0, fixed), ...[NEWEST, NEWEST, NEWEST].slice(fixed - 1)]
}

const NEWEST = Number.POSITIVE_INFINITY
