import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { placeOf } from '../model/sourced.js'
import { importSources } from './import-sources.js'
import { insertedRows } from './sql-rows.js'

const read = (files: Readonly<Record<string, string>>, profiles: readonly string[] = []) => {
  const imported = importSources(
    Object.entries(files).map(([file, text]) => ({ file, text })),
    { profiles },
  )
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  const limits = chain.calls.map(
    ({ from, to, connectMs, silenceMs }) => [`${from.id} -> ${to.value}`, connectMs?.value, silenceMs?.value] as const,
  )
  return { chain, limits, notes: imported.notes.map(({ kind, text }) => `${kind}: ${text}`), formats: imported.read }
}

const row = (id: string, content: string, { group = 'DEFAULT_GROUP', tenant = '', type = 'yaml' } = {}) =>
  `(1,'${id}','${group}','${content.replaceAll("'", "\\'").replaceAll('\n', '\\n')}','md5',now(),'2024-01-01 00:00:00',NULL,'::1','','${tenant}','common, for all',NULL,NULL,'${type}',NULL,'')`
const COLUMNS =
  '(id, data_id, group_id, content, md5, gmt_create, gmt_modified, src_user, src_ip, app_name, tenant_id, c_desc, c_use, effect, type, c_schema, encrypted_data_key)'
const dump = (...rows: readonly string[]) => `insert into \`config_info\`${COLUMNS} values\n${rows.join(',\n')};\n`
const feign = (readTimeout: string, connectTimeout = '1') =>
  `feign:\n  client:\n    config:\n      stock:\n        connectTimeout: ${connectTimeout}\n        readTimeout: ${readTimeout}\n`
const BOOTSTRAP =
  'spring:\n  application.name: shop\n  profiles.active: dev\n  cloud.nacos.config: { server-addr: nacos:8848, file-extension: yml'

