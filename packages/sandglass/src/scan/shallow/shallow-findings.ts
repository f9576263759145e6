import { defaultMs, defaultOf } from '../../model/default-of.js'
import type { Diagnostic, Factor, Related } from '../../model/diagnostic.js'
import { placeOf, type Source, type Spot } from '../../model/sourced.js'
import type { Outcome, ScannedCall } from '../calls/scanned-call.js'
import { scanFinding } from '../scan-finding.js'
import { byCause } from './causes.js'
import type { Product } from './products.js'
import type { Sighting } from './sighting.js'
import { childOf, type SyntaxNode } from './syntax-tree.js'

/** What every finding of a shallow scan says of itself. */
export const SHALLOW_MARK = 'shallow: only the syntax of this file was looked at'

/** Below this a library's own default is a limit that somebody may have meant. */
const LONG_MS = 15_000
const MAX_RELATED = 5

/** The calls as reports have them. */
export function shallowCalls(source: Source, sightings: readonly Sighting[]): readonly ScannedCall[] {
  return sightings.map((sighting) => {
    const outcome = outcomeOf(sighting)
    return {
      spot: spotOf(source, sighting.call),
      library: sighting.product.library,
      version: null,
      outcome,
      worstMs: outcome.state === 'bounded' && outcome.kind === 'total' ? outcome.ms : null,
      factors: factorsOf(source, sighting),
      isShallow: true,
      target: sighting.target,
    }
  })
}

/** One finding for each cause: a call without any limit, or with nothing but the library's own long default. In a command line one for each library. */
export function shallowDiagnostics(
  source: Source,
  sightings: readonly Sighting[],
  { isCommand, workerEndMs }: { readonly isCommand: boolean; readonly workerEndMs: number | null },
): readonly Diagnostic[] {
  const groups = byCause(
    sightings.filter((each) => isWorthAWord(each, workerEndMs)),
    isCommand,
  )
  return groups.flatMap((same) => diagnosticOf(source, same, workerEndMs)).sort((a, b) => a.spot.start - b.spot.start)
}

function isWorthAWord(sighting: Sighting, workerEndMs: number | null): boolean {
  const outcome = outcomeOf(sighting)
  if (outcome.state === 'unbounded') return true
  if (sighting.limit.state !== 'absent') return false
  if (outcome.state === 'bounded' && workerEndMs !== null && outcome.ms > workerEndMs) return false
  return outcome.state === 'bounded' ? outcome.ms >= LONG_MS : limitsByVersion(sighting.product) !== null
}

function outcomeOf({ limit, product }: Sighting): Outcome {
  if (limit.state === 'unknown') return { state: 'unknown' }
  if (limit.state === 'off') return { state: 'unbounded' }
  if (limit.state === 'written') return { state: 'bounded', ms: limit.ms, kind: limit.kind }
  const { ms } = ownDefault(product)
  if (ms === null) return { state: 'unknown' }
  return ms === 'none' ? { state: 'unbounded' } : { state: 'bounded', ms, kind: product.kind }
}

/** A library's own default, and of which version the table has it; null where it has none or the version decides. */
function ownDefault({ system, setting }: Product): { readonly ms: number | 'none' | null; readonly version: string | null } {
  const found = defaultOf(system, setting, null)
  return found.kind === 'known' ? { ms: defaultMs(found.row), version: found.row.version } : { ms: null, version: null }
}

/** `none before 8.0, 5 s since`, where some versions have no limit; null where the version does not decide that. */
function limitsByVersion({ system, setting }: Product): string | null {
  const found = defaultOf(system, setting, null)
  if (found.kind !== 'differs') return null
  const limits = found.rows.map((row) => ({ ms: defaultMs(row), version: row.version }))
  if (!limits.some(({ ms }) => ms === 'none')) return null
  return limits.map(({ ms, version }) => `${typeof ms === 'number' ? seconds(ms) : ms} in ${version}`).join(', ')
}

function factorsOf(source: Source, { limit, product, cause }: Sighting): readonly Factor[] {
  const { shown: name, system, setting } = product
  if (limit.state === 'written')
    return [{ name, value: limit.ms, unit: 'ms', origin: { kind: 'declared', spot: spotOf(source, limit.at) } }]
  if (limit.state === 'off') return [{ name, value: null, unit: 'ms', origin: { kind: 'declared', spot: spotOf(source, limit.at) } }]
  if (limit.state === 'unknown') return []
  const { ms, version } = ownDefault(product)
  const origin = { kind: 'default', product: system, version, setting, spot: spotOf(source, cause) } as const
  return [{ name, value: typeof ms === 'number' ? ms : null, unit: 'ms', origin }]
}

