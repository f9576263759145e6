import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Call } from '../model/chain.js'
import { linkChain } from '../model/link.js'
import { imported } from './import-run.fixture.js'
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
const pom = (version: string) =>
  `<project><dependency><artifactId>spring-cloud-starter-openfeign</artifactId><version>${version}</version></dependency></project>`
const FEIGN = 'spring.application.name: shop\nfeign.client.config.foo.connect-timeout: 15000\n'

describe('Feign', () => {
  it('ignores both options before 2.2.4 where only one is set (C037)', () => {
    const { calls, dead } = read({ 'shop/pom.xml': pom('2.2.3.RELEASE'), 'shop/src/main/resources/application.yml': FEIGN })
    expect(calls['shop.request -> foo.request']).toEqual({ connect: 10_000, silence: 60_000 })
    expect(dead).toEqual([['connectTimeout', '10 s, the default of openfeign']])
  })

  it('takes the one option from 2.2.4 on, and the default of the other (C037)', () => {
    const { calls, dead } = read({ 'shop/pom.xml': pom('2.2.4.RELEASE'), 'shop/src/main/resources/application.yml': FEIGN })
    expect(calls['shop.request -> foo.request']).toEqual({ connect: 15_000, silence: 60_000 })
    expect(dead).toEqual([])
  })

  it('gives both where the version is not known, and guesses neither (C037)', () => {
    const { calls, notes } = app(FEIGN)
    expect(calls['shop.request -> foo.request']).toEqual({ connect: 'unknown', silence: 60_000 })
    expect(notes[0]).toBe(
      'unknown: connectTimeout: only one of two is set. spring-cloud-openfeign before 2.2.4 ignores both (10 s holds), from it on 15 s holds; the version is not known',
    )
  })

  it('fills a named client from "default", field by field', () => {
    const yaml =
      'spring.cloud.openfeign.client.config:\n  default: { connectTimeout: 1000, readTimeout: 2000 }\n  stock: { readTimeout: 3000 }\n'
    expect(app(yaml).calls['shop.request -> stock.request']).toEqual({ connect: 1000, silence: 3000 })
  })

  it('does not read the old prefix from version 4 on, nor the new one before', () => {
    const { calls, dead } = read({
      'a/build.gradle': "set('springCloudVersion', '2023.0.1')",
      'a/src/main/resources/application.yml': FEIGN,
    })
    expect(calls).toEqual({})
    expect(dead.map(([setting]) => setting)).toEqual(['feign.client.config.foo.connect-timeout'])
  })
})

