import { formatDuration } from '@sandglass/runtime/core'
import type { CallFields, LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft, type HopFact, type Target } from './facts.js'
import { countFact, defaultText, limitFact, type Setting, type Written } from './limit-fact.js'
import { peerKeepAlive } from './nginx-keep-alive.js'
import type { Scope } from './nginx-scope.js'
import type { Directive } from './nginx-tree.js'
import type { Upstream } from './nginx-upstream.js'
import { targetOf } from './target.js'
import { templateIn } from './templates.js'

/** The modules that pass requests on; their directives have the same names behind their own first word. */
export const families = ['proxy', 'fastcgi', 'uwsgi', 'scgi', 'grpc', 'memcached'] as const
export type Family = (typeof families)[number] | 'stream proxy'

/** One `…_pass` directive with what is in force where it stands. */
export interface Pass {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly family: Family
  readonly scope: Scope
  readonly pass: Directive
}

/** Linux gives up connecting after about so long (six SYN tries), whatever a program asks for. */
const MAX_CONNECT_MS = 75_000

/** The hop of a `…_pass` directive: limits written or by default, and how often it is tried. */
export function hopOf(pass: Pass): HopFact {
  const { draft, family } = pass
  const address = pass.pass.args[0] ?? { text: '', spot: pass.pass.spot }
  const upstream = upstreamOf(pass, address)
  const connectMs = limitOf(pass, 'connect_timeout')
  warnLongConnect(draft, connectMs, family)
  const silenceMs = family === 'stream proxy' ? limitOf(pass, 'timeout') : limitOf(pass, 'read_timeout')
  const writeMs = family === 'stream proxy' ? undefined : limitOf(pass, 'send_timeout')
  for (const [name, limit] of [
    ['connect_timeout', connectMs],
    ['read_timeout', silenceMs],
  ] as const)
    warnZero(draft, family, name, limit)
  const keepAliveMs = peerKeepAlive(pass, upstream)
  const retries = family === 'stream proxy' ? { fields: {}, repeatsReadsOnly: false } : retriesOf(pass, upstream)
  return {
    spot: pass.pass.spot,
    target: targetFor(pass, address, upstream),
    fields: {
      ...(connectMs ? { connectMs } : {}),
      ...(writeMs ? { writeMs } : {}),
      ...(silenceMs ? { silenceMs } : {}),
      ...(keepAliveMs ? { keepAliveMs } : {}),
      ...retries.fields,
    },
    repeatsReadsOnly: retries.repeatsReadsOnly,
    remarks: [],
  }
}

function word(family: Family, rest: string): string {
  return `${family.replace('stream ', '')}_${rest}`
}

function settingOf({ draft, version, family, pass }: Pass, rest: string): Setting {
  return { draft, system: 'nginx', version, key: `${family}_${rest}`, shown: word(family, rest), at: pass.spot }
}

function limitOf(pass: Pass, rest: string): Sourced<LimitMs> | undefined {
  return limitFact(settingOf(pass, rest), pass.scope.get(word(pass.family, rest))?.args[0], 'nginx')
}

function warnLongConnect(draft: FactsDraft, limit: Sourced<LimitMs> | undefined, family: Family): void {
  if (limit?.origin.kind !== 'declared' || typeof limit.value !== 'number' || limit.value <= MAX_CONNECT_MS) return
  addDead(draft, {
    setting: word(family, 'connect_timeout'),
    written: formatDuration(limit.value),
    spot: limit.origin.spot,
    because: `the system itself gives up connecting after about ${formatDuration(MAX_CONNECT_MS)}`,
    effective: `about ${formatDuration(MAX_CONNECT_MS)}`,
  })
}

/** 0 is no "off" here: the timer fires at once. */
function warnZero(draft: FactsDraft, family: Family, rest: string, limit: Sourced<LimitMs> | undefined): void {
  if (limit?.value === 0 && limit.origin.kind === 'declared')
    addNote(draft, 'unknown', limit.origin.spot, `${word(family, rest)} 0 does not switch the limit off: it is over at once`)
}

