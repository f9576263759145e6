import { holds, type LimitState } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { type Attempts, type Reading, readingOf } from '../limits/reading.js'
import { settingIn, settingOfCall } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { kafkajsAttempts } from './kafkajs-attempts.js'
import type { LibraryModel, Site } from './library-model.js'
import { rootClient } from './root-client.js'

/** kafkajs: a request ends by `requestTimeout` and is tried again; `send({ timeout })` is what the broker waits for its followers. */
export const kafkajsModel: LibraryModel = {
  id: 'kafkajs',
  packages: ['kafkajs'],
  clients: [
    { kind: 'kafka', on: null, made: ['Kafka'], types: ['Kafka'], optionsAt: 0 },
    { kind: 'producer', on: 'kafka', made: ['producer'], types: ['Producer'], optionsAt: 0 },
    { kind: 'producer', on: 'producer', made: ['transaction'], optionsAt: -1 },
    { kind: 'admin', on: 'kafka', made: ['admin'], types: ['Admin'], optionsAt: 0 },
  ],
  calls: [
    { on: 'producer', method: /^send(Batch)?$/, optionsAt: -1 },
    {
      on: 'admin',
      method:
        /^(listTopics|createTopics|deleteTopics|createPartitions|fetchTopicMetadata|fetchTopicOffsets|fetchOffsets|describeCluster|describeGroups|listGroups)$/,
      optionsAt: -1,
    },
  ],
  read,
}

function read(site: Site): Reading {
  const attempts = kafkajsAttempts(site)
  const limit = requestTimeout(site)
  return readingOf({
    phases: [{ what: 'the answer of the broker', kind: 'attempt', limit }],
    attempts: attempts === 'unknown' ? null : attempts,
    isAttemptsUnknown: attempts === 'unknown',
    findings: brokersTimeout(site, limit, attempts),
    remedy: 'requestTimeout: … (ms) and retry: { retries: … } where the client is made',
  })
}

function requestTimeout(site: Site): LimitState {
  const enforced = settingOfCall(undefined, site.client, 'enforceRequestTimeout', site.evaluator).setting
  if (enforced.state === 'given' && enforced.value === false)
    return { state: 'none', name: 'enforceRequestTimeout', spot: enforced.spot, isOff: true }
  return limitOf(
    { ...site, client: rootClient(site.client) },
    { setting: 'requestTimeout', kind: 'attempt', default: ['kafkajs', 'requestTimeout'] },
  )
}

function brokersTimeout(site: Site, limit: LimitState, attempts: Attempts | 'unknown'): readonly ScanFinding[] {
  if (!site.method.startsWith('send')) return []
  const given = settingIn(site.args[0], 'timeout', site.evaluator)
  if (given.state !== 'given' || typeof given.value !== 'number' || !holds(limit)) return []
  const count = attempts === 'unknown' ? 1 : attempts.count
  const leastMs = count === null ? null : count * limit.ms
  if (leastMs !== null && leastMs <= given.value) return []
  const sum = leastMs === null ? 'for ever' : `>= ${spaced(leastMs)} ms`
  return [
    {
      rule: 'mistaken-limit',
      severity: 'warning',
      message: `this timeout is what the broker waits for its followers, no limit of the caller: it may wait ${sum}`,
      arithmetic: arithmeticOf(limit.ms, attempts),
      why: 'Who trusts it has no limit where the broker is the one that hangs; refreshing metadata comes on top.',
      spot: given.spot,
      label: 'does not bound the caller',
      values: { brokerTimeoutMs: given.value, leastMs, attempts: count },
      suggestion: {
        text: 'set requestTimeout and retry: { retries } where the client is made, or end the wait around the call',
        edits: [],
      },
    },
  ]
}

function arithmeticOf(ms: number, attempts: Attempts | 'unknown'): string {
  if (attempts === 'unknown' || attempts.count === null) return ''
  const [least, most] = attempts.waitMs
  const waits = most > 0 ? `, plus back-off ${spaced(least)} to ${spaced(most)} ms` : ''
  return `${attempts.count} attempts x ${spaced(ms)} ms = ${spaced(attempts.count * ms)} ms${waits}`
}

/** 15000 as `15 000`. */
function spaced(ms: number): string {
  return String(ms).replace(/\B(?=(\d{3})+$)/g, ' ')
}