describe('Ribbon and Hystrix', () => {
  it('tries one more server even if nobody asked, and repeats only GET', () => {
    const { calls, chain } = app('stock:\n  ribbon: { ReadTimeout: 3000 }\nribbon: { ConnectTimeout: 500, ReadTimeout: 9000 }\n')
    expect(calls['shop.request -> stock.request']).toEqual({ connect: 500, silence: 3000, attempts: 2 })
    expect(chain.operations.get('stock.request')?.does.value).toBe('read')
  })

  it('limits Feign by Ribbon’s defaults where the build brings Ribbon and nobody says more', () => {
    const limits = (pom: string, yaml = '', java = '@FeignClient("stock") interface A {}') =>
      read({
        'a/pom.xml': pom,
        'a/src/main/resources/application.yml': `spring.application.name: shop\n${yaml}`,
        'a/src/main/java/A.java': java,
      }).calls['shop.request -> stock.request']
    const hoxton = '<spring-cloud.version>Hoxton.SR12</spring-cloud.version>'
    expect(limits(hoxton)).toEqual({ connect: 1000, silence: 1000 })
    expect(limits(`${hoxton}<artifactId>spring-retry</artifactId>`)).toEqual({ connect: 1000, silence: 1000, attempts: 2 })
    expect(limits(hoxton, 'feign.client.config.default: { connectTimeout: 5, readTimeout: 6 }\n')).toEqual({ connect: 5, silence: 6 })
    expect(limits(hoxton, 'spring.cloud.loadbalancer.ribbon.enabled: false\n')).toEqual({ connect: 10_000, silence: 60_000 })
    expect(limits(hoxton, '', '@FeignClient(name = "x", url = "http://stock") interface A {}')).toEqual({
      connect: 10_000,
      silence: 60_000,
    })
    expect(limits('<spring-cloud.version>2021.0.8</spring-cloud.version>')).toEqual({ connect: 10_000, silence: 60_000 })
  })

  it('says that Ribbon needs spring-retry, unless the build file has it', () => {
    const yaml = 'stock.ribbon: { ReadTimeout: 3000 }\n'
    const remarks = (pom: string) =>
      [
        ...importSources([
          { file: 'a/application.yml', text: yaml },
          { file: 'a/pom.xml', text: pom },
        ]).file.remarks.values(),
      ].flat()
    expect(remarks('<project/>')).toEqual([
      'Ribbon repeats only where spring-retry is on the classpath; no build file that was read has it.',
    ])
    expect(remarks('<artifactId>spring-retry</artifactId>')).toEqual([])
    expect(remarks('<!-- <artifactId>spring-retry</artifactId> -->')).toHaveLength(1)
  })

  it('takes from Hystrix the threads of a client, no key in another spelling, and no method’s limit for all', () => {
    const yaml = (limit: string) =>
      `feign: { hystrix: { enabled: true }, client: { config: { a: { connectTimeout: 1, readTimeout: 2 } } } }\nhystrix: { threadpool: { default: { coreSize: 30 } }, command: { default: { execution.isolation.thread: { ${limit}: 4000 } }, "[AClient#get(Long)]": { execution.isolation.thread.timeoutInMilliseconds: 100 } } }\n`
    const { calls, chain, notes } = app(yaml('timeoutInMilliseconds'))
    expect(calls['shop.request -> a.request']).toMatchObject({ timeout: 4000 })
    expect(chain.calls[0]?.bulkhead?.value).toBe(30)
    expect(notes).toEqual(['unknown: 100 ms holds for AClient#get(Long) alone; the chain has what holds for the other methods'])
    const near = app(yaml('timeout-in-milliseconds'))
    expect(near.calls['shop.request -> a.request']).toMatchObject({ timeout: 1000 })
    expect(near.dead.map(([setting]) => setting)).toEqual(['hystrix.command.default.execution.isolation.thread.timeout-in-milliseconds'])
  })

  it('multiplies the tries, and knows when every method is repeated', () => {
    const { calls, chain } = app('stock.ribbon: { MaxAutoRetries: 2, MaxAutoRetriesNextServer: 3, OkToRetryOnAllOperations: true }\n')
    expect(calls['shop.request -> stock.request']).toEqual({ connect: 1000, silence: 1000, attempts: 12 })
    expect(chain.operations.get('stock.request')?.does.value).toBe('write')
  })

  it('does not take a key in another spelling', () => {
    const { calls, dead } = app('stock.ribbon: { read-timeout: 7000, ConnectTimeout: 500 }\n')
    expect(calls['shop.request -> stock.request']).toMatchObject({ connect: 500, silence: 1000 })
    expect(dead).toEqual([['stock.ribbon.ReadTimeout', 'the next outer value, or the default']])
  })

  it('puts Hystrix around all tries where it is on, and says what it does not look at', () => {
    const yaml =
      'feign: { hystrix: { enabled: true }, client: { config: { a: { connectTimeout: 1, readTimeout: 2 } } } }\nhystrix.command.default.execution:\n  isolation.thread.timeoutInMilliseconds: 4000\n  timeout.isolation.thread.timeoutInMilliseconds: 9000\n'
    const { calls, dead } = app(yaml)
    expect(calls['shop.request -> a.request']).toMatchObject({ timeout: 4000, connect: 1, silence: 2 })
    expect(dead).toHaveLength(1)
    expect(app(yaml.replace('enabled: true', 'enabled: false')).calls['shop.request -> a.request']).toEqual({ connect: 1, silence: 2 })
  })

  it('limits routes of Zuul by Ribbon and Hystrix, or by Zuul itself where they have a URL', () => {
    const { calls } = app(
      'spring.application.name: zuul\nzuul:\n  host.socket-timeout-millis: 3000\n  routes:\n    a: { path: /a/**, serviceId: stock }\n    b: { path: /b/**, url: "http://old:8080" }\nhystrix.command.stock.execution.isolation.thread.timeoutInMilliseconds: 5000\n',
    )
    expect(calls).toEqual({
      'zuul.a -> stock.request': { timeout: 5000, connect: 1000, silence: 1000 },
      'zuul.b -> old.request': { connect: 2000, silence: 3000 },
    })
    const retried = app('spring.application.name: zuul\nzuul:\n  retryable: true\n  routes:\n    a: { path: /a/**, serviceId: stock }\n')
    expect(retried.calls['zuul.a -> stock.request']).toMatchObject({ attempts: 2 })
  })
})

