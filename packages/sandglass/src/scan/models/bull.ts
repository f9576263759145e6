import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingOf } from '../limits/settings.js'
import { settingAmongArgs } from './ioredis-options.js'
import type { LibraryModel, Site } from './library-model.js'
import { nestConnection } from './nest-connection.js'

const ASKING =
  /^(add|addBulk|getJob|getJobs|getJobCounts|count|getWaiting|getActive|getDelayed|getCompleted|getFailed|removeJobs|pause|resume|empty|clean)$/

/** Bull: as BullMQ, with the options of ioredis under `redis`; a job is waited for by `finished()`, without a limit. */
export const bullModel: LibraryModel = {
  id: 'bull',
  packages: ['bull', '@nestjs/bull'],
  clients: [
    { kind: 'queue', on: null, made: ['', 'Queue'], types: ['', 'Queue'], optionsAt: 1 },
    { kind: 'job', on: 'queue', made: ['add', 'getJob'], optionsAt: -1 },
  ],
  calls: [
    { on: 'queue', method: ASKING, optionsAt: -1 },
    { on: 'job', method: /^finished$/, optionsAt: -1 },
  ],
  read: (site) => {
    const isJob = site.client?.kind === 'job'
    const limit = isJob
      ? limitFrom(settingOf(NOTHING(site)), { ...site, client: null }, { setting: 'finished', kind: 'total' })
      : ofQueue(site)
    return readingOf({
      phases: [{ what: isJob ? 'a worker to finish the job' : 'the answer of Redis', kind: 'total', limit }],
      remedy: isJob
        ? 'end the wait around the call'
        : 'redis: { commandTimeout: … (ms), enableOfflineQueue: false } for queues that requests add to',
    })
  },
  targetOf: ({ client }) => (client?.args[0]?.kind === 'constant' ? String(client.args[0].value) : null),
}

const NOTHING = ({ at }: Site) => ({ kind: 'constant', value: undefined, at }) as const

function ofQueue(site: Site): LimitState {
  const nest = site.client?.args.length === 0 ? nestConnection(site, '@nestjs/bull', 'redis') : null
  const setting = nest ? settingAmongArgs([nest.options], 'redis.commandTimeout', site.evaluator) : commandTimeout(site)
  const home = nest ? { ...site, client: nest.client } : site
  return limitFrom(setting, home, { setting: 'redis.commandTimeout', kind: 'total', default: ['ioredis', 'commandTimeout'] })
}

function commandTimeout({ client, evaluator }: Site) {
  if (!client || client.args.length === 0) return { state: 'unknown', why: 'the queue is handed in' } as const
  const options = client.args.slice(1)
  const creates = options.some((term) => term.kind === 'object' && !isAbsent(evaluator.memberOf(term, 'createClient')))
  if (creates) return { state: 'unknown', why: 'createClient makes the connection' } as const
  return settingAmongArgs(options, 'redis.commandTimeout', evaluator)
}

const isAbsent = (term: { readonly kind: string; readonly value?: unknown }) => term.kind === 'constant' && term.value === undefined
