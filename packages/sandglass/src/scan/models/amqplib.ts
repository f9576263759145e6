import type { Node } from 'oxc-parser'
import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import { keyName } from '../syntax/declare.js'
import type { CallNode } from '../syntax/module.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { rootClient } from './root-client.js'
import { addressIn, firstSetting, settingInUrl, writtenUrl } from './url-settings.js'

const ASKING =
  /^(assertQueue|checkQueue|deleteQueue|purgeQueue|bindQueue|unbindQueue|assertExchange|checkExchange|deleteExchange|bindExchange|unbindExchange|consume|cancel|get|prefetch|recover|waitForConfirms)$/

/** A connection is given up when two of its beats are missed. */
const BEATS = 2

/** amqplib: the handshake ends by `timeout` of the socket options; what follows by the heartbeat, which the server chooses where the code does not. */
export const amqplibModel: LibraryModel = {
  id: 'amqplib',
  packages: ['amqplib', 'amqplib/callback_api', 'amqplib/channel_api'],
  clients: [
    { kind: 'connection', on: null, made: ['connect'], optionsAt: 1 },
    { kind: 'connection', on: null, made: ['connect'], handedAs: 1, optionsAt: 1 },
    ...[undefined, 1].map((handedAs) => ({
      kind: 'channel',
      on: 'connection',
      made: ['createChannel', 'createConfirmChannel'],
      ...(handedAs === undefined ? {} : { handedAs }),
      optionsAt: -1,
    })),
  ],
  calls: [
    { on: null, method: /^connect$/, optionsAt: 1 },
    { on: 'channel', method: ASKING, optionsAt: -1, unless: isOnlySent },
  ],
  read: (site) => (site.client === null ? ofConnect(site) : ofChannel(site)),
  targetOf: ({ client, args, evaluator }) =>
    writtenUrl(addressIn((rootClient(client)?.args ?? args)[0], 'hostname', evaluator))?.text ?? null,
}

/** How many arguments stand before the function that is called with the answer. */
const BEFORE_CALLBACK: Readonly<Record<string, number>> = {
  assertQueue: 2,
  checkQueue: 1,
  deleteQueue: 2,
  purgeQueue: 1,
  bindQueue: 4,
  unbindQueue: 4,
  assertExchange: 3,
  checkExchange: 1,
  deleteExchange: 2,
  bindExchange: 4,
  unbindExchange: 4,
  consume: 3,
  cancel: 1,
  get: 2,
  prefetch: 2,
  recover: 0,
  waitForConfirms: 0,
}

/** Over a connection that a function is called with, what is asked without another function gives the channel back at once, also to an `await`. */
function isOnlySent(node: CallNode, client: Client | null): boolean {
  const isByCallback = rootClient(client)?.args.some(({ kind }) => kind === 'function') ?? false
  const callee = node.type === 'CallExpression' ? node.callee : null
  if (!isByCallback || node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false
  const name = keyName(callee.property as Node, callee.computed) ?? ''
  const isSpread = node.arguments.some(({ type }) => type === 'SpreadElement')
  return !isSpread && node.arguments.length <= (BEFORE_CALLBACK[name] ?? -1)
}

function ofConnect(site: Site): Reading {
  const given = settingIn(site.options, 'timeout', site.evaluator)
  const limit = limitFrom(given, site, { setting: 'timeout', kind: 'connect', default: ['amqplib', 'socket timeout'] })
  return readingOf({ phases: [{ what: 'the connection', kind: 'connect', limit }], remedy: 'connect(url, { timeout: … (ms) })' })
}

/** What a channel asks for is answered, or the heart stops beating. */
function ofChannel(site: Site): Reading {
  const here = { ...site, client: rootClient(site.client) }
  const limit = beating(heartbeatOf(here), here)
  return readingOf({ phases: [{ what: 'the answer of the broker', kind: 'silence', limit }], remedy: 'heartbeat=… (s) in the address' })
}

function beating(heartbeat: Setting, here: Site): LimitState {
  if (heartbeat.state === 'absent') return { state: 'unknown', name: 'heartbeat', why: 'the server chooses it' }
  const limit = limitFrom(heartbeat, here, { setting: 'heartbeat', kind: 'silence', unitMs: BEATS * 1000 })
  return holds(limit) ? { ...limit, endsConnection: true } : limit
}

function heartbeatOf({ client, evaluator }: Site): Setting {
  const [first] = client?.args ?? []
  if (!first) return { state: 'unknown', why: 'the connection is made elsewhere' }
  return firstSetting([
    settingInUrl(first, ['heartbeat']),
    first.kind === 'object' ? settingIn(first, 'heartbeat', evaluator) : { state: 'absent' },
  ])
}
