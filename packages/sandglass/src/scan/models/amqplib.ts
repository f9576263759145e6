import type { LibraryModel } from '../library-model.js'
import { limitFrom } from '../limits.js'
import { readingOf } from '../reading.js'
import { settingIn } from '../settings.js'
import { addressIn, writtenUrl } from './url-settings.js'

/** amqplib: the handshake ends by `timeout` of the socket options; what follows by the heartbeat, which the server may choose. */
export const amqplibModel: LibraryModel = {
  id: 'amqplib',
  packages: ['amqplib', 'amqplib/callback_api', 'amqplib/channel_api'],
  clients: [{ kind: 'connection', on: null, made: ['connect'], optionsAt: 1, isJudged: true }],
  calls: [],
  read: (site) => {
    const given = settingIn(site.client?.options, 'timeout', site.evaluator)
    const limit = limitFrom(given, site, { setting: 'timeout', kind: 'connect', default: ['amqplib', 'socket timeout'] })
    return readingOf({ phases: [{ what: 'the connection', kind: 'connect', limit }], remedy: 'connect(url, { timeout: … (ms) })' })
  },
  targetOf: ({ client, evaluator }) => writtenUrl(addressIn(client?.args[0], 'hostname', evaluator))?.text ?? null,
}
