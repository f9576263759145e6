import { describe, expect, test } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (code: string, version = '6.16.0', schema?: string) =>
  scanTexts({
    files: {
      'src/code.ts': `import { PrismaClient } from '@prisma/client'\n${code}`,
      ...(schema ? { 'prisma/schema.prisma': schema } : {}),
    },
    versions: { '@prisma/client': version },
  })
const schemaOf = (provider: string) =>
  `generator client {\n  provider = "prisma-client-js"\n}\ndatasource db {\n  provider = "${provider}"\n  url = env("DATABASE_URL")\n}`

describe('prisma', () => {
  test('nothing ends a query of its engine; an interactive transaction ends by default', () => {
    const scanned = scan(`const prisma = new PrismaClient({ log: ['warn'] })
export const load = (id: string) => prisma.user.findUnique({ where: { id } })
export const raw = () => prisma.$queryRaw\`select 1\`
export const move = () => prisma.$transaction(async (tx) => { await tx.user.update({}) })
export const limited = () => prisma.$transaction(async (tx) => {}, { timeout: 900 })`)
    expect(callLines(scanned)).toEqual([
      '3 prisma unbounded',
      '4 prisma unbounded',
      '5 prisma bounded 5000 total',
      '6 prisma bounded 900 total',
    ])
    expect(scanned.calls[2]?.worstMs).toBe(7000)
    expect(findingLines(scanned)).toEqual(['src/code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe(
      '@prisma/client 6.16.0 waits without a limit for the answer of a query; at least 2 calls use it',
    )
  })

  test('the address may have the limits, in seconds; a file as a database has no network', () => {
    const lines = (options: string, schema?: string) => callLines(scan(`new PrismaClient(${options}).user.count()`, '6.16.0', schema))
    expect(lines(`{ datasourceUrl: 'postgresql://db/x?socket_timeout=3' }`)).toEqual(['2 prisma bounded 3000 total'])
    expect(lines(`{ datasources: { db: { url: 'postgresql://db/x?options=-c%20statement_timeout%3D700' } } }`)).toEqual([
      '2 prisma bounded 700 statement',
    ])
    expect(lines(`{ datasources: { db: { url: 'file:./dev.db' } } }`)).toEqual(['2 prisma unknown'])
    expect(lines('', schemaOf('sqlite'))).toEqual(['2 prisma unknown'])
    expect(lines('', schemaOf('postgresql'))).toEqual(['2 prisma unbounded'])
  })

  test('since 7 the adapter of the driver has the limits', () => {
    const lines = (adapter: string) =>
      callLines(
        scan(
          `import { PrismaPg } from '@prisma/adapter-pg'\nimport { Pool } from 'pg'\nnew PrismaClient({ adapter: ${adapter} }).user.count()`,
          '7.0.0',
        ),
      )
    expect(lines('new PrismaPg({ connectionString: process.env.DATABASE_URL })')).toEqual(['4 prisma unbounded'])
    expect(lines('new PrismaPg({ statement_timeout: 500 })')).toEqual(['4 prisma bounded 500 statement'])
    expect(lines('new PrismaPg(new Pool({ query_timeout: 600 }))')).toEqual(['4 prisma bounded 600 total'])
    expect(lines('new PrismaBetterSqlite3({ url })')).toEqual(['4 prisma unknown'])
  })

  test.each([
    [
      'beside a global',
      `const g = globalThis as unknown as { prisma?: PrismaClient }\nexport const db = g.prisma ?? new PrismaClient()\nif (dev) g.prisma = db`,
      `import { db } from './db'\nexport const load = () => db.user.findMany()`,
      3,
    ],
    [
      'as Nest has it',
      `export class Prisma extends PrismaClient implements OnModuleInit {\n  async onModuleInit() { await this.$connect() } }`,
      `import { Prisma } from './db'\nexport class Users { constructor(private readonly prisma: Prisma) {} find() { return this.prisma.user.findMany() } }`,
      2,
    ],
    [
      'with options for super',
      `export class Prisma extends PrismaClient {\n  constructor() { super({ log: [] }) } }`,
      `import { Prisma } from './db'\nexport class Users { constructor(private readonly prisma: Prisma) {} find() { return this.prisma.user.findMany() } }`,
      3,
    ],
    [
      'extended, from a client that was generated',
      `export const db = new PrismaClient().$extends(withCache)`,
      `import { db } from './db'\nexport const load = () => db.user.findMany()`,
      2,
    ],
  ])('a client %s is followed', (name, made, use, line) => {
    const from = name.includes('generated') ? '../generated/prisma/client' : '@prisma/client'
    const scanned = scanTexts({ files: { 'db.ts': `import { PrismaClient } from '${from}'\n${made}`, 'users.ts': use } })
    expect(callLines(scanned)).toEqual(['2 prisma unbounded'])
    expect(findingLines(scanned)).toEqual([`db.ts:${line} unbounded-call`])
  })

  test('a client that is handed in is the one that the project makes; without one nothing is said', () => {
    const users = `import type { PrismaClient } from '@prisma/client'\nexport const load = (db: PrismaClient) => db.user.findMany()`
    const scanned = scanTexts({
      files: { 'db.ts': `import { PrismaClient } from '@prisma/client'\nexport const db = new PrismaClient()`, 'users.ts': users },
    })
    expect(findingLines(scanned)).toEqual(['db.ts:2 unbounded-call'])
    expect(callLines(scanned)).toEqual(['2 prisma unbounded'])
    expect(callLines(scanTexts(users))).toEqual(['2 prisma unknown'])
  })

  test('timeout of an interactive transaction ends none over an adapter: a statement that is not answered is waited for', () => {
    const lines = (options: string) =>
      callLines(
        scanTexts(`import { PrismaClient } from '@prisma/client'
import { PrismaPg } from '@prisma/adapter-pg'
const prisma = new PrismaClient({ adapter: new PrismaPg({ ${options} }) })
export const move = () => prisma.$transaction(async (tx) => { await charge(tx) }, { timeout: 900, maxWait: 300 })`),
      )
    expect(lines('connectionString')).toEqual(['4 prisma unbounded'])
    expect(lines('connectionString, statement_timeout: 400')).toEqual(['4 prisma bounded 400 statement'])
  })

  test('a pool under the adapter is the one cause, also where the client is generated at the root of the project', () => {
    const scanned = scanTexts({
      files: {
        'src/prisma.service.ts': `import { PrismaClient } from 'src/generated/prisma/client'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
export class PrismaService extends PrismaClient {
  constructor() { const pool = new pg.Pool({ connectionTimeoutMillis: 500 })
    super({ adapter: new PrismaPg(pool) }) } }`,
        'src/users.ts': `import { PrismaService } from './prisma.service'
export class Users { constructor(private readonly prisma: PrismaService) {} all() { return this.prisma.user.findMany() } }`,
      },
    })
    expect(callLines(scanned)).toEqual(['2 prisma unbounded'])
    expect(findingLines(scanned)).toEqual(['src/prisma.service.ts:5 unbounded-call'])
  })
})

test('a client that is only ended again asks nothing', () => {
  const scanned = (rest: string) =>
    findingLines(
      scanTexts({
        files: {
          'schema.prisma': 'datasource db {\n  provider = "postgresql"\n}',
          'seed-all.ts': `import { PrismaClient } from '@prisma/client'\nexport async function fill() { const client = new PrismaClient()\n${rest} }`,
        },
      }),
    )
  expect(scanned('void client.$disconnect()')).toEqual([])
  expect(scanned('await client.user.findMany()\nvoid client.$disconnect()')).toHaveLength(1)
  expect(scanned('fillAll(client)\nvoid client.$disconnect()')).toHaveLength(1)
  expect(scanned('const end = client.$disconnect\nreturn { client }')).toHaveLength(1)
})

test('a client of Prisma over a pool of pg is told once, where the pool is made', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import { PrismaClient } from '@prisma/client'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
const pool = new Pool({ connectionString: process.env.URL })
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
export const load = () => prisma.user.findMany()
export const move = () => prisma.$transaction(async (tx) => { await tx.user.findMany() })`,
    },
    versions: { '@prisma/client': '7.1.0', pg: '8.16.3' },
  })
  expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call'])
  const [only] = scanned.diagnostics
  expect(only?.message).toContain('pg 8.16.3 waits without a limit for')
  expect(only?.suggestion?.text).toBe('set a limit: connectionTimeoutMillis: …, query_timeout: …, and statement_timeout: … below that (ms)')
})

test('an adapter that one function gives to several clients is told once, in that function', () => {
  const seed = (name: string) => `import { PrismaClient } from '@prisma/client'
import { makeAdapter } from './adapter'
const prisma = new PrismaClient({ adapter: makeAdapter('${name}') })
export const load = () => prisma.user.findMany()`
  const scanned = (adapter: string) =>
    scanTexts({
      files: { 'a.ts': seed('a'), 'adapter.ts': `import { PrismaPg } from '@prisma/adapter-pg'\n${adapter}`, 'b.ts': seed('b') },
      versions: { '@prisma/client': '7.1.0' },
    })
  const { diagnostics } = scanned('export function makeAdapter(url: string) {\n  return new PrismaPg({ connectionString: url }) }')
  expect(diagnostics.map(({ spot }) => placeOf(spot))).toMatchObject([{ file: 'adapter.ts', line: 3 }])
  expect(diagnostics[0]?.message).toBe(
    '@prisma/client 7.1.0 waits without a limit for the answer of a query and the statement at the server; 2 clients are made over it; at least 2 calls use it',
  )
  expect(diagnostics[0]?.related.map(({ spot, label }) => `${placeOf(spot).file} ${label}`)).toEqual([
    'a.ts is made over it',
    'b.ts is made over it',
  ])
  expect(findingLines(scanned('const url = 1\nconst adapter = new PrismaPg({ url })\nexport const makeAdapter = () => adapter'))).toEqual([
    'adapter.ts:3 unbounded-call',
  ])
  const limited = 'export const makeAdapter = (url) => new PrismaPg({ url, query_timeout: 900, statement_timeout: 800 })'
  expect(findingLines(scanned(limited))).toEqual([])
})