const GATEWAY = `spring:
  application: { name: gateway }
  cloud:
    gateway:
      httpclient: { connect-timeout: 2000, response-timeout: 5s }
      default-filters: [StripPrefix=1]
      routes:
        - id: orders
          uri: lb://orders
          predicates: [Path=/orders/**]
          filters:
            - name: Retry
              args: { retries: 2, methods: "GET,POST", backoff: { firstBackoff: 50ms, maxBackoff: 200ms } }
            - CircuitBreaker=ordersCB
        - id: slow
          uri: http://slow:9000
          metadata: { response-timeout: 300000, connect-timeout: 100 }
        - { id: free, uri: "http://free", metadata: { response-timeout: -1 } }
resilience4j.timelimiter.instances.ordersCB.timeoutDuration: 3s
`

describe('Spring Cloud Gateway', () => {
  it('gives each route its own limits, the global ones, or the default', () => {
    const { calls } = app(GATEWAY)
    expect(calls['gateway.slow -> slow.request']).toEqual({ connect: 100, attempt: 300_000 })
    expect(calls['gateway.free -> free.request']).toEqual({ connect: 2000 })
    expect(calls['gateway.orders -> orders.request']).toEqual({ attempt: 3000, connect: 2000, attempts: 3 })
  })

  it('limits all tries where the breaker is outside the retry, and 1 s where nobody says more', () => {
    const yaml =
      'spring.cloud.gateway.routes:\n- { id: a, uri: "http://a", filters: ["CircuitBreaker=x", "Retry=3,INTERNAL_SERVER_ERROR,GET"] }\n'
    const { calls, chain } = app(yaml)
    expect(calls['shop.a -> a.request']).toMatchObject({ timeout: 1000, attempts: 4 })
    expect(chain.operations.get('a.request')?.does.value).toBe('read')
    expect(chain.calls[0]?.retryOn?.value).toContain('500')
  })

  it('refuses a unit where the gateway takes a bare number', () => {
    const { calls, dead } = app('spring.cloud.gateway:\n  httpclient.connect-timeout: 2s\n  routes: [{ id: a, uri: "http://a" }]\n')
    expect(calls['shop.a -> a.request']).toEqual({ connect: 30_000 })
    expect(dead).toEqual([['connect-timeout', '30 s, the default of spring-cloud-gateway']])
  })
})

describe('what Feign does by itself', () => {
  it('is never to try again, unless a retryer is named: then each method, the first try counted', () => {
    const retryer = (name: string) => app(`feign.client.config.a: { connectTimeout: 1, readTimeout: 2, retryer: ${name} }\n`)
    expect(retryer('feign.Retryer.Default').calls['shop.request -> a.request']).toEqual({ connect: 1, silence: 2, attempts: 5 })
    expect(retryer('feign.Retryer$Default').chain.calls[0]?.backoff).toMatchObject({
      baseMs: { value: 100, origin: { kind: 'default' } },
      maxMs: { value: 1000 },
      factor: { value: 1.5 },
    })
    expect(retryer('feign.Retryer.Default').chain.operations.get('a.request')?.does.value).toBe('write')
    expect(retryer('com.shop.OurRetryer').calls['shop.request -> a.request']).toMatchObject({ attempts: 'unknown' })
  })

  it('is to use its client’s connect timeout in each request, not that of the shared pool', () => {
    const yaml = 'feign: { httpclient: { connection-timeout: 300 }, client: { config: { a: { connectTimeout: 1, readTimeout: 2 } } } }\n'
    const { calls, dead } = app(yaml)
    expect(calls['shop.request -> a.request']).toEqual({ connect: 1, silence: 2 })
    expect(dead).toEqual([['feign.httpclient.connection-timeout', 'connectTimeout of the client, or its default']])
  })
})

