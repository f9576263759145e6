import { compareVersions } from '../../model/default-of.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { type LimitReading, limitFrom } from '../limits/limits.js'
import { type Attempts, type Phase, type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { secondsText } from '../seconds-text.js'
import { signalIn } from '../signals/signal-in.js'
import { earlier } from '../signals/signal-limit.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'
import { firstSetting, settingInUrl } from './url-settings.js'

/** What a call of the driver of MongoDB is limited by. */
export interface MongoOptions {
  /** Options of the operation, its cursor, collection and database: the innermost first. */
  readonly ofOperation: readonly (Term | undefined)[]
  /** `maxTimeMS` that was set by a method of the query. */
  readonly maxTime: Setting
  readonly ofClient: Term | undefined
  readonly url: Term | undefined
  /** Of the driver. */
  readonly version: string | null
  /** Which of the two retries holds: of reads, of writes; null where both may. */
  readonly isRead: boolean | null
}

const SYSTEM = 'mongodb (node)'

/** What an operation waits for: a server, a free connection, the answer; `here` has the client whose defaults they are. */
export function mongoReading(here: Site, options: MongoOptions): Reading {
  const ofClient = (name: string) => firstSetting([settingIn(options.ofClient, name, here.evaluator), settingInUrl(options.url, [name])])
  const client = (setting: string, kind: LimitReading['kind']) =>
    limitFrom(ofClient(setting), here, { setting, kind, default: [SYSTEM, setting] })
  const answer = answerOf(here, options, ofClient('socketTimeoutMS'))
  const waitQueue = client('waitQueueTimeoutMS', 'queue')
  // Without a limit of the wait a connection still comes free where each use of one ends.
  const isWaiting = waitQueue.state !== 'none' || answer.state === 'none'
  const phases: readonly Phase[] = [
    { what: 'a server', kind: 'connect', limit: client('serverSelectionTimeoutMS', 'connect') },
    ...(isWaiting ? [{ what: 'a free connection', kind: 'queue' as const, limit: waitQueue }] : []),
    { what: 'the answer of an operation', kind: holds(answer) ? answer.kind : 'silence', limit: answer },
  ]
  const timeout = timeoutOf(here, options, ofClient('timeoutMS'))
  return readingOf({
    overall: refusal(options.version, ofClient) ?? earlier(signalAmong(here, options.ofOperation), timeout.limit),
    phases,
    attempts: holds(answer) && answer.kind === 'silence' ? retriesOf(here, ofClient, options) : null,
    findings: timeout.findings,
    ...remediesOf(options.version, ofClient),
  })
}

/** What to write for the driver's version: before 6.11 `timeoutMS` does nothing, and most of those throw where it is given. */
function remediesOf(version: string | null, ofClient: (name: string) => Setting): Pick<Reading, 'remedy' | 'missing' | 'overAll'> {
  if (effectOfTimeout(version) === 'ends') return { remedy: 'timeoutMS: … (ms)', overAll: 'timeoutMS: … (ms)' }
  const names = ['socketTimeoutMS', 'waitQueueTimeoutMS', 'serverSelectionTimeoutMS']
  const isRetryWritten = ['retryReads', 'retryWrites'].some((name) => isWritten(ofClient(name)))
  const retries = isRetryWritten ? 'and ' : 'retryReads and retryWrites as they are meant (each tries twice by default), and '
  const textOf = (all: readonly string[]) => `${all.map((name) => `${name}: …`).join(', ')} (ms), ${retries}maxTimeMS in each operation`
  // Without it the driver of version 3 does not look at waitQueueTimeoutMS.
  const first = isUnified(version, ofClient) ? '' : 'useUnifiedTopology: true, '
  const left = names.filter((name) => !isWritten(ofClient(name)))
  return { remedy: `${first}${textOf(names)}`, missing: left.length === 0 ? undefined : `${first}${textOf(left)}` }
}

/** Version 3 has two ways to look after servers, of which the older one is its default. */
function isUnified(version: string | null, ofClient: (name: string) => Setting): boolean {
  const unified = ofClient('useUnifiedTopology')
  return version === null || compareVersions(version, '4.0') >= 0 || (unified.state === 'given' && unified.value !== false)
}

const isWritten = (setting: Setting) => setting.state === 'unknown' || (setting.state === 'given' && setting.value !== 0)

/** What the driver knew up to version 3; from 4 on it throws where one of them is given, so that nothing is asked. */
const REFUSED = [
  'useCreateIndex',
  'useFindAndModify',
  'poolSize',
  'autoReconnect',
  'reconnectTries',
  'reconnectInterval',
  'bufferMaxEntries',
]

function refusal(version: string | null, ofClient: (name: string) => Setting): LimitState | null {
  if (version === null || compareVersions(version, '4.0') < 0) return null
  const refused = REFUSED.find((name) => ofClient(name).state === 'given')
  return refused === undefined
    ? null
    : { state: 'unknown', name: refused, why: `the installed version refuses ${refused}: it asks nothing` }
}

/** The signal that an operation is given. */
function signalAmong(here: Site, [options]: MongoOptions['ofOperation']): LimitState | null {
  const signal = options?.kind === 'object' ? signalIn(here, options) : null
  return signal === null || signal.state === 'none' ? null : signal
}

/** The silence that the client bears, else the time that the server gives itself. */
function answerOf(here: Site, { ofOperation, maxTime, version }: MongoOptions, socketTimeout: Setting): LimitState {
  // Only what nobody installs any more has a default that is a limit.
  const byDefault: Pick<LimitReading, 'default' | 'defaultVersion'> =
    version === null ? {} : { default: [SYSTEM, 'socketTimeoutMS'], defaultVersion: version }
  const socket = limitFrom(socketTimeout, here, { setting: 'socketTimeoutMS', kind: 'silence', ...byDefault })
  if (socket.state !== 'none' && socket.state !== 'default') return socket
  const given = firstSetting([maxTime, ...ofOperation.map((options) => settingIn(options, 'maxTimeMS', here.evaluator))])
  const atServer = limitFrom(given, here, { setting: 'maxTimeMS', kind: 'statement' })
  return atServer.state === 'none' ? socket : atServer
}

/** One retry, of reads and of writes, is on by default; in version 3 that of reads only with the unified topology, that of writes from 3.3 on. */
function retriesOf(here: Site, ofClient: (name: string) => Setting, { isRead, version }: MongoOptions): Attempts | null {
  const readsAgain = isRead !== false && isUnified(version, ofClient)
  const writesAgain = isRead !== true && (version === null || compareVersions(version, '3.3') >= 0)
  const names = [...(readsAgain ? ['retryReads'] : []), ...(writesAgain ? ['retryWrites'] : [])]
  if (names.length === 0) return null
  const isOff = names.map(ofClient).every((setting) => setting.state === 'given' && setting.value === false)
  const spot = here.client?.spot ?? here.spot
  return isOff ? null : { count: 2, waitMs: [0, 0], name: names.join(' / '), spot, isDefault: true }
}

/** What `timeoutMS` does: it ends an operation from 6.11 on; from 6.22 and from 7.8 on it does nothing; before it is not certain. */
function effectOfTimeout(version: string | null): 'ends' | 'nothing' | 'unknown' {
  if (version === null) return 'unknown'
  const isFrom = (from: string) => compareVersions(version, from) >= 0
  if (isFrom('7.0')) return isFrom('7.8') ? 'nothing' : 'ends'
  return isFrom('6.22') ? 'nothing' : isFrom('6.11') ? 'ends' : 'unknown'
}

function timeoutOf(here: Site, { ofOperation, version }: MongoOptions, ofClient: Setting) {
  const given = firstSetting([...ofOperation.map((options) => settingIn(options, 'timeoutMS', here.evaluator)), ofClient])
  const none: { limit: LimitState | null; findings: readonly ScanFinding[] } = { limit: null, findings: [] }
  const limit = limitFrom(given, here, { setting: 'timeoutMS', kind: 'total' })
  if (limit.state === 'none') return none
  const effect = effectOfTimeout(version)
  if (effect === 'ends') return { limit, findings: [] }
  if (effect === 'unknown')
    return {
      limit: { state: 'unknown' as const, name: 'timeoutMS', why: 'whether it works differs by the version of mongodb' },
      findings: [],
    }
  return holds(limit) && version !== null ? { limit: null, findings: [ignored(limit.ms, limit.origin.spot, version)] } : none
}

function ignored(ms: number, spot: ScanFinding['spot'], version: string): ScanFinding {
  return {
    rule: 'ignored-option',
    severity: 'warning',
    message: `mongodb ${version} ignores timeoutMS: ${secondsText(ms)} has no effect`,
    why: 'The limit looks as if it were there, and nothing ends an operation.',
    spot,
    label: 'has no effect in this version',
    values: { timeoutMs: ms },
    suggestion: { text: 'set socketTimeoutMS and waitQueueTimeoutMS at the client, and maxTimeMS in each operation (ms)', edits: [] },
  }
}

/** `maxTimeMS(…)` among the methods that are called on a query. */
export function maxTimeAmong(args: readonly { readonly name: string; readonly args: readonly Term[] }[]): Term | undefined {
  return args.find(({ name }) => name === 'maxTimeMS')?.args[0]
}
