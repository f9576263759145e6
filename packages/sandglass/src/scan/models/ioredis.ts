import { compareVersions } from '../../model/default-of.js'
import type { LimitState } from '../limits/limit-state.js'
import { homeOf, type LimitReading, limitFrom } from '../limits/limits.js'
import { type Attempts, type Phase, type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { secondsText } from '../seconds-text.js'
import { settingOfRedis } from './ioredis-options.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { BATCH, COMMAND, isWaitingCommand, onlyForQueues, onlyWaits, servesWorkers } from './redis-commands.js'
import { rootClient } from './root-client.js'
import { writtenUrl } from './url-settings.js'

const COMMAND_TIMEOUT: LimitReading = { setting: 'commandTimeout', kind: 'total', default: ['ioredis', 'commandTimeout'] }
const SOCKET_TIMEOUT: LimitReading = { setting: 'socketTimeout', kind: 'silence' }

/** ioredis: `commandTimeout` bounds a command of a single server, offline queue included; of a cluster it does not. */
export const ioredisModel: LibraryModel = {
  id: 'ioredis',
  packages: ['ioredis'],
  clients: [
    { kind: 'redis', on: null, made: ['', 'Redis'], types: ['Redis', 'RedisType'], optionsAt: 0, isJudged: true },
    { kind: 'cluster', on: null, made: ['Cluster', 'Redis.Cluster'], types: ['Cluster', 'Redis.Cluster'], optionsAt: 1, isJudged: true },
    { kind: 'redis', on: 'redis', made: ['duplicate'], optionsAt: 0 },
    { kind: 'cluster', on: 'cluster', made: ['duplicate'], optionsAt: 1 },
  ],
  calls: ['redis', 'cluster'].flatMap((on) => [
    { on, method: COMMAND, optionsAt: -1 },
    { on, method: BATCH, optionsAt: -1 },
  ]),
  read: (site) => (site.client?.kind === 'cluster' ? ofCluster(site) : ofServer(site)),
  targetOf: ({ client }) => writtenUrl(rootClient(client)?.args[0])?.text ?? null,
}

/** `commandTimeout` came with it: those before do not look at it. */
const SINCE = '4.25'

const isBefore = ({ version }: Site): boolean => version !== null && compareVersions(version, SINCE) < 0

function remedyOf(site: Site): string {
  if (isBefore(site)) return `a race with a timer: commandTimeout came with ioredis ${SINCE}`
  return `commandTimeout: … (ms)${apart(site)}`
}

/** What waits for work over the same connection would be ended, too. */
function apart(site: Site): string {
  const { client, uses } = site
  const retries = setting(site, 'maxRetriesPerRequest')
  // BullMQ asks that of the connection of its workers, whoever hands that on.
  const isMeant = retries.state === 'given' && retries.value === null && uses.callsOf('bullmq:Worker').length > 0
  return isMeant || servesWorkers(client?.identity ?? null, uses) ? ', on a connection apart from that of the workers' : ''
}

function ofServer(site: Site): Reading {
  const here = { ...site, client: rootClient(site.client) }
  if (isExempt(site)) return unknownReading('it only serves queues or subscriptions')
  const command = limitFrom(isBefore(site) ? { state: 'absent' } : setting(site, 'commandTimeout'), here, COMMAND_TIMEOUT)
  if (command.state !== 'none') return readingOf({ phases: [{ what: ANSWER, kind: 'total', limit: command }], remedy: remedyOf(site) })
  if (isWaitingCommand(site.method)) return unknownReading('it waits for as long as it says itself')
  const socket = limitFrom(setting(site, 'socketTimeout'), here, SOCKET_TIMEOUT)
  const retries = setting(site, 'maxRetriesPerRequest')
  const isEndless = retries.state === 'given' && retries.value === null
  if (socket.state === 'none')
    return readingOf({ phases: [{ what: ANSWER, kind: 'total', limit: command }, ...endless(isEndless, here)], remedy: remedyOf(site) })
  return readingOf({
    phases: [{ what: ANSWER, kind: 'silence', limit: socket }],
    attempts: isEndless ? endlessAttempts(retries) : null,
    isAttemptsUnknown: true,
    remedy: remedyOf(site),
  })
}

const ANSWER = 'the answer of a command'

function endless(isEndless: boolean, here: Site): readonly Phase[] {
  const limit: LimitState = { state: 'none', name: 'maxRetriesPerRequest', spot: homeOf(here), isOff: false }
  return isEndless ? [{ what: 'a new connection (maxRetriesPerRequest is null)', kind: 'connect', limit }] : []
}

function endlessAttempts(retries: Extract<Setting, { state: 'given' }>): Attempts {
  return { count: null, waitMs: [0, 0], name: 'maxRetriesPerRequest', spot: retries.spot, isDefault: false }
}

function isExempt({ client, uses, method }: Site): boolean {
  const identity = client?.identity ?? null
  return method === 'new' && (onlyForQueues(identity, uses) || onlyWaits(identity, uses))
}

function setting({ client, evaluator }: Site, name: string): Setting {
  return settingOfRedis(client, name, evaluator)
}

/** A cluster hands `redisOptions` to its nodes; what waits for a node waits in its offline queue, with no limit. */
function ofCluster(site: Site): Reading {
  if (isExempt(site)) return unknownReading('it only serves queues or subscriptions')
  const { evaluator, client } = site
  const here = { ...site, client: rootClient(client) }
  const option = (name: string) => settingIn(rootClient(client)?.options, name, evaluator)
  const command = limitFrom(option('redisOptions.commandTimeout'), here, COMMAND_TIMEOUT)
  const queue = option('enableOfflineQueue')
  const isQueueOff = queue.state === 'given' && queue.value === false
  const waiting: LimitState =
    queue.state === 'unknown'
      ? { state: 'unknown', name: 'enableOfflineQueue', why: queue.why }
      : { state: 'none', name: 'enableOfflineQueue', spot: homeOf(here), isOff: false }
  const phases: Phase[] = isQueueOff ? [] : [{ what: 'a node, in the offline queue', kind: 'queue', limit: waiting }]
  return readingOf({
    phases: [...phases, { what: ANSWER, kind: 'total', limit: command }],
    findings: mistaken(option('commandTimeout'), client, isQueueOff),
    remedy: isBefore(site) ? remedyOf(site) : `redisOptions: { commandTimeout: … (ms) } and enableOfflineQueue: false${apart(site)}`,
  })
}

function mistaken(own: Setting, client: Client | null, isQueueOff: boolean): readonly ScanFinding[] {
  if (own.state !== 'given' || typeof own.value !== 'number' || !client) return []
  return [
    {
      rule: 'ignored-option',
      severity: 'warning',
      message: `a cluster of ioredis ignores commandTimeout ${secondsText(own.value)} here: its nodes take it from redisOptions`,
      why: 'The limit looks as if it were there, and nothing ends a command.',
      spot: own.spot,
      label: 'has no effect',
      values: { commandTimeoutMs: own.value },
      suggestion: { text: `move it into redisOptions${isQueueOff ? '' : ' and set enableOfflineQueue: false'}`, edits: [] },
    },
  ]
}

function unknownReading(why: string): Reading {
  return readingOf({ phases: [{ what: ANSWER, kind: 'total', limit: { state: 'unknown', name: 'commandTimeout', why } }], remedy: '' })
}
