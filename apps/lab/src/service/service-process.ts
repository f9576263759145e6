import type { AddressInfo } from 'node:net'
import { type LimitsFile, limitsFile, memoryStore, setInstanceName } from '@sandglass/runtime'
import { createAsk, type Ports } from '../calls/ask.js'
import { protectWithCockatiel } from '../calls/cockatiel-call.js'
import type { Protect } from '../calls/guarded-call.js'
import { protectWithOpossum } from '../calls/opossum-call.js'
import { protectPlainly } from '../calls/plain-call.js'
import { protectWithSandglass } from '../calls/sandglass-call.js'
import type { ServiceSpec } from '../chain/service-spec.js'
import { type Counters, noCounters } from './counters.js'
import type { Backing, FromService, ToService, Trouble } from './messages.js'
import { createOperation } from './operation.js'
import { openPostgres, type Postgres } from './postgres.js'
import { openRedis, type RedisStore } from './redis-store.js'
import { createServiceServer, type Served } from './server.js'
import { createWork, type Spend, spendAsleep, type Work } from './work.js'

// One service in a process of its own. It is told what it is, and ends with whoever started it.

/** How often it tells what it has seen (ms). */
const REPORT_MS = 250

/** More connections than this are not opened: the server is shared with others. */
const MOST_CONNECTIONS = 24

const counters = noCounters()
const ports: Ports = new Map()
const works = new Map<string, Work>()
let postgres: Postgres | null = null
let behindCache = ''

const warned = new Set<string>()
process.on('warning', ({ name, message }) => {
  if (!warned.has(name)) tell({ type: 'note', text: `warns: ${name}: ${message.split('\n')[0]}` })
  warned.add(name)
})
process.on('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('message', (message: ToService) => {
  if (message.type === 'start') void start(message).catch((error: unknown) => fail(error))
  else if (message.type === 'trouble') strike(message.troubles)
  else if (message.type === 'route') ports.set(message.service, message.port)
  else if (message.type === 'report') report()
  else process.exit(0)
})

function tell(message: FromService): void {
  if (process.connected) process.send?.(message)
}

function fail(error: unknown): void {
  tell({ type: 'note', text: `could not start: ${error instanceof Error ? error.message : String(error)}` })
  process.exitCode = 1
  process.disconnect()
}

async function start({ spec, ports: known, limitsPath, backing }: Extract<ToService, { type: 'start' }>): Promise<void> {
  for (const [service, port] of known) ports.set(service, port)
  setInstanceName(spec.name)
  const redis = spec.protection === 'sandglass' ? await redisOf(backing) : null
  const spend = spec.kind === 'cache' ? await cacheSpend(backing) : await spendOf(spec, backing)
  const limits = limitsPath === null ? null : limitsFile(limitsPath)
  const protect = protectOf(spec, limits, redis, backing.prefix)
  const ask = createAsk(ports, spec.honoursDeadline)
  const served = new Map<string, Served>()
  for (const operation of spec.operations) {
    const work = createWork(operation, spend)
    works.set(operation.name, work)
    const perform = createOperation(operation, { work, ask, protect, counters, cancelsSiblings: spec.honoursDeadline })
    served.set(operation.name, { perform, isDown: () => work.isDown })
  }
  const server = createServiceServer(spec, served, counters, spec.honoursDeadline ? limits : null)
  server.listen(0, '127.0.0.1', 1024, () => {
    const behind = [postgres && `PostgreSQL ${postgres.version}`, redis && 'Redis', behindCache].filter(Boolean).join(' and ')
    tell({ type: 'listening', port: (server.address() as AddressInfo).port, behind })
    setInterval(report, REPORT_MS)
  })
}

async function redisOf({ redisUrl, prefix }: Backing): Promise<RedisStore | null> {
  return redisUrl === null ? null : openRedis(redisUrl, prefix).catch(() => null)
}

async function spendOf({ kind, slots }: ServiceSpec, { postgresUrl, prefix }: Backing): Promise<Spend> {
  if (kind !== 'database' || postgresUrl === null || slots === null || slots > MOST_CONNECTIONS) return spendAsleep
  postgres = await openPostgres(postgresUrl, prefix, slots)
  return postgres.spend
}

/** A cache that is really asked; it takes as long as the chain says all the same. */
async function cacheSpend(backing: Backing): Promise<Spend> {
  const redis = await redisOf(backing)
  if (redis === null) return spendAsleep
  behindCache = 'Redis'
  return async (ms, request, signal) => {
    const startedAt = performance.now()
    await redis.store.get(`stock:${request % 50}`)
    await spendAsleep(Math.max(0, ms - (performance.now() - startedAt)), request, signal)
  }
}

function protectOf(spec: ServiceSpec, limits: LimitsFile | null, redis: RedisStore | null, prefix: string): Protect {
  switch (spec.protection) {
    case 'plain':
      return protectPlainly
    case 'cockatiel':
      return protectWithCockatiel
    case 'opossum':
      return protectWithOpossum
    case 'sandglass':
      if (limits === null) return protectPlainly
      return protectWithSandglass({ limits, prefix, store: redis?.store ?? memoryStore(), deferred: redis?.defer ?? (() => undefined) })
  }
}

function strike(troubles: readonly Trouble[]): void {
  for (const [name, work] of works) work.strike(troubles.find(({ operation }) => operation === name))
  const lockShare = Math.max(0, ...troubles.map((trouble) => trouble.lockShare ?? 0))
  void postgres?.lock(lockShare).catch((error: unknown) => tell({ type: 'note', text: `no lock: ${String(error)}` }))
}

function report(): void {
  const { user, system } = process.cpuUsage()
  const seen: Counters = { ...counters, cpuMs: (user + system) / 1000 }
  tell({ type: 'counters', counters: seen })
}