describe('a dump of Nacos', () => {
  it('is read by its data IDs: the service’s over what all share, and values point into them', () => {
    const sql = dump(row('application-dev.yml', feign('1', '7')), row('shop-dev.yml', 'feign.client.config.stock.readTimeout: 2\n'))
    const { limits, chain, notes, formats } = read({ 'nacos.sql': sql })
    expect(limits).toEqual([['shop.request -> stock.request', 7, 2]])
    expect(chain.calls[0]?.silenceMs && placeOf(chain.calls[0].silenceMs.origin.spot)).toMatchObject({
      file: 'nacos.sql!/DEFAULT_GROUP/shop-dev.yml',
      line: 1,
      column: 40,
    })
    expect(notes).toEqual(['unknown: profile dev: taken as active, because there are settings of shop for no other one'])
    expect(formats[0]).toEqual({ file: 'nacos.sql', format: 'nacos' })
  })

  it('applies none of several profiles that it has, until one is asked for', () => {
    const sql = dump(row('shop-dev.yml', feign('1')), row('shop-prod.yml', feign('2')))
    expect(read({ 'nacos.sql': sql }).limits).toEqual([])
    expect(read({ 'nacos.sql': sql }, ['prod']).limits).toEqual([['shop.request -> stock.request', 1, 2]])
  })

  it('is laid over the local files in the order that the service asks for', () => {
    const sql = dump(
      row('second.yml', feign('2', '2')),
      row('first.yml', feign('1', '1')),
      row('more.yml', 'feign.client.config.stock.readTimeout: 3\n', { group: 'MY_GROUP' }),
      row('shop.yml', 'other: 1\n'),
    )
    const files = (lists: string) => ({
      'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP}${lists} }\n${feign('9', '9')}`,
      'nacos.sql': sql,
    })
    const shared = ', shared-configs: [{ data-id: first.yml }, { data-id: second.yml }]'
    expect(read(files(shared)).limits).toEqual([['shop.request -> stock.request', 2, 2]])
    expect(read(files(`${shared}, extension-configs: [{ data-id: more.yml, group: MY_GROUP }]`)).limits).toEqual([
      ['shop.request -> stock.request', 2, 3],
    ])
    expect(read(files('')).limits).toContainEqual(['shop.request -> stock.request', 9, 9])
  })

  it('reads spring.config.import with placeholders, below what application-<profile> says', () => {
    const files = {
      'shop/src/main/resources/application.yml': `spring:\n  application.name: shop\n  profiles.active: dev\n  config.import: ["nacos:application-\${spring.profiles.active}.yml", "optional:nacos:\${spring.application.name}.yml?group=G_GROUP"]\n${feign('9', '9')}`,
      'nacos.sql': dump(
        row('application-dev.yml', feign('1', '1')),
        row('shop.yml', 'feign.client.config.stock.readTimeout: 2\n', { group: 'G_GROUP' }),
      ),
    }
    expect(read(files).limits).toEqual([['shop.request -> stock.request', 1, 2]])
    const local = { 'shop/src/main/resources/application-dev.yml': 'feign.client.config.stock.readTimeout: 3\n' }
    expect(read({ ...files, ...local }).limits).toEqual([['shop.request -> stock.request', 1, 3]])
  })

  it('names a data ID that is not in it, and one with another extension than the service looks for', () => {
    const { notes } = read({
      'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP}, shared-configs: [{ data-id: gone.yml }] }\n`,
      'nacos.sql': dump(row('shop.yaml', feign('1'))),
    })
    expect(notes).toEqual([
      'unknown: settings of shop that stand elsewhere are not here and may replace these: gone.yml',
      'ignored: not read by shop: file-extension is yml, so that shop.yml is looked for',
    ])
  })

  it('gives a service what has its name, also where the address of Nacos comes from elsewhere', () => {
    const files = {
      'shop/src/main/resources/application.yml': `spring.application.name: shop\n${feign('9', '9')}`,
      'nacos.sql': dump(
        row('application.yml', feign('8', '8')),
        row('shop', 'feign.client.config.stock.readTimeout=2', { type: 'properties' }),
      ),
    }
    expect(read(files).limits).toEqual([['shop.request -> stock.request', 9, 2]])
  })

  it('takes a document that carries on the name of one with a profile for another form of it, and for no service', () => {
    const { notes, chain } = read({
      'shop/src/main/resources/application.yml': `spring:\n  application.name: shop\n  config.import: ["nacos:shop-dev.yml"]\n`,
      'nacos.sql': dump(row('shop-dev.yml', feign('1')), row('shop-dev-new.yml', feign('2')), row('till-dev.yml', feign('3'))),
    })
    expect([...chain.services.keys()].toSorted()).toEqual(['shop', 'stock', 'till'])
    expect(notes).toContain(
      'unknown: taken for another form of shop-dev, which nothing that was read asks for, and for no service of its own',
    )
  })

  it('is asked in the namespace without a name, and by a token, as the build files above the system say', () => {
    const pom = `<project><profiles><profile><id>dev</id><activation><activeByDefault>true</activeByDefault></activation>
<properties><stage>dev</stage><space></space></properties></profile></profiles></project>`
    const module = (root: string) => ({
      [`${root}/shop/src/main/resources/application.yml`]:
        'spring:\n  application.name: shop\n  cloud.nacos.config: { server-addr: "nacos:8848", namespace: "@space@" }\n  config.import: ["nacos:shop-@stage@.yml"]\n',
      [`${root}/shop/src/main/java/Shop.java`]: '@FeignClient("shop") interface Shop {}',
      [`${root}/nacos.sql`]: dump(row('shop-dev.yml', feign('1', '1')), row('shop-dev.yml', feign('5', '5'), { tenant: 'other' })),
    })
    const { limits } = read({ 'pom.xml': pom, ...module('one'), ...module('two') })
    expect(limits.map(([, ...each]) => each)).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  it('of thousands of services is read in time', () => {
    const cpuMs = (services: number) => {
      const rows = Array.from({ length: services }, (_, index) => row(`service-${index}-prod.yml`, 'server.port: 80\n'))
      const before = process.cpuUsage()
      expect(read({ 'nacos.sql': dump(...rows) }).chain.services.size).toBe(services)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    cpuMs(100)
    expect(cpuMs(2000)).toBeLessThan(30 * Math.max(100, cpuMs(200)))
  })

  it('that is not here is said to be missing', () => {
    expect(read({ 'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP} }\n` }).notes).toEqual([
      'unknown: settings of shop that stand elsewhere are not here and may replace these: of Nacos',
    ])
  })

  it('is not asked where Nacos is switched off', () => {
    const files = {
      'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP}, enabled: false }\n`,
      'nacos.sql': dump(row('shop.yml', feign('1'))),
    }
    expect(read(files).limits).toEqual([])
    expect(read(files).notes).toEqual([])
  })

  it('calls the namespace without a name public', () => {
    const sql = dump(row('shop.yml', feign('1'), { tenant: 'public' }), row('shop.yml', feign('2'), { tenant: 'prod' }))
    const files = { 'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP} }\n`, 'nacos.sql': sql }
    expect(read(files).limits).toEqual([['shop.request -> stock.request', 1, 1]])
  })

  it('takes the namespace that the service names', () => {
    const sql = dump(row('shop.yml', feign('1'), { tenant: 'dev' }), row('shop.yml', feign('2'), { tenant: 'prod' }))
    const files = { 'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP}, namespace: prod }\n`, 'nacos.sql': sql }
    expect(read(files).limits).toEqual([['shop.request -> stock.request', 1, 2]])
  })

  it('takes neither the history, nor what is commented out, nor another table', () => {
    const sql = dump(row('shop.yml', feign('1')))
    expect(read({ 'nacos.sql': sql.replace('config_info', 'his_config_info') }).limits).toEqual([])
    expect(read({ 'nacos.sql': `/* ${sql} */ -- ${sql.replaceAll('\n', ' ')}\n` }).limits).toEqual([])
    expect(read({ 'nacos.sql': `insert into note values ('insert into config_info${COLUMNS} values (1)');` }).limits).toEqual([])
  })

  it('may lie in a folder beside the code, of any group', () => {
    const files = {
      'shop/src/main/resources/bootstrap.yml': `${BOOTSTRAP}, shared-configs: [{ data-id: common.yml, group: SHOP }] }\n`,
      'config/common.yml': feign('1', '7'),
      'config/shop-dev.yml': 'feign.client.config.stock.readTimeout: 2\n',
      'config/shop-prod.yml': feign('3', '3'),
    }
    expect(read(files)).toMatchObject({ limits: [['shop.request -> stock.request', 7, 2]], notes: [] })
  })

  it('is also a folder that is named as groups are', () => {
    const files = {
      'export/DEFAULT_GROUP/application.yml': feign('1', '1'),
      'export/DEFAULT_GROUP/shop.yml': 'feign.client.config.stock.readTimeout: 2\n',
    }
    expect(read(files).limits).toEqual([['shop.request -> stock.request', 1, 2]])
  })
})

describe('rows of a SQL dump', () => {
  it('are found without names of columns where the table is created, with any quotes and escapes', () => {
    const sql =
      "CREATE TABLE IF NOT EXISTS `ry`.`t` (`id` int(11) NOT NULL DEFAULT '1', `key` varchar(2) COMMENT 'a, b', c text, PRIMARY KEY (`id`,`key`));\nREPLACE INTO ry.t VALUES (1, 'it''s \\\\ \\'a\\' \\\"b\\\"\\r\\n', NULL), (2, \"x\", concat('a', 'b'));"
    expect(insertedRows(sql, 't').map((each) => Object.fromEntries(each))).toEqual([
      { id: '1', key: "it's \\ 'a' \"b\"\r\n" },
      { id: '2', key: 'x', c: 'a' },
    ])
  })

  it('of any text are read without an error and in time', () => {
    const piece = fc.constantFrom(
      'insert into ',
      'config_info',
      'values ',
      '(',
      ')',
      ',',
      "'",
      '"',
      '`',
      '\\',
      ';',
      '--',
      '/*',
      '*/',
      '\n',
      'create table ',
      'data_id',
      '1',
      'content',
      '[',
      ']',
      '.',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (words) => {
        expect(Array.isArray(insertedRows(words.join(''), 'config_info'))).toBe(true)
      }),
    )
    const long = `insert into t (a) values ${"('x','".repeat(100_000)}`
    expect(insertedRows(long, 't').length).toBeLessThan(20_001)
  })

  it('of a dump with hundreds of data IDs are all there', () => {
    const rows = Array.from({ length: 500 }, (_, index) => row(`s${index}.yml`, feign(String(index + 1))))
    expect(insertedRows(dump(...rows), 'config_info')).toHaveLength(500)
  })
})
