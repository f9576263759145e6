import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (options: string, use: string) =>
  scanTexts(`import { DataSource } from 'typeorm'\nexport const source = new DataSource(${options})\n${use}`)

describe('typeorm', () => {
  test('of PostgreSQL it has what the driver is given in extra, and connectTimeoutMS for the wait', () => {
    const use = `const users = source.getRepository(User)
await users.findOneBy({ id: 1 })
await users.createQueryBuilder('u').where('u.id = 1').getMany()
await source.query('select 1')
await source.transaction(async (manager) => { await manager.save(user) })`
    const scanned = scan(`{ type: 'postgres', url: process.env.DATABASE_URL, entities: [] }`, use)
    expect(callLines(scanned)).toEqual(['4 typeorm unbounded', '5 typeorm unbounded', '6 typeorm unbounded', '7 typeorm unbounded'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'typeorm waits without a limit for a free client, the answer of a query and the statement at the server; at least 4 calls use it',
    )
    const limited = scan(`{ type: 'postgres', connectTimeoutMS: 500, extra: { query_timeout: 900, statement_timeout: 800 } }`, use)
    expect(callLines(limited)[0]).toBe('4 typeorm bounded 900 total')
    expect(limited.calls[0]?.worstMs).toBe(1400)
    expect(limited.diagnostics).toEqual([])
  })

  test('where a condition chooses between a file and a server, the server is what is waited for', () => {
    const of = (postgres: string) =>
      callLines(
        scanTexts(`import { DataSource } from 'typeorm'
const file = { type: 'sqlite', database: 'a.db' }
const server = { type: 'postgres', ${postgres} }
const other = { type: 'postgres', ${postgres}, logging: true }
const chosen = () => process.env.DB === 'file' ? file : isQuiet() ? server : other
await new DataSource(chosen()).query('select 1')`),
      )
    expect(of(`host: 'a'`)).toEqual(['6 typeorm unbounded'])
    expect(of('connectTimeoutMS: 500, extra: { query_timeout: 900, statement_timeout: 800 }')).toEqual(['6 typeorm bounded 900 total'])
    expect(of(`host: 'a', type: kind()`)).toEqual(['6 typeorm unknown'])
  })

  test('a repository that a manager gives is no second client of the options', () => {
    const { diagnostics } = scanTexts(`import { DataSource, EntityManager } from 'typeorm'
const options = { type: 'postgres', host: 'a' }
const source = new DataSource(options)
await source.query('select 1')
export const put = async (manager: EntityManager) => await manager.getRepository(User).save({})`)
    expect(diagnostics.map(({ message, related }) => [message, related])).toEqual([
      [
        'typeorm waits without a limit for a free client, the answer of a query and the statement at the server; at least 2 calls use it',
        [],
      ],
    ])
  })

  test('maxQueryExecutionTime only logs, and is said once', () => {
    expect(findingLines(scan(`{ type: 'postgres', maxQueryExecutionTime: 1000 }`, ''))).toEqual([
      'code.ts:2 ignored-option',
      'code.ts:2 unbounded-call',
    ])
  })

  test('repositories that Nest hands in ask over the connection that the project makes', () => {
    const scanned = scanTexts({
      files: {
        'app.module.ts': `import { TypeOrmModule } from '@nestjs/typeorm'
@Module({ imports: [TypeOrmModule.forRootAsync({ useFactory: (config) => ({ type: 'postgres', host: config.get('HOST') }) })] })
export class AppModule {}`,
        'users.ts': `import { Repository } from 'typeorm'
export class Users { constructor(@InjectRepository(User) private readonly users: Repository<User>) {}
  find() { return this.users.find() } }`,
      },
    })
    expect(callLines(scanned)).toEqual(['3 typeorm unbounded'])
    expect(findingLines(scanned)).toEqual(['app.module.ts:2 unbounded-call'])
  })

  test('a file as a database, and one that is only known at run time, are nobody’s fault', () => {
    for (const options of [`{ type: 'better-sqlite3', database: 'x.db' }`, `{ type: process.env.DB_TYPE as any }`, 'options'])
      expect(scan(options, `source.query('select 1')`).diagnostics).toEqual([])
  })
})

test('options of typeorm that branches of a function, or a configuration of Nest, give', () => {
  const own = scanTexts(`import { DataSource } from 'typeorm'
const options = () => { if (process.env.A) { return { type: 'postgres' as const, host: 'a' } } return { type: 'postgres' as const, host: 'b' } }
export const source = new DataSource({ ...options(), entities: [] })`)
  expect(findingLines(own)).toEqual(['code.ts:3 unbounded-call'])
  const database = `import { registerAs } from '@nestjs/config'
export default registerAs('database', () => ({ type: 'postgres', host: process.env.HOST }))`
  const nest = (argument: string) =>
    findingLines(
      scanTexts({
        files: {
          'app.ts': `import { TypeOrmModule } from '@nestjs/typeorm'
import database from './database'
export const imports = [TypeOrmModule.forRootAsync(${argument})]`,
          'database.ts': database,
        },
      }),
    )
  expect(nest("{ useFactory: (config) => config.get('database') }")).toEqual(['app.ts:3 unbounded-call'])
  expect(nest('database.asProvider()')).toEqual(['app.ts:3 unbounded-call'])
  expect(nest("{ useFactory: (config) => config.get('other') }")).toEqual([])
})
