import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Phase, type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { secondsText } from '../seconds-text.js'
import { signalIn } from '../signals/signal-in.js'
import { settingAmongArgs } from './ioredis-options.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { BATCH, COMMAND, isWaitingCommand, onlyWaits } from './redis-commands.js'
import { isBeforeFour, isBeforeSocketTimeout, isFour, remedyOf } from './redis-versions.js'
import { rootClient } from './root-client.js'
import { firstSetting, writtenUrl } from './url-settings.js'

const DERIVED = ['duplicate', 'connect', 'on', 'once', 'withCommandOptions', 'withTypeMapping', 'asap', 'legacy']
const KINDS = ['redis', 'cluster', 'sentinel']

/** Where the options of each connection stand among those of a cluster or of sentinels. */
const NODE: Readonly<Record<string, string>> = { cluster: 'defaults.', sentinel: 'nodeClientOptions.' }

/** redis (node-redis): nothing ends a command that was written but `socketTimeout`; `commandOptions.timeout` ends the wait before that. */
export const redisModel: LibraryModel = {
  id: 'redis',
  packages: ['redis', '@redis/client'],
  clients: [
    {
      kind: 'redis',
      on: null,
      made: ['createClient', 'createClientPool', 'RedisClient'],
      types: ['RedisClientType', 'RedisClient', 'RedisClientPoolType'],
      optionsAt: 0,
      isJudged: true,
    },
    { kind: 'cluster', on: null, made: ['createCluster'], types: ['RedisClusterType'], optionsAt: 0, isJudged: true },
    { kind: 'sentinel', on: null, made: ['createSentinel'], types: ['RedisSentinelType'], optionsAt: 0, isJudged: true },
    ...KINDS.map((kind) => ({ kind, on: kind, made: DERIVED, optionsAt: 0 })),
  ],
  calls: KINDS.flatMap((on) => [
    { on, method: COMMAND, optionsAt: -1 },
    { on, method: BATCH, optionsAt: -1 },
  ]),
  read,
  targetOf: ({ client, evaluator }) => {
    const [first] = rootClient(client)?.args ?? []
    return writtenUrl(first?.kind === 'object' ? evaluator.memberOf(first, 'url') : first)?.text ?? null
  },
}

const ANSWER = 'the answer of a command'

function read(site: Site): Reading {
  const here = { ...site, client: rootClient(site.client) }
  const waits = isWaitingCommand(site.method) || (site.method === 'new' && onlyWaits(site.client?.identity ?? null, site.uses))
  if (waits) {
    const limit: LimitState = { state: 'unknown', name: 'socketTimeout', why: 'it waits by its nature' }
    return readingOf({ phases: [{ what: ANSWER, kind: 'silence', limit }], remedy: remedyOf(site.version, false) })
  }
  const answer = socketLimit(here)
  const queue = queueLimit(site, here)
  // Without a limit of the wait it is only said where nothing ends the answer either.
  const isSaid = queue !== null && (queue.state === 'none') !== holds(answer)
  const queuePhases: Phase[] = isSaid ? [{ what: 'a connection, in the offline queue', kind: 'queue', limit: queue }] : []
  return readingOf({
    overall: signalOf(site),
    phases: [{ what: ANSWER, kind: 'silence', limit: answer }, ...queuePhases],
    findings: [...ignoredSocketTimeout(here), ...onlyBefore(site, answer)],
    remedy: remedyOf(site.version, queue?.state === 'none', NODE[here.client?.kind ?? '']?.replace('.', '')),
  })
}

/** `get(commandOptions({ signal }), key)`: in version 4 it ends a command that was written too, later not any more. */
function signalOf(site: Site): LimitState | null {
  const [first] = site.args
  const isOptions = first?.kind === 'made' && first.callee.kind === 'external' && first.callee.path.at(-1) === 'commandOptions'
  if (!isOptions || !isFour(site.version)) return null
  const signal = signalIn(site, first.args[0])
  return signal.state === 'none' ? null : signal
}