function diagnosticOf(source: Source, same: readonly Sighting[], workerEndMs: number | null): readonly Diagnostic[] {
  const [first] = same
  if (!first) return []
  const outcome = outcomeOf(first)
  const { cause, limit, product } = first
  const others = [...new Set(same.map((each) => each.cause))].filter((each) => each !== cause)
  const common = {
    spot: spotOf(source, limit.state === 'off' ? limit.at : cause),
    related: (others.length > 0 ? others : callsOf(same).map(({ call }) => call))
      .slice(0, MAX_RELATED)
      .map((node): Related => ({ spot: spotOf(source, node), label: others.length > 0 ? 'the same' : 'waits' })),
    factors: factorsOf(source, first),
    suggestion: { text: `set a limit: ${product.remedy}`, edits: [] },
  }
  const text = outcome.state === 'bounded' ? defaultText(first, outcome.ms, same) : unboundedText(source, first, same, workerEndMs)
  return [scanFinding({ ...common, ...text })]
}

function unboundedText(source: Source, first: Sighting, same: readonly Sighting[], workerEndMs: number | null) {
  const { limit, product, what } = first
  const isOff = limit.state === 'off'
  const byVersion = isOff ? null : limitsByVersion(product)
  const reason = isOff
    ? `${textOf(limit.at)} in line ${placeOf(spotOf(source, limit.at)).line} switches it off`
    : reasonOf(product, byVersion, workerEndMs)
  const killed = workerEndMs === null ? '' : `; gunicorn kills the worker after ${seconds(workerEndMs)}`
  return {
    rule: 'unbounded-call',
    severity: byVersion === null && workerEndMs === null ? ('error' as const) : ('warning' as const),
    message: `${what} ${byVersion === null ? 'waits' : 'may wait'} without a limit: ${reason}${killed}${usedBy(same)}; ${SHALLOW_MARK}`,
    why: 'When the other side hangs, the caller hangs with it, and its pool fills from the inside out.',
    label: isOff ? 'switches the limit off' : 'no limit is set',
    values: { boundMs: null, calls: Math.max(1, callsOf(same).length) },
  }
}

function reasonOf(product: Product, byVersion: string | null, workerEndMs: number | null): string {
  if (byVersion !== null) return `no ${product.shown} is set, and the default of ${product.system} is ${byVersion}`
  return `no ${product.shown} is set, and ${product.library} has none of its own (as of ${nameOf(product)})${workerEndMs === null ? giveUp(product) : ''}`
}

function defaultText({ product, what }: Sighting, ms: number, same: readonly Sighting[]) {
  return {
    rule: 'default-bound',
    severity: 'warning' as const,
    message: `nothing but the default of ${nameOf(product)} ends ${what}: ${seconds(ms)} (${product.setting})${usedBy(same)}; ${SHALLOW_MARK}`,
    why: 'No user waits that long: the caller is gone, and what it asked for goes on.',
    label: `ends after ${seconds(ms)} by default`,
    values: { boundMs: ms, calls: Math.max(1, callsOf(same).length) },
  }
}

function giveUp({ kind }: Product): string {
  return kind === 'connect' ? '; only the operating system gives up, after about two minutes' : ''
}

/** The product and the version the table of defaults knows it by, where that is one. */
function nameOf(product: Product): string {
  const { version } = ownDefault(product)
  return version && /^\d/.test(version) ? `${product.system} ${version}` : product.system
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}

function usedBy(same: readonly Sighting[]): string {
  const causes = new Set(same.map(({ cause }) => cause)).size
  const calls = callsOf(same).length
  const used = calls > 1 ? `; at least ${calls} calls use it` : ''
  return causes > 1 ? `; so ${causes === 2 ? 'does one more' : `do ${causes - 1} more`} here` : used
}

function callsOf(same: readonly Sighting[]): readonly Sighting[] {
  return same.filter(({ call, cause }) => call.start !== cause.start)
}

/** The setting as it is written: `timeout=None`, `readTimeout(0, TimeUnit.SECONDS)`. */
function textOf(node: SyntaxNode): string {
  const parent = node.parent?.type === 'literal_element' ? node.parent.parent : node.parent
  const isNamed = parent !== null && /^(keyword_argument|keyed_element)$/.test(parent.type)
  const call = parent?.type === 'argument_list' ? parent.parent : null
  const name = childOf(call, 'name') ?? childOf(call, 'function')
  const text = isNamed ? parent.text : name && parent ? name.text + parent.text : node.text
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

function spotOf(source: Source, { start, end }: SyntaxNode): Spot {
  return { source, start, end }
}
