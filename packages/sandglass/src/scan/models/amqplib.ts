import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { LibraryModel, Site } from './library-model.js'
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
    { on: 'channel', method: ASKING, optionsAt: -1 },
  ],
  read: (site) => (site.client === null ? ofConnect(site) : ofChannel(site)),
  targetOf: ({ client, args, evaluator }) =>
    writtenUrl(addressIn((rootClient(client)?.args ?? args)[0], 'hostname', evaluator))?.text ?? null,
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
  return limitFrom(heartbeat, here, { setting: 'heartbeat', kind: 'silence', unitMs: BEATS * 1000 })
}

function heartbeatOf({ client, evaluator }: Site): Setting {
  const [first] = client?.args ?? []
  if (!first) return { state: 'unknown', why: 'the connection is made elsewhere' }
  return firstSetting([
    settingInUrl(first, ['heartbeat']),
    first.kind === 'object' ? settingIn(first, 'heartbeat', evaluator) : { state: 'absent' },
  ])
}