function socketLimit(here: Site): LimitState {
  const given = isBeforeSocketTimeout(here.version) ? ({ state: 'absent' } as const) : ofRoot(here, 'socket.socketTimeout')
  return limitFrom(given, here, { setting: 'socket.socketTimeout', kind: 'silence', default: ['node-redis', 'socket.socketTimeout'] })
}

/** The wait for a connection that is down; null where a command fails at once instead. */
function queueLimit(site: Site, here: Site): LimitState | null {
  if (isBeforeFour(here.version)) return reconnectLimit(here)
  const off = ofRoot(here, 'disableOfflineQueue')
  if (off.state === 'given' && off.value === true) return null
  const strategy = ofRoot(here, 'socket.reconnectStrategy')
  if (strategy.state === 'given' && strategy.value === false) return null
  const name = 'commandOptions.timeout'
  const limit = limitFrom(ofCommand(site), here, { setting: name, kind: 'queue', default: ['node-redis', name] })
  const gives = strategy.state === 'absent' || (strategy.state === 'given' && typeof strategy.value === 'number')
  if (limit.state !== 'none' || (gives && off.state !== 'unknown')) return limit
  return { state: 'unknown', name: 'reconnectStrategy', why: 'it may give up' }
}

/** Before version 4 `connect_timeout` ends the attempts to connect again, and with them the wait; a strategy of somebody's own takes its place. */
function reconnectLimit(here: Site): LimitState | null {
  const off = ofRoot(here, 'enable_offline_queue')
  if (off.state === 'given' && off.value === false) return null
  const name = 'connect_timeout'
  if (ofRoot(here, 'retry_strategy').state !== 'absent') return { state: 'unknown', name: 'retry_strategy', why: 'it may give up' }
  return limitFrom(ofRoot(here, name), here, { setting: name, kind: 'queue', default: ['node-redis', name] })
}

function ofRoot({ client, evaluator }: Site, name: string): Setting {
  if (client && client.args.length === 0 && client.options?.kind === 'unknown') return { state: 'unknown', why: 'the client is handed in' }
  return settingAmongArgs(client?.args ?? [], `${NODE[client?.kind ?? ''] ?? ''}${name}`, evaluator)
}

/** `commandOptions.timeout` of the client, or of what is derived from it with other options. */
function ofCommand({ client, evaluator }: Site): Setting {
  const all: Setting[] = []
  for (let here: Client | null = client; here?.parent; here = here.parent) all.push(settingIn(here.options, 'timeout', evaluator))
  const root = rootClient(client)
  return firstSetting([...all, settingAmongArgs(root?.args ?? [], 'commandOptions.timeout', evaluator)])
}

function ignoredSocketTimeout(here: Site): readonly ScanFinding[] {
  const given = isBeforeSocketTimeout(here.version) ? ofRoot(here, 'socket.socketTimeout') : null
  if (given?.state !== 'given' || typeof given.value !== 'number') return []
  return [
    {
      rule: 'ignored-option',
      severity: 'warning',
      message: `redis ${here.version} does not know socketTimeout: ${secondsText(given.value)} has no effect`,
      why: 'The limit looks as if it were there, and nothing ends a command.',
      spot: given.spot,
      label: 'has no effect before version 5.1',
      values: { socketTimeoutMs: given.value },
      suggestion: { text: `update redis to 5.1 or later, or set another limit: ${remedyOf(here.version, false)}`, edits: [] },
    },
  ]
}

function onlyBefore(site: Site, answer: LimitState): readonly ScanFinding[] {
  const given = ofCommand(site)
  if (answer.state !== 'none' || given.state !== 'given' || typeof given.value !== 'number') return []
  return [
    {
      rule: 'mistaken-limit',
      severity: 'warning',
      message: `commandOptions.timeout ${secondsText(given.value)} only ends the wait for a connection: once a command is written, nothing ends it`,
      why: 'A server that accepts and stays silent holds every caller.',
      spot: given.spot,
      label: 'ends before the command is sent',
      values: { commandTimeoutMs: given.value },
      suggestion: { text: `set a limit: ${remedyOf(site.version, false)}`, edits: [] },
    },
  ]
}