describe('what is no limit of a request', () => {
  it('gives nothing: comments, tracing, health checks, registries, sessions, caches, tokens', () => {
    const yaml = `spring:
  application.name: shop
  # datasource.url: jdbc:mysql://gone/db
  session.timeout: 30m
  cache.redis.time-to-live: 10m
  zipkin: { base-url: "http://zipkin:9411", connect-timeout: 1s, read-timeout: 10s }
  cloud.nacos.discovery: { server-addr: "nacos:8848", heart-beat-timeout: 15000 }
  kafka.consumer.properties.session.timeout.ms: 45000
server.servlet.session.timeout: 30m
management: { health.redis.timeout: 2s, tracing.sampling.probability: 0.1, endpoint.health.cache.time-to-live: 10s }
eureka: { client: { eureka-server-read-timeout-seconds: 8, serviceUrl.defaultZone: "http://eureka:8761/eureka" }, instance.lease-expiration-duration-in-seconds: 90 }
jwt: { expire-timeout: 7200, secret: x }
dubbo: { registry: { address: "nacos://nacos:8848", timeout: 30000 }, metadata-report.timeout: 3000, config-center.timeout: 3000 }
# feign.client.config.stock.readTimeout: 1
xxl.job.executor.timeout: 30
`
    const { calls, notes, dead, chain } = app(yaml)
    expect([calls, notes, dead]).toEqual([{}, [], []])
    expect([...chain.services.keys()]).toEqual(['shop'])
  })

  it('is said of what people take for one', () => {
    expect(app('spring.transaction.default-timeout: 30\n').notes[0]).toMatch(
      /^ignored: spring.transaction.default-timeout 30: a bare number is seconds/,
    )
  })
})

describe('Resilience4j', () => {
  it('is put around the call of the client of that name, with what configs share', () => {
    const yaml = `feign.client.config.stock: { connectTimeout: 100, readTimeout: 200 }
resilience4j:
  retry: { configs: { default: { maxAttempts: 4, waitDuration: 50 } }, instances: { stock: { baseConfig: default } } }
  circuitbreaker.instances.stock: { slidingWindowSize: 20, failureRateThreshold: 50, minimumNumberOfCalls: 10, waitDurationInOpenState: 10s }
  timelimiter.instances.other.timeoutDuration: 1s
`
    const { calls, chain, notes } = app(yaml)
    expect(calls['shop.request -> stock.request']).toEqual({ connect: 100, silence: 200, attempts: 4 })
    expect(chain.calls[0]?.breaker).toMatchObject({
      window: { value: { calls: 20 } },
      failureRate: { value: 0.5 },
      minCalls: { value: 10 },
      open: { value: { baseMs: 10_000 } },
    })
    expect(notes.filter((note) => note.includes('timelimiter "other"'))).toHaveLength(1)
  })

  it('never sees a slow call where a try ends before', () => {
    const yaml = (slow: string) =>
      `feign.client.config.a: { connectTimeout: 1, readTimeout: 2000 }\nresilience4j: { circuitbreaker.instances.a: { slow-call-duration-threshold: ${slow} }, retry.instances.a.max-attempts: 3 }\n`
    expect(app(yaml('60s')).dead).toEqual([
      ['slow-call-duration-threshold', 'no call counts as slow; only its errors can open the breaker'],
    ])
    expect(app(yaml('1s')).dead).toEqual([])
  })

  it('says that another order than the usual one is not in the chain', () => {
    expect(app('resilience4j.retry.retry-aspect-order: 1\n').notes[0]).toMatch(
      /^unknown: resilience4j.retry.retry-aspect-order: the order of tries/,
    )
  })

  it('says which names are of old versions', () => {
    expect(app('resilience4j.retry.instances.x.maxRetryAttempts: 3\n').dead.map(([setting]) => setting)).toEqual([
      'resilience4j.retry.instances.x.maxRetryAttempts',
    ])
    const files = (version: string) => ({
      'pom.xml': `<project><properties><resilience4j.version>${version}</resilience4j.version></properties></project>`,
      'src/main/resources/application.yml': 'resilience4j.circuitbreaker.backends.x.ringBufferSizeInClosedState: 3\n',
    })
    expect(imported(files('0.13.1')).dead).toEqual([])
    expect(imported(files('1.7.0')).dead).toHaveLength(1)
    const instances = { 'src/main/resources/application.yml': 'resilience4j.circuitbreaker.instances.x.ringBufferSizeInClosedState: 3\n' }
    expect(imported({ ...files('1.7.0'), ...instances }).dead).toEqual([])
    expect(imported({ ...files('2.1.0'), ...instances }).dead).toHaveLength(1)
  })
})

