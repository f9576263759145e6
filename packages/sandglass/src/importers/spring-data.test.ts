import { describe, expect, it } from 'vitest'
import type { Call } from '../model/chain.js'
import { linkChain } from '../model/link.js'
import { importSources } from './import-sources.js'

const read = (files: Readonly<Record<string, string>>) => {
  const imported = importSources(Object.entries(files).map(([file, text]) => ({ file, text })))
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    chain,
    calls: Object.fromEntries(chain.calls.map((call) => [`${call.from.id} -> ${call.to.value}`, limitsOf(call)])),
    notes: imported.notes.map(({ kind, text }) => `${kind}: ${text}`),
    dead: imported.file.deadSettings?.map(({ setting, effective }) => [setting, effective]) ?? [],
  }
}

function limitsOf(call: Call) {
  const { timeoutMs, attemptMs, attempts, connectMs, silenceMs, queue } = call
  const limits = {
    timeout: timeoutMs,
    attempt: attemptMs,
    connect: connectMs,
    silence: silenceMs,
    queue: queue?.totalMs ?? queue?.perAttemptMs,
  }
  const known = Object.entries(limits).flatMap(([name, limit]) => (limit ? [[name, limit.value] as const] : []))
  return { ...Object.fromEntries(known), ...(attempts.value === 1 ? {} : { attempts: attempts.value }) }
}

const app = (yaml: string, name = 'application.yml') => read({ [`shop/src/main/resources/${name}`]: yaml })

const pom = (version: string, artifact = 'druid-spring-boot-starter') =>
  `<project><dependencies><dependency><artifactId>${artifact}</artifactId><version>${version}</version></dependency></dependencies></project>`
const withPom = (yaml: string, ...args: Parameters<typeof pom>) =>
  read({ 'shop/src/main/resources/application.yml': yaml, 'shop/pom.xml': pom(...args) })

