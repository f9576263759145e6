import type { Reading } from '../limits/reading.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { CallShape, Client, LibraryModel, Site } from './library-model.js'
import { maxTimeAmong, mongoReading } from './mongo-limits.js'
import { mongooseDriver } from './mongoose-driver.js'
import { factoryOptions, projectClient } from './project-client.js'
import { rootClient } from './root-client.js'
import { addressIn, firstSetting, writtenUrl } from './url-settings.js'

const NEST = ['MongooseModule.forRoot', 'MongooseModule.forRootAsync']

const CALLS: readonly Omit<CallShape, 'on'>[] = [
  {
    method: /^(find|findOne|findById|updateOne|updateMany|replaceOne|findOneAndUpdate|findOneAndReplace|findByIdAndUpdate|distinct)$/,
    optionsAt: 2,
  },
  {
    method:
      /^(create|insertMany|aggregate|countDocuments|exists|deleteOne|deleteMany|findOneAndDelete|findByIdAndDelete|bulkWrite|bulkSave)$/,
    optionsAt: 1,
  },
  { method: /^(estimatedDocumentCount|\(\)\.(save|deleteOne|updateOne))$/, optionsAt: 0 },
]

/** mongoose: models ask over the connection that `connect` made somewhere in the project, with the limits of mongodb. */
export const mongooseModel: LibraryModel = {
  id: 'mongoose',
  packages: ['mongoose', '@nestjs/mongoose'],
  clients: [
    { kind: 'connection', on: null, made: ['connect', 'createConnection', ...NEST], types: ['Connection'], optionsAt: 1, isJudged: true },
    { kind: 'connection', on: 'connection', made: ['asPromise', 'useDb'], optionsAt: -1 },
    { kind: 'model', on: null, made: ['model'], types: ['Model'], optionsAt: -1 },
    { kind: 'model', on: 'connection', made: ['model'], optionsAt: -1 },
  ],
  calls: CALLS.map((shape) => ({ ...shape, on: 'model' })),
  read,
  targetOf: (site) => writtenUrl(urlOf(connectionOf(site) ?? site.client, site))?.text ?? null,
}

function read(site: Site): Reading {
  const connection = connectionOf(site)
  const options: Term | undefined = connection ? optionsOf(connection, site) : { kind: 'unknown', why: 'the connection is made elsewhere' }
  return mongoReading(connection ? { ...site, client: connection } : { ...site, client: null }, {
    ofOperation: [site.options],
    maxTime: maxTimeOf(site),
    ofClient: options,
    url: connection ? urlOf(connection, site) : undefined,
    version: mongooseDriver(site),
    isRead: null,
  })
}

const limitedByHooks = new WeakMap<object, boolean>()

/** `schema.pre(/^find/, function () { this.maxTimeMS(5000) })` limits what no call shows. */
function isLimitedByHook({ evaluator: { project } }: Site): boolean {
  const known = limitedByHooks.get(project)
  if (known !== undefined) return known
  const found = project.sources.some(({ text }) => text.includes('maxTimeMS') && /\.(pre|plugin)\s*\(/.test(text))
  limitedByHooks.set(project, found)
  return found
}

/** `.maxTimeMS(…)` and `.setOptions({ maxTimeMS })` of the query, else `mongoose.set('maxTimeMS', …)`. */
function maxTimeOf(site: Site): Setting {
  if (isLimitedByHook(site)) return { state: 'unknown', why: 'a hook of a schema may set it' }
  const chained = maxTimeAmong(site.followedBy)
  const inOptions = site.followedBy.find(({ name }) => name === 'setOptions')?.args[0]
  const forAll = site.uses.callsOf('mongoose:set').find(({ args: [name] }) => name?.kind === 'constant' && name.value === 'maxTimeMS')
    ?.args[1]
  return firstSetting(
    [chained, forAll]
      .map((term): Setting => (term ? settingOf(term) : { state: 'absent' }))
      .toSpliced(1, 0, settingIn(inOptions, 'maxTimeMS', site.evaluator)),
  )
}

/** The connection that is judged, that a model was made on, or that the project makes for all. */
function connectionOf(site: Site): Client | null {
  const root = rootClient(site.client)
  if (root?.kind === 'connection') return root.args.length > 0 ? root : null
  return projectClient(site, ['mongoose:connect', ...NEST.map((name) => `@nestjs/mongoose:${name}`)])
}

/** `forRootAsync` gives the address and the options together. */
function optionsOf({ options, args }: Client, site: Site): Term | undefined {
  return options || args[0]?.kind !== 'object' ? options : factoryOptions(args[0], site)
}

function urlOf(client: Client | null, site: Site): Term | undefined {
  if (!client) return undefined
  const options = client.args[0]?.kind === 'object' ? optionsOf(client, site) : undefined
  return options ? addressIn(options, 'uri', site.evaluator) : client.args[0]
}