describe('files and profiles', () => {
  it('reads .properties with continued lines, escapes and the place of each value', () => {
    const { calls, chain } = app(
      '# shop\nspring.application.name = shop\nfeign.client.config.foo.connectTimeout: 1\\\n  5\nfeign.client.config.foo.readTimeout=20\\u0030\n',
      'application.properties',
    )
    expect(calls['shop.request -> foo.request']).toEqual({ connect: 15, silence: 200 })
    expect(chain.calls[0]?.silenceMs?.origin.spot.source.text.slice(chain.calls[0].silenceMs.origin.spot.start)).toMatch(/^20/)
  })

  it('does not apply a profile, and says so; a placeholder’s default holds, and is said', () => {
    const yaml =
      'feign.client.config.a: { connectTimeout: 1, readTimeout: "$' +
      '{T:77}" }\n---\nspring.config.activate.on-profile: prod\nfeign.client.config.a.readTimeout: 9\n'
    const { calls, notes } = app(yaml)
    expect(calls['shop.request -> a.request']).toEqual({ connect: 1, silence: 77 })
    expect(notes.some((note) => note.includes('profile prod'))).toBe(true)
    expect(notes.some((note) => note.includes('who starts it may set another'))).toBe(true)
    expect(app('feign.client.config.a: { connectTimeout: 1, readTimeout: "$' + '{T}" }\n').calls['shop.request -> a.request']).toEqual({
      connect: 1,
      silence: 'unknown',
    })
  })

  it('reads past @tokens@ of Maven, which are no YAML', () => {
    expect(
      app('spring.application.version: @project.version@\nfeign.client.config.a: { connectTimeout: 1, readTimeout: 2 }\n').calls[
        'shop.request -> a.request'
      ],
    ).toEqual({ connect: 1, silence: 2 })
  })

  it('lays a config server’s file of a service over the shared one', () => {
    const files = {
      'shared/application.yml': 'feign.client.config.default: { connectTimeout: 1, readTimeout: 2 }\n',
      'shared/cart.yml': 'feign.client.config.stock.readTimeout: 5\nspring: { x: 1 }\n',
    }
    expect(read(files).calls).toEqual({ 'cart.request -> stock.request': { connect: 1, silence: 5 } })
    const composed = {
      'compose.yml': 'services:\n  config:\n    build: ./shared\n  cart: { image: cart, depends_on: [config] }\n',
      ...files,
    }
    expect(Object.keys(read(composed).calls)).toEqual(['cart.request -> stock.request'])
  })

  it('reads any text without an error', () => {
    const piece = fc.constantFrom(
      'spring',
      '.',
      ':',
      ' ',
      '\n',
      '  ',
      'cloud',
      'gateway',
      'routes',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '${',
      '=',
      '\\',
      'feign',
      'client',
      'config',
      'ribbon',
      '"',
      '@x@',
      '---\n',
      'uri',
      'filters',
    )
    fc.assert(
      fc.property(
        fc.constantFrom('application.yml', 'application.properties', 'pom.xml'),
        fc.array(piece, { maxLength: 40 }),
        (file, words) => {
          expect(importSources([{ file, text: words.join('') }]).file.problems).toEqual([])
        },
      ),
    )
  })
})
