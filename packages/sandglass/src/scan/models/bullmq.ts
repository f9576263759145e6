import { limitFrom } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import { ioredisArgs, settingAmongArgs } from './ioredis-options.js'
import type { LibraryModel, Site } from './library-model.js'
import { nestConnection } from './nest-connection.js'

const ASKING =
  /^(add|addBulk|getJob|getJobs|getJobState|getJobCounts|getJobCountByTypes|count|getWaiting|getActive|getDelayed|getCompleted|getFailed|getMetrics|getRepeatableJobs|getJobSchedulers|upsertJobScheduler|removeJobScheduler|remove|pause|resume|drain|clean|obliterate)$/

/** BullMQ: a queue asks Redis over a connection of ioredis, whose limits are its own; `waitUntilFinished` has its `ttl`. */
export const bullmqModel: LibraryModel = {
  id: 'bullmq',
  packages: ['bullmq', '@nestjs/bullmq'],
  clients: [
    { kind: 'queue', on: null, made: ['Queue', 'FlowProducer'], types: ['Queue', 'FlowProducer'], optionsAt: 1 },
    { kind: 'job', on: 'queue', made: ['add', 'getJob'], optionsAt: -1 },
  ],
  calls: [
    { on: 'queue', method: ASKING, optionsAt: -1 },
    { on: 'job', method: /^waitUntilFinished$/, optionsAt: -1 },
  ],
  read: (site) => (site.client?.kind === 'job' ? ofJob(site) : ofQueue(site)),
  targetOf: ({ client }) => (client?.args[0]?.kind === 'constant' ? String(client.args[0].value) : null),
}

function ofQueue(site: Site): Reading {
  // A queue that is handed in is one that Nest makes, where the project makes its connection by Nest.
  const nest = site.client?.args.length === 0 ? nestConnection(site, '@nestjs/bullmq', 'connection') : null
  const setting = nest ? ofConnection(site.evaluator.memberOf(nest.options, 'connection'), site.evaluator) : commandTimeout(site)
  const limit = limitFrom(setting, nest ? { ...site, client: nest.client } : site, {
    setting: 'commandTimeout',
    kind: 'total',
    default: ['ioredis', 'commandTimeout'],
  })
  return readingOf({
    phases: [{ what: 'the answer of Redis', kind: 'total', limit }],
    remedy: 'connection: { commandTimeout: … (ms), enableOfflineQueue: false }, apart from that of the workers',
  })
}

function commandTimeout({ client, evaluator }: Site): Setting {
  const options = client?.options
  // `new FlowProducer(options)` has no name before them.
  const from = options ?? (client?.args[0]?.kind === 'object' ? client.args[0] : undefined)
  if (!from) return client?.args.length === 0 ? { state: 'unknown', why: 'the queue is handed in' } : { state: 'absent' }
  if (from.kind !== 'object') return { state: 'unknown', why: 'the options are only known at run time' }
  return ofConnection(evaluator.memberOf(from, 'connection'), evaluator)
}

function ofConnection(connection: Term, evaluator: Site['evaluator']): Setting {
  const args = ioredisArgs(connection)
  return args ? settingAmongArgs(args, 'commandTimeout', evaluator) : settingIn(connection, 'commandTimeout', evaluator)
}

/** `waitUntilFinished(events, ttl)` waits for a worker, which may never come. */
function ofJob(site: Site): Reading {
  const [, ttl] = site.args
  const limit = limitFrom(
    ttl ? settingOf(ttl) : { state: 'absent' },
    { ...site, client: null },
    { setting: 'ttl', kind: 'total', cancels: false },
  )
  return readingOf({
    phases: [{ what: 'a worker to finish the job', kind: 'total', limit }],
    remedy: 'waitUntilFinished(queueEvents, ttl), ttl in ms',
  })
}
