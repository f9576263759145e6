import { limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import { spotOf } from '../syntax/module.js'
import { identityOf, type Term } from '../terms/term.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { factoryOptions } from './project-client.js'
import { firstSetting, settingInUrl } from './url-settings.js'

/** Modules of Nest that make clients of ioredis and hand them in: their options stand where the module is made. */
export const nestIoredisModel: LibraryModel = {
  id: 'nestjs-ioredis',
  packages: ['@nestjs-labs/nestjs-ioredis', '@liaoliaots/nestjs-redis', '@nestjs-modules/ioredis', '@svtslv/nestjs-ioredis'],
  clients: [{ kind: 'module', on: null, made: ['RedisModule.forRoot', 'RedisModule.forRootAsync'], optionsAt: 0, isJudged: true }],
  calls: [],
  read: (site) =>
    readingOf({
      phases: [
        {
          what: 'the answer of a command',
          kind: 'total',
          limit: limitFrom(
            commandTimeout(site),
            { ...site, client: writtenAt(site) },
            {
              setting: 'commandTimeout',
              kind: 'total',
              default: ['ioredis', 'commandTimeout'],
              defaultVersion: null,
            },
          ),
        },
      ],
      remedy: 'commandTimeout: … (ms)',
    }),
}

/** The options are where a limit would be written; two modules that share them are one cause. */
function writtenAt(site: Site): Client | null {
  const options = factoryOptions(site.client?.options, site)
  if (options?.kind !== 'object' || !site.client) return site.client
  const { at } = options
  return { ...site.client, at, spot: spotOf(at.node, at.module), identity: identityOf(options) }
}

/** Of several clients the one that may wait longest. */
function commandTimeout(site: Site): Setting {
  const { evaluator } = site
  const options = factoryOptions(site.client?.options, site)
  if (options?.kind !== 'object') return { state: 'unknown', why: 'the options are only known at run time' }
  if (isGiven(evaluator.memberOf(options, 'nodes'))) return { state: 'unknown', why: 'a cluster has limits of its own' }
  const all = clientsIn(options, site).map((client) =>
    firstSetting([
      settingInUrl(evaluator.memberOf(client, 'url'), ['commandTimeout']),
      settingIn(client, 'commandTimeout', evaluator),
      settingIn(options, 'commonOptions.commandTimeout', evaluator),
    ]),
  )
  return all.find(({ state }) => state === 'absent') ?? all.find(({ state }) => state === 'unknown') ?? firstSetting(all)
}

/** `config: { … }` or a list of such; `options: { … }` beside an address. */
function clientsIn(options: Term, { evaluator }: Site): readonly Term[] {
  const config = evaluator.memberOf(options, 'config')
  if (config.kind === 'list') return config.items
  const [found = options] = [config, evaluator.memberOf(options, 'options')].filter(isGiven)
  return [found]
}

const isGiven = (term: Term) => !(term.kind === 'constant' && term.value === undefined)
