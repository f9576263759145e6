import { type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingOf } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { maxTimeAmong, mongoReading } from './mongo-limits.js'
import { rootClient } from './root-client.js'
import { writtenUrl } from './url-settings.js'

const CHAIN = [
  'sort',
  'limit',
  'skip',
  'project',
  'filter',
  'hint',
  'batchSize',
  'collation',
  'map',
  'comment',
  'allowDiskUse',
  'maxAwaitTimeMS',
  'withReadPreference',
  'withReadConcern',
  'addCursorFlag',
  'addQueryModifier',
  'returnKey',
  'showRecordId',
  'min',
  'max',
  'match',
  'group',
  'lookup',
  'unwind',
  'redact',
  'out',
  'clone',
]

/** mongodb: it limits the choice of a server; an operation ends by `socketTimeoutMS`, by the server's `maxTimeMS`, or by `timeoutMS` where that works. */
export const mongodbModel: LibraryModel = {
  id: 'mongodb',
  packages: ['mongodb'],
  clients: [
    {
      kind: 'client',
      on: null,
      made: ['MongoClient', 'MongoClient.connect'],
      types: ['MongoClient'],
      optionsAt: 1,
      isFirstPlain: true,
      isJudged: true,
    },
    { kind: 'client', on: 'client', made: ['connect'], optionsAt: -1 },
    { kind: 'db', on: 'client', made: ['db'], types: ['Db'], optionsAt: 1 },
    { kind: 'collection', on: 'db', made: ['collection'], types: ['Collection'], optionsAt: 1 },
    { kind: 'cursor', on: 'collection', made: ['find', 'aggregate'], optionsAt: 1 },
    { kind: 'cursor', on: 'db', made: ['aggregate', 'listCollections'], optionsAt: 1 },
    { kind: 'limited cursor', on: 'cursor', made: ['maxTimeMS'], optionsAt: 0 },
    ...['cursor', 'limited cursor'].map((kind) => ({ kind, on: kind, made: CHAIN, optionsAt: -1 })),
  ],
  calls: [
    {
      on: 'collection',
      method: /^(findOne|insertOne|insertMany|deleteOne|deleteMany|findOneAndDelete|countDocuments|bulkWrite|count)$/,
      optionsAt: 1,
    },
    { on: 'collection', method: /^(updateOne|updateMany|replaceOne|findOneAndUpdate|findOneAndReplace|distinct)$/, optionsAt: 2 },
    { on: 'collection', method: /^estimatedDocumentCount$/, optionsAt: 0 },
    { on: 'db', method: /^command$/, optionsAt: 1 },
    ...['cursor', 'limited cursor'].map((on) => ({ on, method: /^(toArray|next|tryNext|hasNext|forEach)$/, optionsAt: -1 })),
  ],
  read,
  targetOf: ({ client }) => writtenUrl(rootClient(client)?.args[0])?.text ?? null,
}

function read(site: Site): Reading {
  const root = rootClient(site.client)
  const here = { ...site, client: root }
  if (root?.kind !== 'client' || root.args.length === 0) return handedIn(site)
  const { ofOperation, maxTime } = fromCallToClient(site)
  return mongoReading(here, {
    ofOperation,
    maxTime,
    ofClient: root.options,
    url: root.args[0],
    version: site.version,
    isRead: isRead(site.method),
  })
}

/** Reads and writes are retried apart. */
function isRead(method: string): boolean | null {
  if (method === 'new' || method === 'command') return null
  return !/^(insert|update|replace|delete|bulkWrite|findOneAnd)/.test(method)
}

/** The options on the way from the operation to the client. */
function fromCallToClient(site: Site): { ofOperation: (Term | undefined)[]; maxTime: Setting } {
  const ofOperation: (Term | undefined)[] = [site.options]
  let maxTime: Term | undefined = maxTimeAmong(site.followedBy)
  for (let here: Client | null = site.client; here?.parent; here = here.parent) {
    const isTime = here.kind === 'limited cursor' && here.options && here.options.kind !== 'object'
    if (isTime) maxTime ??= here.options
    else ofOperation.push(here.options)
  }
  return { ofOperation, maxTime: maxTime ? settingOf(maxTime) : { state: 'absent' } }
}

function handedIn(site: Site): Reading {
  const { ofOperation, maxTime } = fromCallToClient(site)
  const url: Term = { kind: 'unknown', why: 'the client is handed in' }
  if (site.client === null) return readingOf({ remedy: 'socketTimeoutMS: … (ms)' })
  return mongoReading(site, { ofOperation, maxTime, ofClient: url, url: undefined, version: site.version, isRead: isRead(site.method) })
}
