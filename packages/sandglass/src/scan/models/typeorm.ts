import { limitFrom } from '../limits/limits.js'
import { type Phase, type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { factoryOptions, projectClient } from './project-client.js'
import { rootClient } from './root-client.js'
import { dialectOf, driverAnswer, serversAmong } from './sql-dialect.js'
import { firstSetting, writtenUrl } from './url-settings.js'

const MADE = ['DataSource', 'createConnection', 'Connection']
const NEST = ['TypeOrmModule.forRoot', 'TypeOrmModule.forRootAsync']

const REPOSITORY =
  /^(find\w*|save|insert|update|upsert|delete|softDelete|restore|remove|count\w*|exists?\w*|sum|average|minimum|maximum|query|increment|decrement|clear)$/
const BUILT =
  /^createQueryBuilder\(\)(\.\w+\(\))*\.(getMany|getOne|getOneOrFail|getRawMany|getRawOne|getManyAndCount|getRawAndEntities|getCount|getExists|execute)$/

/** typeorm: it has no limit of its own; the options of the driver go in `extra`. */
export const typeormModel: LibraryModel = {
  id: 'typeorm',
  packages: ['typeorm', '@nestjs/typeorm'],
  clients: [
    { kind: 'source', on: null, made: [...MADE, ...NEST], types: ['DataSource', 'Connection'], optionsAt: 0, isJudged: true },
    { kind: 'source', on: 'source', made: ['initialize'], optionsAt: -1 },
    { kind: 'manager', on: null, made: ['getManager', 'EntityManager'], types: ['EntityManager'], optionsAt: -1 },
    { kind: 'repository', on: null, made: ['getRepository', 'Repository'], types: ['Repository', 'TreeRepository'], optionsAt: -1 },
    ...['source', 'manager'].flatMap((on) => [
      { kind: 'repository', on, made: ['getRepository', 'manager.getRepository', 'getTreeRepository'], optionsAt: -1 },
      { kind: 'manager', on, made: ['transaction', 'manager.transaction'], handedAs: 0, optionsAt: -1 },
    ]),
  ],
  calls: [
    { on: 'source', method: /^(manager\.)?query$/, optionsAt: -1 },
    ...['manager', 'repository'].flatMap((on) => [
      { on, method: REPOSITORY, optionsAt: -1 },
      { on, method: BUILT, optionsAt: -1 },
    ]),
    { on: 'source', method: BUILT, optionsAt: -1 },
  ],
  read,
  targetOf: (site) => {
    const options = optionsOf(sourceOf(site), site)
    return writtenUrl(optionIn(options, 'url', site.evaluator))?.text ?? null
  },
}

/** The data source something was got from, or the one that the project makes for all. */
function sourceOf(site: Site): Client | null {
  const root = rootClient(site.client)
  if (root?.kind === 'source') return root.args.length === 0 ? null : root
  return projectClient(site, [...MADE.map((name) => `typeorm:${name}`), ...NEST.map((name) => `@nestjs/typeorm:${name}`)])
}

function optionsOf(source: Client | null, site: Site): Term | undefined {
  return factoryOptions(source?.args[0], site)
}

function read(site: Site): Reading {
  const source = sourceOf(site)
  const here = { ...site, client: source, options: undefined }
  const options = source ? serversAmong(optionsOf(source, site), 'type', site.evaluator) : undefined
  const setting = (name: string): Setting =>
    source ? settingIn(options, name, site.evaluator) : { state: 'unknown', why: 'the data source is made elsewhere' }
  const dialect = source ? dialectOf(setting('type')) : 'unknown'
  const [extra, url] = ['extra', 'url'].map((name) => optionIn(options, name, site.evaluator))
  const wait = dialect === 'postgres' ? waiting(here, setting) : null
  const { phases, findings, remedy } = driverAnswer(here, dialect, { options: extra, url }, 'extra: {}', wait?.limit)
  return readingOf({ phases: [...(wait ? [wait] : []), ...phases], findings, remedy })
}

function waiting(here: Site, setting: (name: string) => Setting): Phase {
  const given = firstSetting([setting('extra.connectionTimeoutMillis'), setting('connectTimeoutMS')])
  const limit = limitFrom(given, here, { setting: 'connectTimeoutMS', kind: 'queue', default: ['typeorm', 'connectTimeoutMS (postgres)'] })
  return { what: 'a free client', kind: 'queue', limit }
}
