import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { placeOf } from '../model/sourced.js'
import { importSources } from './import-sources.js'

const read = (files: Readonly<Record<string, string>>) => {
  const imported = importSources(Object.entries(files).map(([file, text]) => ({ file, text })))
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    calls: new Map(chain.calls.map((call) => [call.to.value, call])),
    notes: imported.notes.map(({ kind, text }) => `${kind}: ${text}`),
    dead: imported.file.deadSettings?.map(({ setting, written, because }) => `${setting} (${written}): ${because}`) ?? [],
  }
}

const APPLICATION = `spring:
  application.name: shop
  cloud.sentinel.datasource:
    ds1.file: { file: "classpath: rules.json", rule-type: TYPE }
feign:
  sentinel.enabled: true
  client.config.stock: { connectTimeout: 500, readTimeout: 3000 }
`
const app = (rules: readonly object[] | string, type = 'degrade', application = APPLICATION) =>
  read({
    'shop/src/main/resources/application.yml': application.replace('TYPE', type),
    'shop/src/main/resources/rules.json': typeof rules === 'string' ? rules : JSON.stringify(rules, null, '\t'),
  })
const rule = { resource: 'GET:http://stock/deduct', grade: 0, count: 800, timeWindow: 10 }

describe('degrade rules of Sentinel', () => {
  it('are a breaker around the call of that resource: ms for a slow call, seconds for staying open', () => {
    const { calls, notes, dead } = app([{ ...rule, slowRatioThreshold: 0.6, minRequestAmount: 20, statIntervalMs: 10000 }])
    expect(calls.get('stock.request')?.breaker).toMatchObject({
      slowMs: { value: 800, origin: { kind: 'declared' } },
      slowRate: { value: 0.6 },
      minCalls: { value: 20 },
      window: { value: { ms: 10_000 } },
      open: { value: { baseMs: 10_000, maxMs: 10_000 } },
    })
    const spot = calls.get('stock.request')?.breaker?.slowMs?.origin.spot
    expect(spot && placeOf(spot)).toMatchObject({ file: 'shop/src/main/resources/rules.json', line: 5 })
    expect([notes, dead]).toEqual([[], []])
  })

  it('have the defaults of Sentinel where nothing is written', () => {
    expect(app([rule]).calls.get('stock.request')?.breaker).toMatchObject({
      slowRate: { value: 1, origin: { kind: 'default', product: 'sentinel' } },
      minCalls: { value: 5, origin: { kind: 'default' } },
      window: { value: { ms: 1000 } },
    })
  })

  it('judge a share of errors, or count errors', () => {
    expect(app([{ ...rule, grade: 1, count: 0.5 }]).calls.get('stock.request')?.breaker?.failureRate?.value).toBe(0.5)
    expect(app([{ ...rule, grade: 2, count: 7 }]).calls.get('stock.request')?.breaker?.consecutive?.value).toBe(7)
  })

  it('of one call are one breaker', () => {
    const breaker = app([rule, { ...rule, grade: 1, count: 0.5 }]).calls.get('stock.request')?.breaker
    expect([breaker?.slowMs?.value, breaker?.failureRate?.value]).toEqual([800, 0.5])
  })

  it('never see a slow call where the call ends before', () => {
    const never = 'the call ends by its timeout after 3 s, so none can be slower than that'
    expect(app([{ ...rule, count: 3000 }]).dead).toEqual([`count (3000 ms): ${never}`])
    expect(app([{ ...rule, count: 2999 }]).dead).toEqual([])
  })

  it('are refused by Sentinel without a time to recover, or with a share above 1', () => {
    expect(app([{ ...rule, timeWindow: 0 }]).dead).toEqual(['timeWindow (0): the seconds it stays open must be more than 0'])
    const share = app([{ ...rule, grade: 1, count: 50 }])
    expect(share.dead).toEqual(['count (50): with grade 1 it is a share of calls, from 0 to 1'])
    expect(share.calls.get('stock.request')?.breaker).toBeUndefined()
  })

  it('with units that were mixed up are told', () => {
    expect(app([{ ...rule, count: 1 }]).notes).toEqual([
      'unknown: count 1 with grade 0 is 1 ms: nearly every call is slower; a share of errors is grade 1, a number of them grade 2',
    ])
    expect(app([{ ...rule, timeWindow: 10000 }]).notes).toEqual([
      'unknown: timeWindow 10000 is in seconds: the breaker stays open for 167 minutes',
    ])
  })

  it('do not read the field of old versions', () => {
    expect(app([{ ...rule, passCount: 3 }]).dead[0]).toMatch(/^passCount \(3\): degrade rules have no such field any more/)
  })

  it('are read from XML too', () => {
    const xml =
      '<Rules><!-- <DegradeRule><resource>GET:http://stock/x</resource></DegradeRule> --><DegradeRule><resource>GET:http://stock/deduct</resource><grade>0</grade><count>700</count><timeWindow>5</timeWindow></DegradeRule></Rules>'
    expect(app(xml).calls.get('stock.request')?.breaker?.slowMs?.value).toBe(700)
  })
})

