import { compareVersions } from '../../model/default-of.js'
import { limitFrom } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import type { Setting } from '../limits/settings.js'
import { settingAmongArgs } from './ioredis-options.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { projectClient } from './project-client.js'
import { rootClient } from './root-client.js'
import { dialectOf, dialectOfDriver, dialectOfUrl, driverAnswer, type SqlDialect } from './sql-dialect.js'
import { isAddress, writtenUrl } from './url-settings.js'

const MODEL =
  /^(find\w+|create|bulkCreate|upsert|update|destroy|restore|count|max|min|sum|aggregate|increment|decrement|truncate|save|reload|findOrCreate)$/

/** sequelize: it limits the wait for a connection, 60 s by default; a query ends by what the driver is given in `dialectOptions`. */
export const sequelizeModel: LibraryModel = {
  id: 'sequelize',
  packages: ['sequelize', 'sequelize-typescript', '@sequelize/core'],
  clients: [
    { kind: 'sequelize', on: null, made: ['', 'Sequelize'], types: ['Sequelize'], optionsAt: 3, isJudged: true },
    { kind: 'model', on: 'sequelize', made: ['define', 'model'], optionsAt: -1 },
    { kind: 'model', on: null, made: ['Model'], types: ['Model', 'ModelStatic', 'ModelCtor'], optionsAt: -1 },
  ],
  calls: [
    { on: 'sequelize', method: /^(query|authenticate)$/, optionsAt: -1 },
    { on: 'model', method: MODEL, optionsAt: -1 },
    { on: 'model', method: /^(\(\)|unscoped\(\)|scope\(\)|schema\(\))\.\w+$/, optionsAt: -1 },
  ],
  read,
  targetOf: (site) => writtenUrl(connectionOf(site)?.args[0])?.text ?? null,
}

/** The connection a model was defined on, or the one that the project makes for all. */
function connectionOf(site: Site): Client | null {
  const root = rootClient(site.client)
  if (root?.kind === 'sequelize') return root.options?.kind === 'unknown' && root.args.length === 0 ? null : root
  return projectClient(site, ['sequelize:Sequelize', 'sequelize:', 'sequelize-typescript:Sequelize', '@sequelize/core:Sequelize'])
}

function read(site: Site): Reading {
  const root = connectionOf(site)
  const here = { ...site, client: root, options: undefined }
  const setting = (name: string): Setting =>
    root ? settingAmongArgs(root.args, name, site.evaluator) : { state: 'unknown', why: 'the connection is made elsewhere' }
  const options = root?.args.find((arg) => arg.kind === 'object' || (arg.kind === 'either' && !isAddress(arg)))
  const acquire = limitFrom(setting('pool.acquire'), here, {
    setting: 'pool.acquire',
    kind: 'queue',
    default: ['sequelize', 'pool.acquire'],
  })
  const ofDriver = optionIn(options, 'dialectOptions', site.evaluator)
  const dialect = root ? dialectFor(root, setting, here) : 'unknown'
  const { phases, findings, remedy } = driverAnswer(
    here,
    dialect,
    { options: ofDriver, url: root?.args.find(isAddress) },
    'dialectOptions: {}',
  )
  return readingOf({
    phases: [{ what: 'a free connection', kind: 'queue', limit: acquire }, ...phases],
    findings,
    remedy: dialect === 'postgres' && isWithoutQueryTimeout(site) ? 'dialectOptions: { statement_timeout: … (ms) }' : remedy,
  })
}

/** It hands on the options of the driver that it knows, and knew `statement_timeout` first. */
function isWithoutQueryTimeout({ packageName, version }: Site): boolean {
  return packageName === 'sequelize' && version !== null && compareVersions(version, '6.8') < 0
}

function dialectFor(root: Client, setting: (name: string) => Setting, here: Site): SqlDialect {
  const named = dialectOf(setting('dialect'))
  const inUrl = named === 'unknown' ? dialectOfUrl(writtenUrl(root.args[0])?.text ?? null) : named
  if (inUrl !== 'unknown') return inUrl
  // What has a host, under a condition too, is asked over a network where it is not a file.
  const isOpen = setting('dialect').state === 'unknown' && root.args.some(({ kind }) => kind === 'object')
  return isOpen && setting('host').state !== 'absent' ? dialectOfDriver(here) : 'unknown'
}
