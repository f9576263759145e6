import { limitFrom } from '../limits/limits.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { CallNode } from '../syntax/module.js'
import { parentOf } from '../syntax/walk.js'
import type { LibraryModel, Site } from './library-model.js'
import { rootClient } from './root-client.js'
import { orSetBySql } from './set-by-sql.js'
import { firstSetting, isAddress, settingInServerOptions, settingInUrl, writtenUrl } from './url-settings.js'

/** postgres (postgres.js): it limits the connection; a query only ends by a `statement_timeout` that the server is given. */
export const postgresModel: LibraryModel = {
  id: 'postgres',
  packages: ['postgres'],
  clients: [
    { kind: 'sql', on: null, made: [''], types: ['Sql'], optionsAt: 1, isJudged: true },
    { kind: 'sql', on: 'sql', made: ['reserve'], optionsAt: -1 },
    { kind: 'sql', on: 'sql', made: ['begin', 'savepoint', 'transaction'], handedAs: 0, optionsAt: -1 },
  ],
  calls: [
    { on: 'sql', method: /^$/, optionsAt: -1, isTag: true, unless: isPart },
    { on: 'sql', method: /^(unsafe|file|notify)$/, optionsAt: -1 },
  ],
  read,
  targetOf: ({ client }) => writtenUrl(rootClient(client)?.args[0])?.text ?? null,
}

/** ``sql`and x = ${y}` `` inside another one is a part of that. */
function isPart(node: CallNode): boolean {
  for (let here = parentOf(node); here; here = parentOf(here)) {
    if (here.type === 'TemplateLiteral' && parentOf(here)?.type === 'TaggedTemplateExpression') return true
    if (here.type.endsWith('Statement') || here.type.endsWith('Declaration')) return false
  }
  return false
}

function read(site: Site): Reading {
  const here = { ...site, client: rootClient(site.client) }
  const connect = limitFrom(given(here, 'connect_timeout'), here, {
    setting: 'connect_timeout',
    kind: 'connect',
    unitMs: 1000,
    default: ['postgres (node)', 'connect_timeout'],
  })
  const own = limitFrom(statementTimeout(here), here, {
    setting: 'statement_timeout',
    kind: 'statement',
    default: ['postgres (node)', 'statement_timeout'],
  })
  const statement = orSetBySql(own, 'statement_timeout', here)
  return readingOf({
    phases: [
      { what: 'the connection', kind: 'connect', limit: connect },
      { what: 'the answer of a query', kind: 'statement', limit: statement },
    ],
    remedy: 'connection: { statement_timeout: … (ms) }',
  })
}

function given({ client, evaluator }: Site, name: string): Setting {
  if (client && client.args.length === 0 && client.options?.kind === 'unknown') return { state: 'unknown', why: 'the client is handed in' }
  const [first] = client?.args ?? []
  const url = first && (isAddress(first) || client?.args.length === 2) ? first : undefined
  return firstSetting([settingIn(url === first ? client?.options : first, name, evaluator), settingInUrl(url, [name])])
}

/** A number is ms; a text may have a unit: `'5s'`. */
function statementTimeout(here: Site): Setting {
  const all = [given(here, 'connection.statement_timeout'), given(here, 'statement_timeout')]
  const setting = firstSetting(all)
  if (setting.state === 'given' && typeof setting.value === 'string')
    return settingInServerOptions({ ...setting, value: `statement_timeout=${setting.value}` }, 'statement_timeout')
  return firstSetting([setting, settingInServerOptions(given(here, 'connection.options'), 'statement_timeout')])
}