describe('data sources', () => {
  it('reads the pool of Hikari and the limits of the driver in the URL, in the units of each', () => {
    const hikari =
      'spring.datasource:\n  url: jdbc:postgresql://db:5432/app?socketTimeout=5&connectTimeout=2\n  hikari: { connection-timeout: 250, maximum-pool-size: 20 }\n'
    const { calls, chain } = app(hikari)
    expect(calls['shop.request -> db.query']).toEqual({ queue: 250, connect: 2000, silence: 5000 })
    expect(chain.services.get('shop')?.pools.get('datasource')?.value).toBe(20)
    expect(app(hikari.replace('postgresql', 'mysql')).calls['shop.request -> db.query']).toEqual({ queue: 250, connect: 2, silence: 5 })
    expect(app('spring.datasource.url: jdbc:postgresql://db/app\n').calls['shop.request -> db.query']).toEqual({
      queue: 30_000,
      connect: 10_000,
    })
  })

  it('knows that Druid waits without end unless it is told, and that MyBatis counts seconds', () => {
    const druid =
      'spring.datasource: { url: "jdbc:mysql://db/app", druid: { max-active: 50 } }\nmybatis.configuration.default-statement-timeout: 25\n'
    const { calls, chain } = withPom(druid, '1.2.9')
    expect(calls['shop.request -> db.query']).toEqual({ attempt: 25_000 })
    expect(chain.calls[0]?.queue?.totalMs).toBeUndefined()
    expect(chain.services.get('shop')?.pools.get('datasource')?.value).toBe(50)
    expect(app(druid.replace('max-active: 50', 'max-wait: -1')).calls['shop.request -> db.query']).toMatchObject({ queue: 'none' })
    expect(app(druid.replace('max-active: 50', 'max-wait: 700')).calls['shop.request -> db.query']).toMatchObject({ queue: 700 })
  })

  it('knows which versions of Druid end an answer after 10 s by themselves, and claims nothing where the version is not known', () => {
    const druid = (more: string) => `spring.datasource: { url: "jdbc:mysql://db/app", druid: { max-wait: 700${more} } }\n`
    const limits = (version: string, more = '') => withPom(druid(more), version).calls['shop.request -> db.query']
    const [none, ten] = [{ queue: 700 }, { queue: 700, silence: 10_000 }]
    expect(['1.1.10', '1.2.11', '1.2.22', '1.2.28'].map((version) => limits(version))).toEqual([none, none, none, none])
    expect(['1.2.12', '1.2.20', '1.2.21'].map((version) => limits(version))).toEqual([ten, ten, ten])
    expect(limits('1.2.18', ', socket-timeout: 0, connect-timeout: 300')).toEqual({ ...ten, connect: 300 })
    const unknown = app(druid(''))
    expect(unknown.calls['shop.request -> db.query']).toEqual({ queue: 700, silence: 'unknown' })
    expect(unknown.notes).toContain(
      'unknown: socket-timeout: depends on the version of druid, which is not known: 0 in <1.2.12, 10000 in >=1.2.12 <1.2.22, 0 in >=1.2.22',
    )
  })

  it('finds the version of Druid in properties, of whatever name, and in the one build file that has it', () => {
    const druid = 'spring.datasource: { url: "jdbc:mysql://db/app", druid: { max-wait: 700 } }\n'
    const silence = (files: Readonly<Record<string, string>>) =>
      read({ 'shop/src/main/resources/application.yml': druid, ...files }).calls['shop.request -> db.query']
    const property = (name: string) => `<project><properties><${name}>1.2.18</${name}></properties></project>`
    expect(silence({ 'pom.xml': property('druid.version') })).toMatchObject({ silence: 10_000 })
    expect(silence({ 'bom/pom.xml': property('druid.version') })).toMatchObject({ silence: 10_000 })
    expect(silence({ 'pom.xml': property('pool') + pom('${' + 'pool}') })).toMatchObject({ silence: 10_000 })
    expect(silence({ 'bom/pom.xml': pom('1.2.18'), 'old/pom.xml': pom('1.2.9') })).toMatchObject({ silence: 'unknown' })
    expect(silence({ 'build.gradle': "implementation 'com.alibaba:druid-spring-boot-3-starter:1.2.20'" })).toMatchObject({
      silence: 10_000,
    })
  })

  it('takes a data source without a type for one of Druid where its starter is there', () => {
    const plain = 'spring.datasource.url: jdbc:mysql://db/app\n'
    const queue = (yaml: string, ...args: Parameters<typeof pom>) => withPom(yaml, ...args).calls['shop.request -> db.query']
    expect(queue(plain, '1.2.18')).toEqual({ silence: 10_000 })
    expect(queue(plain, '1.2.18', 'druid')).toEqual({ queue: 30_000 })
    expect(queue(`${plain}spring.datasource.type: com.zaxxer.hikari.HikariDataSource\n`, '1.2.18')).toEqual({ queue: 30_000 })
    expect(queue(`${plain}spring.datasource.hikari.connection-timeout: 900\n`, '1.2.18')).toEqual({ queue: 900 })
    expect(queue(`${plain}spring.autoconfigure.exclude: com.acme.DruidDataSourceAutoConfigure\n`, '1.2.18')).toEqual({ queue: 30_000 })
  })

  it('lets the URL win over Druid’s own limits of the socket', () => {
    const yaml = (query: string) =>
      `spring.datasource: { url: "jdbc:mysql://db/app${query}", druid: { max-active: 5, max-wait: 1, socket-timeout: 4000, connect-timeout: 300 } }\n`
    expect(app(yaml('')).calls['shop.request -> db.query']).toEqual({ queue: 1, connect: 300, silence: 4000 })
    expect(app(yaml('?socketTimeout=9000')).calls['shop.request -> db.query']).toEqual({ queue: 1, connect: 300, silence: 9000 })
  })

  it('reads the driver’s limits from the pool’s properties, below those of the URL', () => {
    const yaml = (query: string) =>
      `spring.datasource: { url: "jdbc:mysql://db/app${query}", hikari: { connection-timeout: 250, data-source-properties: { socketTimeout: 4000, connectTimeout: 500 } } }\n`
    expect(app(yaml('')).calls['shop.request -> db.query']).toEqual({ queue: 250, connect: 500, silence: 4000 })
    expect(app(yaml('?socketTimeout=9000')).calls['shop.request -> db.query']).toMatchObject({ silence: 9000 })
  })

  it('knows that HikariCP refuses a wait below 250 ms', () => {
    const yaml = (wait: string) => `spring.datasource: { url: "jdbc:mysql://db/app", hikari: { connection-timeout: ${wait} } }\n`
    expect(app(yaml('249')).dead).toEqual([['connection-timeout', 'the application does not start']])
    expect(app(yaml('0')).dead).toEqual([])
  })

  it('takes the timeout of Redis for a command’s', () => {
    expect(app('spring.data.redis: { host: cache, timeout: 3000 }\n').calls['shop.request -> cache.get']).toEqual({
      timeout: 3000,
      connect: 10_000,
    })
  })

  it('makes no call of a database in the process itself', () => {
    const calls = (url: string) => Object.keys(app(`spring.datasource.url: "${url}"\n`).calls)
    for (const url of [
      'jdbc:h2:mem:shop',
      'jdbc:h2:file:/data/shop',
      'jdbc:h2:~/shop',
      'jdbc:hsqldb:mem:shop',
      'jdbc:derby:shop;create=true',
      'jdbc:sqlite:shop.db',
    ])
      expect(calls(url), url).toEqual([])
    expect(calls('jdbc:h2:tcp://store:9092/shop')).toHaveLength(1)
    expect(calls('jdbc:mysql://store/shop')).toHaveLength(1)
  })
})
