import { compareVersions } from '../../model/default-of.js'
import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Phase, type Reading, readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { spotOf } from '../syntax/module.js'
import { functionAround } from '../terms/evaluator.js'
import type { At, Term } from '../terms/term.js'
import type { Client, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { prismaProvider } from './prisma-schema.js'
import { projectClient } from './project-client.js'
import { rootClient } from './root-client.js'
import { dialectOfUrl, driverAnswer } from './sql-dialect.js'
import { firstSetting, settingInUrl, writtenUrl } from './url-settings.js'

const OPERATION =
  /^\w+\.(findUnique|findUniqueOrThrow|findFirst|findFirstOrThrow|findMany|create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany|count|aggregate|groupBy|findRaw|aggregateRaw)$/
const RAW = /^\$(queryRaw|executeRaw)(Unsafe)?$/

/** Prisma: its own engine (up to 6) limits the wait for a connection, 10 s, and no query; a driver adapter (7) has the limits of its driver. */
export const prismaModel: LibraryModel = {
  id: 'prisma',
  packages: ['@prisma/client', '@prisma/client/edge', '@prisma/client/extension', 'prisma'],
  generated: /prisma|generated/i,
  clients: [
    {
      kind: 'prisma',
      on: null,
      made: ['PrismaClient', 'getPrismaClient()', 'getPrismaClientClass()'],
      types: ['PrismaClient'],
      optionsAt: 0,
      isJudged: true,
    },
    { kind: 'prisma', on: 'prisma', made: ['$extends', '$on'], optionsAt: -1 },
    { kind: 'transaction', on: 'prisma', made: ['$transaction'], handedAs: 0, optionsAt: -1 },
  ],
  calls: [
    { on: 'prisma', method: OPERATION, optionsAt: -1 },
    { on: 'prisma', method: RAW, optionsAt: -1 },
    { on: 'prisma', method: RAW, optionsAt: -1, isTag: true },
    { on: 'prisma', method: /^\$transaction$/, optionsAt: 1 },
  ],
  read,
  targetOf: (site) => {
    const url = urlOf(rootClient(site.client), site)
    return writtenUrl(url)?.text ?? null
  },
}

function read(site: Site): Reading {
  const root = clientOf(site)
  if (!root || isLimitedByExtension(site.client)) return unknownReading()
  const here = { ...site, client: root, options: undefined }
  const [first] = site.args
  const isInteractive = site.method === '$transaction' && first?.kind !== 'list' && first?.kind !== 'unknown'
  const adapter = firstOf(optionIn(root.options, 'adapter', site.evaluator))
  if (adapter) return isInteractive ? ofTransactionInAdapter(site, here, adapter) : ofAdapter(adapter, here)
  if (isInteractive) return ofTransaction(site, here)
  return ofEngine(here, root)
}

/** Its own client, or the one that the project makes where it is handed in: a limit stands at none other. */
function clientOf(site: Site): Client | null {
  const root = rootClient(site.client)
  const isHandedIn = root?.options?.kind === 'unknown' && (root.args.length === 0 || root.args[0] === root.options)
  return isHandedIn ? projectClient(site, ['@prisma/client:PrismaClient'], 0) : root
}

/** `$extends({ query: … })` may end each query: by a race, a timeout. */
function isLimitedByExtension(client: Client | null): boolean {
  for (let here = client; here; here = here.parent) {
    const { node, module } = here.at
    const text = here.parent ? module.source.text.slice(node.start, node.end) : ''
    if (/\$extends\b/.test(text) && /timeout|Promise\.race/i.test(text)) return true
  }
  return false
}

function unknownReading(): Reading {
  const limit: LimitState = { state: 'unknown', name: 'socket_timeout', why: 'the client is made elsewhere, or an extension ends it' }
  return readingOf({ phases: [{ what: 'the answer of a query', kind: 'total', limit }], remedy: '' })
}

/** `$transaction(async (tx) => …)` ends as a whole, 2 s and 5 s by default. */
function ofTransaction(site: Site, here: Site): Reading {
  return readingOf({
    phases: [
      { what: 'a free connection', kind: 'queue', limit: limitOfTransaction(site, here, 'maxWait', 'queue') },
      { what: 'the transaction', kind: 'total', limit: limitOfTransaction(site, here, 'timeout', 'total') },
    ],
    remedy: '$transaction(…, { timeout: … (ms) })',
  })
}

/** Over a driver `timeout` is only looked at between statements: one that is not answered is waited for (seen with 7.10 and PrismaPg). */
function ofTransactionInAdapter(site: Site, here: Site, adapter: Term): Reading {
  const { phases, findings, remedy } = answerOfAdapter(adapter, here)
  const wait: Phase = { what: 'a free connection', kind: 'queue', limit: limitOfTransaction(site, here, 'maxWait', 'queue') }
  return readingOf({ phases: [wait, ...phases.slice(-1)], findings, remedy })
}

function limitOfTransaction(site: Site, here: Site, setting: 'maxWait' | 'timeout', kind: 'queue' | 'total'): LimitState {
  const ofClient = settingIn(here.client?.options, `transactionOptions.${setting}`, site.evaluator)
  return limitFrom(firstSetting([settingIn(site.options, setting, site.evaluator), ofClient]), here, {
    setting,
    kind,
    default: ['prisma', `$transaction ${setting}`],
  })
}

/** Of several adapters the first: they differ in their database. */
function firstOf(adapter: Term | undefined): Term | undefined {
  return adapter?.kind === 'either' ? (adapter.of.find(({ kind }) => kind === 'made') ?? adapter) : adapter
}

/** `new PrismaPg({ connectionString, statement_timeout })`: the options, or a pool, of the driver. */
function ofAdapter(adapter: Term, here: Site): Reading {
  return readingOf(answerOfAdapter(adapter, here))
}

function answerOfAdapter(adapter: Term, here: Site) {
  const name = adapter.kind === 'made' && adapter.callee.kind === 'external' ? adapter.callee.path.at(-1) : undefined
  const dialect = name === 'PrismaPg' ? 'postgres' : name === 'PrismaMariaDb' ? 'mysql' : 'unknown'
  const [first] = adapter.kind === 'made' ? adapter.args : []
  const isPool = first?.kind === 'made' && first.callee.kind === 'external' && first.callee.package === 'pg'
  // What a pool lacks is written there, and what an adapter lacks that a function gives to many clients is written in that.
  const below = isPool ? first : adapter.kind === 'made' && here.client && isMadeApart(adapter.at, here.client.at) ? adapter : null
  const client = below && here.client ? { ...here.client, spot: spotOf(below.at.node, below.at.module) } : here.client
  return driverAnswer(
    { ...here, client },
    dialect,
    { options: isPool ? first.args[0] : first },
    isPool ? 'new Pool({})' : 'new PrismaPg({})',
  )
}

/** True for what another function makes than the one that makes a client of it. */
function isMadeApart(made: At, client: At): boolean {
  return made.module !== client.module || functionAround(made.node) !== functionAround(client.node)
}

function ofEngine(here: Site, root: Client | null): Reading {
  const url = urlOf(root, here)
  const provider = dialectOfUrl(writtenUrl(url)?.text ?? null)
  const dialect = provider === 'unknown' ? prismaProvider(here) : provider
  const isKnown = dialect !== 'local' && dialect !== 'unknown'
  const socket = limitFrom(settingInUrl(url, ['socket_timeout']), here, { setting: 'socket_timeout', kind: 'total', unitMs: 1000 })
  const answer: LimitState = isKnown
    ? statementOr(socket, url, here)
    : { state: 'unknown', name: 'socket_timeout', why: 'the database is not one of a network, or not known' }
  const wait: Phase = { what: 'a free connection', kind: 'queue', limit: poolLimit(url, here) }
  return readingOf({ phases: [wait, { what: 'the answer of a query', kind: 'total', limit: answer }], remedy: remedyOf(here.version) })
}

function statementOr(socket: LimitState, url: Term | undefined, here: Site): LimitState {
  if (socket.state !== 'none') return socket
  const [statement] = driverAnswer(here, 'postgres', { options: undefined, url }, '').phases.slice(-1)
  return statement && statement.limit.state !== 'none' ? statement.limit : socket
}

/** From 7 on parameters of the address do nothing any more. */
function poolLimit(url: Term | undefined, here: Site): LimitState {
  const given = isFrom7(here.version) ? ({ state: 'absent' } as const) : settingInUrl(url, ['pool_timeout'])
  return limitFrom(given, here, { setting: 'pool_timeout', kind: 'queue', unitMs: 1000, default: ['prisma', 'pool_timeout'] })
}

const isFrom7 = (version: string | null) => version !== null && compareVersions(version, '7.0') >= 0

function remedyOf(version: string | null): string {
  return isFrom7(version)
    ? 'the limits of the driver in its adapter: new PrismaPg({ query_timeout: …, statement_timeout: … }) (ms)'
    : 'socket_timeout=… (s) in the address of the database'
}

/** Where it is written in the code; that of the schema comes from the environment. */
function urlOf(root: Client | null, { evaluator }: Site): Term | undefined {
  const own = optionIn(root?.options, 'datasourceUrl', evaluator)
  if (own) return own
  const sources = optionIn(root?.options, 'datasources', evaluator)
  if (sources?.kind !== 'object') return undefined
  const [first] = sources.parts
  return first && 'value' in first ? evaluator.memberOf(first.value, 'url') : undefined
}