describe('flow rules of Sentinel', () => {
  const flow = { resource: 'GET:http://stock/deduct', grade: 1, count: 10, controlBehavior: 2, limitApp: 'default' }

  it('let calls wait in line, 500 ms where nothing is written', () => {
    expect(app([{ ...flow, maxQueueingTimeMs: 20000 }], 'flow').calls.get('stock.request')?.queue?.totalMs?.value).toBe(20_000)
    expect(app([flow], 'flow').calls.get('stock.request')?.queue?.totalMs).toMatchObject({ value: 500, origin: { kind: 'default' } })
  })

  it('limit calls at once by grade 0, and by a rate alone limit no time', () => {
    expect(app([{ ...flow, grade: 0, controlBehavior: 0 }], 'flow').calls.get('stock.request')?.bulkhead?.value).toBe(10)
    const rate = app([{ ...flow, controlBehavior: 0, maxQueueingTimeMs: 500 }], 'flow')
    expect(rate.calls.get('stock.request')?.queue).toBeUndefined()
    expect(rate.notes).toEqual(['ignored: a flow rule limits how many requests shop takes or makes a second; no time is limited by it'])
  })

  it('on a page of the service are told, and are no limit of its calls', () => {
    const { calls, notes } = app([{ ...flow, resource: '/orders', maxQueueingTimeMs: 20000 }], 'flow')
    expect(notes).toEqual(['ignored: /orders: requests wait up to 20 s before they are handled; that is not in the chain'])
    expect(calls.get('stock.request')?.queue).toBeUndefined()
  })

  it('mean a route of a gateway by its name', () => {
    const gateway =
      'spring:\n  application.name: shop\n  cloud:\n    gateway.routes: [{ id: orders, uri: "lb://orders" }, { id: users, uri: "lb://users" }]\n    sentinel.datasource.ds1.file: { file: "classpath:rules.json", rule-type: gw-flow }\n'
    const { calls } = app([{ resource: 'orders', count: 9, controlBehavior: 2, maxQueueingTimeoutMs: 700 }], '', gateway)
    expect([calls.get('orders.request')?.queue?.totalMs?.value, calls.get('users.request')?.queue]).toEqual([700, undefined])
  })
})

describe('rules that nothing loads', () => {
  it('are dead where no setting points to their file, as in one that is commented out', () => {
    const { dead } = app([rule], 'degrade', APPLICATION.replace('ds1.file', '# ds1.file'))
    expect(dead).toEqual(['rules of Sentinel (1 in rules.json): no spring.cloud.sentinel.datasource points to this file'])
  })

  it('may be loaded by code, or by a service that is not here', () => {
    const rules = { 'shop/src/main/resources/rules.json': JSON.stringify([rule]) }
    const unknown = 'unknown: which service loads these rules is in no settings that were read; they are not in the chain'
    expect(read(rules).notes).toEqual([unknown])
    const java = { 'shop/src/main/java/A.java': 'class A { Object a = new FileRefreshableDataSource<>(x); }' }
    expect(read({ ...rules, ...java, 'shop/src/main/resources/application.yml': 'server.port: 80\n' }).notes).toEqual([unknown])
  })

  it('are those of Feign where Sentinel is not switched on in Feign', () => {
    const { dead, calls } = app([rule], 'degrade', APPLICATION.replace('sentinel.enabled: true', 'sentinel.enabled: false'))
    expect(dead).toEqual([
      'rule of Sentinel (GET:http://stock/deduct): feign.sentinel.enabled is not true, so calls of Feign are no resources of Sentinel',
    ])
    expect(calls.get('stock.request')?.breaker).toBeUndefined()
  })

  it('are not those of a call by URL, which an annotation in the code may make a resource', () => {
    const files = {
      'shop/src/main/resources/application.yml': APPLICATION.replace('TYPE', 'degrade').replace(
        'sentinel.enabled: true',
        'sentinel.enabled: false',
      ),
      'shop/src/main/resources/rules.json': JSON.stringify([{ ...rule, resource: 'GET:http://users/me' }]),
      'shop/src/main/java/A.java':
        'class A { RestTemplate t = new RestTemplate(); void a() { t.getForObject("http://users/me", U.class); } }',
    }
    const { calls, dead } = read(files)
    expect([calls.get('users.request')?.breaker?.slowMs?.value, dead]).toEqual([800, []])
  })

  it('are those of another type than the setting says', () => {
    expect(app([rule], 'flow').dead).toEqual(['rule-type (flow): the rules it loads are degrade rules'])
  })

  it('and those that lie elsewhere, or are of a call that only the code knows, become notes', () => {
    const redis = APPLICATION.replace(
      'ds1.file: { file: "classpath: rules.json", rule-type: TYPE }',
      'ds1.redis: { rule-key: x, rule-type: degrade }',
    )
    expect(read({ 'shop/application.yml': redis }).notes).toEqual(['unknown: rules of Sentinel that lie elsewhere (redis) are not here'])
    expect(app([{ ...rule, resource: 'queryStock' }]).notes).toEqual([
      'unknown: resource queryStock: which call of shop it is stands in the code; its rule is not in the chain',
    ])
  })

  it('of an application that has Sentinel switched off hold nowhere', () => {
    const { notes, calls } = app(
      [rule],
      'degrade',
      APPLICATION.replace('application.name: shop', 'application.name: shop\n  cloud.sentinel.enabled: false'),
    )
    expect(notes).toEqual(['ignored: Sentinel is off: none of its rules holds'])
    expect(calls.get('stock.request')?.breaker).toBeUndefined()
  })
})

