import type { LimitState } from '../limits/limit-state.js'
import { type Reading, readingOf } from '../limits/reading.js'
import { type CallNode, spotOf } from '../syntax/module.js'
import { identityOf, type Term } from '../terms/term.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { mysql2Model } from './mysql2.js'
import { optionIn } from './option-in.js'
import { pgModel } from './pg.js'
import { postgresModel } from './postgres.js'
import { isQueryPart, queryChain } from './query-part.js'
import { rootClient } from './root-client.js'
import { neonModel } from './storage-sdks.js'
import { isAddress } from './url-settings.js'

/** Its entry points by the driver below. */
const DRIVERS: Readonly<Record<string, { readonly model: LibraryModel; readonly kind: string }>> = {
  'drizzle-orm/node-postgres': { model: pgModel, kind: 'pool' },
  'drizzle-orm/postgres-js': { model: postgresModel, kind: 'sql' },
  'drizzle-orm/mysql2': { model: mysql2Model, kind: 'pool' },
  'drizzle-orm/neon-http': { model: neonModel, kind: 'sql' },
}

/** drizzle: a query has the limits of the driver below, which it makes itself or is given. */
export const drizzleModel: LibraryModel = {
  id: 'drizzle',
  packages: Object.keys(DRIVERS),
  clients: [
    { kind: 'database', on: null, made: ['drizzle'], optionsAt: 0, isJudged: true },
    { kind: 'database', on: 'database', made: ['transaction'], handedAs: 0, optionsAt: -1 },
  ],
  calls: [
    { on: 'database', method: /^(select|selectDistinct|insert|update|delete|execute|\$count)$/, optionsAt: -1, unless: isNoQuery },
    { on: 'database', method: /^query\.\w+\.(findMany|findFirst)$/, optionsAt: -1 },
  ],
  read,
}

/** A part of another query, or one that is only built. */
function isNoQuery(node: CallNode): boolean {
  return isQueryPart(node) || queryChain(node).names.some((name) => /^(as|toSQL|getSQL|prepare|\$dynamic)$/.test(name))
}

function read(site: Site): Reading {
  const root = rootClient(site.client)
  const below = root && driverOf(root, site)
  if (!below) return unknownReading('the driver is made elsewhere')
  const { model, client } = below
  return model.read({
    ...site,
    model,
    client,
    method: site.method === 'new' ? 'new' : 'query',
    options: undefined,
    args: [],
    followedBy: [],
  })
}

function unknownReading(why: string): Reading {
  const limit: LimitState = { state: 'unknown', name: 'timeout', why }
  return readingOf({ phases: [{ what: 'the answer of a query', kind: 'total', limit }], remedy: '' })
}

interface Below {
  readonly model: LibraryModel
  readonly client: Client
}

/** `drizzle(pool)`, `drizzle({ client: pool })`, `drizzle(url)`, `drizzle({ connection: … })`. */
function driverOf(root: Client, { evaluator }: Site): Below | null {
  const callee = root.at.node.type === 'CallExpression' ? evaluator.termOf(root.at.node.callee, root.at.module) : null
  const driver = callee?.kind === 'external' ? DRIVERS[callee.package] : undefined
  const [first] = root.args
  if (!driver || !first) return null
  const term = first.kind === 'object' ? (optionIn(first, 'client', evaluator) ?? optionIn(first, 'connection', evaluator)) : first
  if (term?.kind === 'made' && term.callee.kind === 'external' && term.callee.package !== 'operator') return ofClient(term, driver)
  const isOwn = term !== undefined && (isAddress(term) || term.kind === 'object')
  return isOwn ? { model: driver.model, client: { ...root, kind: driver.kind, options: term, args: [term] } } : null
}

/** The client that it is given: what that lacks is written there. */
function ofClient(
  term: Extract<Term, { kind: 'made' }>,
  { model, kind }: { readonly model: LibraryModel; readonly kind: string },
): Below | null {
  const path = term.callee.kind === 'external' ? term.callee.path.join('.') : ''
  const shape = model.clients.find(({ on, made }) => on === null && !(made instanceof RegExp) && made.includes(path))
  if (!shape || (term.callee.kind === 'external' && !model.packages.includes(term.callee.package))) return null
  const spot = spotOf(term.at.node, term.at.module)
  const client = {
    kind: shape.kind ?? kind,
    madeBy: path,
    options: term.args[shape.optionsAt],
    args: term.args,
    parent: null,
    at: term.at,
    spot,
    identity: identityOf(term),
    others: [],
  }
  return { model, client }
}