function upstreamOf({ upstreams }: Pass, { text }: Written): Upstream | undefined {
  const host = /^(?:[a-z]+:\/\/)?([^/:\s]+)/.exec(text)?.[1]
  return host === undefined ? undefined : upstreams.get(host)
}

/** The service behind an upstream is the one its peers are instances of; several different hosts are known by the upstream's name, unless they are services themselves. */
function targetFor({ draft, pass }: Pass, address: Written, upstream: Upstream | undefined): Target {
  const direct = targetOf(address.text, address.spot)
  if (direct.host === null) addNote(draft, 'unknown', address.spot, `${pass.name} ${address.text}: where it goes is decided at run time`)
  if (!upstream) return direct
  const peers = upstream.peers.map(({ text, spot, weight, isBackup }) => ({
    ...targetOf(text, spot),
    weight,
    ...(isBackup ? { isBackup: true as const } : {}),
  }))
  const [first] = peers
  const isOne = first !== undefined && peers.every(({ host, port }) => host === first.host && port === first.port)
  return isOne && first
    ? { ...targetOf(first.text, first.spot), path: direct.path }
    : { ...direct, host: upstream.name.text.toLowerCase(), port: null, peers }
}

interface Retries {
  readonly fields: Pick<Partial<CallFields>, 'attempts' | 'retryOn' | 'retryStartWithinMs'>
  readonly repeatsReadsOnly: boolean
}

const CAUSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['error', ['connect', 'reset']],
  ['timeout', ['timeout']],
  ['invalid_header', ['reset']],
])

/** Tries: as many as peers, fewer with `…_tries`; a single peer is never tried twice. */
function retriesOf(pass: Pass, upstream: Upstream | undefined): Retries {
  const list = pass.scope.get(word(pass.family, 'next_upstream'))
  const byDefault = defaultText(settingOf(pass, 'next_upstream'))
  const words = list ? list.args.map(({ text }) => text) : byDefault.value.split(' ')
  const attempts = attemptsOf(pass, upstream)
  if (!attempts || words.includes('off')) return { fields: {}, repeatsReadsOnly: false }
  const causes = [...new Set(words.flatMap((each) => CAUSES.get(each) ?? (/^http_[1-5]\d\d$/.test(each) ? [each.slice(5)] : [])))]
  const retryOn: Sourced<readonly string[]> = { value: causes, origin: list ? declared(0, list.spot).origin : byDefault.origin }
  const window = limitFact(
    settingOf(pass, 'next_upstream_timeout'),
    pass.scope.get(word(pass.family, 'next_upstream_timeout'))?.args[0],
    'nginx',
    'none',
  )
  const isLimited = window !== undefined && window.value !== 'none'
  return {
    fields: { attempts, retryOn, ...(isLimited ? { retryStartWithinMs: window } : {}) },
    repeatsReadsOnly: !words.includes('non_idempotent'),
  }
}

function attemptsOf(pass: Pass, upstream: Upstream | undefined): CallFields['attempts'] | undefined {
  if (!upstream) return undefined
  if (!upstream.isCounted) {
    addNote(
      pass.draft,
      'unknown',
      upstream.spot,
      `upstream ${upstream.name.text}: how many peers there are is decided at run time${upstream.peers.some(({ text }) => templateIn(text) !== null) ? ' (a template)' : ''}`,
    )
    return declared('unknown', upstream.spot)
  }
  const peers = upstream.peers.length
  if (peers < 2) return undefined
  const written = pass.scope.get(word(pass.family, 'next_upstream_tries'))?.args[0]
  const tries = countFact(settingOf(pass, 'next_upstream_tries'), written)
  if (tries.value === 'unknown') return tries
  if (tries.value > 0 && tries.value < peers) return tries.value === 1 ? undefined : tries
  // More tries than there are servers: their number is what holds.
  if (written && tries.origin.kind === 'declared') return declared(peers, upstream.spot)
  const setting = word(pass.family, 'next_upstream_tries')
  return {
    value: peers,
    origin: { kind: 'default', product: 'nginx', version: null, setting: `${setting}: each server once`, spot: upstream.spot },
  }
}