describe('feign.sentinel.rules', () => {
  const yaml = (on: boolean) => `spring.application.name: shop
feign:
  circuitbreaker.enabled: ${on}
  client.config: { stock: { connectTimeout: 1, readTimeout: 9000 }, users: { connectTimeout: 1, readTimeout: 9000 } }
  sentinel:
    default-rule: all
    rules:
      all: [{ grade: 2, count: 3, timeWindow: 15 }]
      stock: [{ grade: 0, count: 400, timeWindow: 5, slowRatioThreshold: 0.5 }]
      # users: [{ grade: 0, count: 1, timeWindow: 1 }]
`
  it('are a breaker of each client, and one for those that have none of their own', () => {
    const { calls, dead } = read({ 'shop/application.yml': yaml(true) })
    expect(calls.get('stock.request')?.breaker).toMatchObject({ slowMs: { value: 400 }, slowRate: { value: 0.5 } })
    expect(calls.get('stock.request')?.breaker?.consecutive).toBeUndefined()
    expect(calls.get('users.request')?.breaker).toMatchObject({ consecutive: { value: 3 }, open: { value: { baseMs: 15_000 } } })
    expect(dead).toEqual([])
  })

  it('are dead without a breaker in Feign', () => {
    const { calls, dead } = read({ 'shop/application.yml': yaml(false) })
    expect(calls.get('users.request')?.breaker).toBeUndefined()
    expect(dead).toEqual(['feign.sentinel.rules (rules for 2 clients): feign.circuitbreaker.enabled is not true'])
  })
})

describe('data IDs of Nacos with rules', () => {
  it('are loaded by the service that names them', () => {
    const rules = JSON.stringify([rule]).replaceAll("'", "\\'")
    const sql = `insert into config_info (data_id, group_id, content, type) values ('sentinel-shop', 'SENTINEL_GROUP', '${rules}', 'json');`
    const nacos = APPLICATION.replace(
      'ds1.file: { file: "classpath: rules.json", rule-type: TYPE }',
      'ds1.nacos: { server-addr: "nacos:8848", dataId: sentinel-shop, groupId: SENTINEL_GROUP, rule-type: degrade }',
    )
    const { calls, dead, notes } = read({ 'shop/application.yml': nacos, 'nacos.sql': sql })
    expect(calls.get('stock.request')?.breaker?.slowMs?.value).toBe(800)
    expect([dead, notes]).toEqual([[], []])
  })
})

describe('any text', () => {
  it('of rules is read without an error', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"resource":',
      '"grade":',
      '"count":',
      '1',
      '"x"',
      ',',
      '\n',
      '\t',
      '<FlowRule>',
      '</',
      '>',
      '<!--',
      '<count>',
      "'",
      '&#x110000;',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (words) => {
        expect(() => app(words.join(''))).not.toThrow()
      }),
    )
  })
})
