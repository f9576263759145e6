import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { linkChain } from '../model/link.js'
import { placeOf } from '../model/sourced.js'
import { importSources } from './import-sources.js'
import { readXml } from './xml-tree.js'

const read = (files: Readonly<Record<string, string>>) => {
  const imported = importSources(Object.entries(files).map(([file, text]) => ({ file, text })))
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    chain,
    calls: chain.calls.map(({ from, to, attemptMs, attempts }) => `${from.id} -> ${to.value} ${attemptMs?.value} x${attempts.value}`),
    notes: imported.notes.map(({ kind, text }) => `${kind}: ${text}`),
    dead: imported.file.deadSettings?.map(({ setting, written, because }) => `${setting} (${written}): ${because}`) ?? [],
  }
}

const beans = (inner: string) =>
  `<?xml version="1.0"?>\n<beans xmlns="http://www.springframework.org/schema/beans" xmlns:dubbo="http://dubbo.apache.org/schema/dubbo">\n${inner}\n</beans>\n`
const consumer = (reference: string, more = '') => ({
  'cart/src/main/resources/spring/consumer.xml': beans(`<dubbo:application name="cart"/>${more}${reference}`),
})
const provider = (service: string, more = '') => ({
  'stock/src/main/resources/spring/provider.xml': beans(`<dubbo:application name="stock"/>${more}${service}`),
})
const both = (reference: string, service: string, atConsumer = '', atProvider = '') =>
  read({ ...consumer(reference, atConsumer), ...provider(service, atProvider) }).calls
const REFERENCE = '<dubbo:reference id="stock" interface="com.shop.StockService" ATTRIBUTES/>'
const SERVICE = '<dubbo:service interface="com.shop.StockService" ref="impl" ATTRIBUTES/>'
const reference = (attributes = '') => REFERENCE.replace('ATTRIBUTES', attributes)
const service = (attributes = '') => SERVICE.replace('ATTRIBUTES', attributes)

describe('XML of Dubbo', () => {
  it('makes a call from who references an interface to who offers it, three times 1 s where nothing is written', () => {
    const { calls, chain } = read({ ...consumer(reference()), ...provider(service()) })
    expect(calls).toEqual(['cart.request -> stock.request 1000 x3'])
    expect(chain.calls[0]).toMatchObject({
      attemptMs: { origin: { kind: 'default', product: 'dubbo' } },
      attempts: { origin: { kind: 'default' } },
    })
    expect(chain.operations.get('stock.request')?.does.value).toBe('write')
  })

  it('tells the place of a value, past what is commented out', () => {
    const { chain } = read(
      consumer(
        '<!-- <dubbo:reference interface="com.shop.Old" timeout="1"/> -->\n<dubbo:reference\n  interface="com.shop.StockService"\n  timeout="2500" />',
      ),
    )
    expect(chain.calls).toHaveLength(1)
    expect(chain.calls[0]?.attemptMs && placeOf(chain.calls[0].attemptMs.origin.spot)).toMatchObject({ line: 6, column: 12 })
  })

  it('lets the finer win, and the consumer where both are as fine', () => {
    const method = (ms: number) => `><dubbo:method name="take" timeout="${ms}"/></`
    const at = (r: string, s: string, c = '', p = '') => both(r, s, c, p).map((call) => call.split(' ')[3])
    const [c7, p8] = ['<dubbo:consumer timeout="7"/>', '<dubbo:provider timeout="8"/>']
    expect(at(reference(), service(), '', p8)).toEqual(['8'])
    expect(at(reference(), service(), c7, p8)).toEqual(['7'])
    expect(at(`<dubbo:consumer timeout="9">${reference()}</dubbo:consumer>`, service(), '', p8)).toEqual(['9'])
    expect(at(reference(), service('timeout="6"'), c7, p8)).toEqual(['6'])
    expect(at(reference('timeout="5"'), service('timeout="6"'), c7, p8)).toEqual(['5'])
    const withMethod = service().replace('/>', `${method(4)}dubbo:service>`)
    expect(at(reference('timeout="5"'), withMethod, c7, p8)).toEqual(['5', '4'])
    expect(at(reference('timeout="5"').replace('/>', `${method(3)}dubbo:reference>`), withMethod, c7, p8)).toEqual(['5', '3'])
  })

  it('calls again only by failover, and says where retries do nothing', () => {
    const tries = (attributes: string) => both(reference(attributes), service()).map((call) => call.split(' ')[4])
    expect(tries('retries="0"')).toEqual(['x1'])
    expect(tries('retries="-1"')).toEqual(['x1'])
    expect(tries('retries="4" cluster="failover"')).toEqual(['x5'])
    expect(['failfast', 'failsafe', 'failback', 'forking', 'broadcast'].map((cluster) => tries(`cluster="${cluster}"`)[0])).toEqual([
      'x1',
      'x1',
      'x1',
      'x1',
      'x1',
    ])
    expect(read({ ...consumer(reference('retries="3" cluster="failfast"')), ...provider(service()) }).dead).toEqual([
      'retries (3): cluster failfast does not call again',
    ])
  })

  it('tries a call that is async again only where it cannot be sent', () => {
    const causes = (attributes: string) =>
      read({ ...consumer(reference(attributes)), ...provider(service()) }).chain.calls[0]?.retryOn?.value
    expect(causes('async="true" timeout="900"')).toEqual(['connect'])
    // How the provider works is its own affair.
    const { chain } = read({ ...consumer(reference()), ...provider(service('async="true"')) })
    expect(chain.calls[0]?.retryOn?.value).toEqual(['connect', 'reset', 'timeout'])
    for (const attributes of ['async="false"', '']) expect(causes(attributes)).toEqual(['connect', 'reset', 'timeout'])
  })

  it('tries a call that gives a future again only where it cannot be sent', () => {
    const causes = (body: string, attributes = '', head = 'public interface StockService') => {
      const api = {
        'api/src/main/java/com/shop/StockService.java': `package com.shop;\nimport java.util.concurrent.*;\n${head} {\n${body}\n}\n`,
      }
      return read({ ...api, ...consumer(reference(attributes)), ...provider(service()) }).chain.calls[0]?.retryOn?.value
    }
    const all = ['connect', 'reset', 'timeout']
    const take = '  /** String old(); */ @Deprecated(since = "2") CompletableFuture<Map<String, List<Integer>>> take(String sku);'
    expect(causes(take)).toEqual(['connect'])
    expect(
      causes(
        `${take} default java.util.concurrent.CompletableFuture<Void> all() { return null; } static int x() { return 1; } int N = f(1);`,
      ),
    ).toEqual(['connect'])
    expect(causes(`${take}\n  int count(String sku);`)).toEqual(all)
    expect(causes('  List<CompletableFuture<String>> take(String sku);')).toEqual(all)
    expect(causes('  String take(CompletableFuture<String> sku);')).toEqual(all)
    expect(causes(take, '', 'public interface StockService extends More')).toEqual(all)
    expect(causes('')).toEqual(all)
  })

  it('finds an offer by interface, group and version', () => {
    const target = (r: string, s: string) => both(reference(r), service(s)).map((call) => call.split(' ')[2])
    expect(target('version="1.0.0"', 'version="1.0.0"')).toEqual(['stock.request'])
    expect(target('version="1.0.0"', 'version="2.0.0"')).toEqual(['com-shop-StockService.request'])
    expect(target('version="*" group="a,b"', 'version="2.0.0" group="b"')).toEqual(['stock.request'])
    expect(target('group="a"', '')).toEqual(['com-shop-StockService.request'])
  })

  it('lets calls wait for one of the slots that actives gives, as long as a call may take', () => {
    const { chain } = read({
      ...consumer(reference('actives="10" timeout="300"')),
      ...provider(service(), '<dubbo:protocol name="dubbo" port="20880" threads="50"/>'),
    })
    expect(chain.calls[0]).toMatchObject({ bulkhead: { value: 10 }, queue: { perAttemptMs: { value: 300 } } })
    expect(chain.services.get('stock')?.concurrency?.value).toBe(50)
  })

  it('takes the default of a placeholder and says so, and refuses a unit', () => {
    const holder = '$' + '{stock.timeout:900}'
    const { calls, notes } = read(consumer(reference(`timeout="${holder}"`)))
    expect([calls[0]?.split(' ')[3], notes]).toEqual([
      '900',
      ['unknown: timeout: taken as 900, the default of $' + '{stock.timeout}; who starts it may set another'],
    ])
    expect(read(consumer(reference('timeout="3s"'))).dead).toEqual(['timeout (3s): "3s" is not a whole number of milliseconds'])
  })

  it('is of two services where files of one module name two applications, and of none that calls itself', () => {
    const files = {
      'demo/src/main/resources/provider.xml': beans(`<dubbo:application name="one"/>${service()}`),
      'demo/src/main/resources/consumer.xml': beans(`<dubbo:application name="two"/>${reference()}`),
    }
    expect(read(files).calls).toEqual(['two.request -> one.request 1000 x3'])
    expect(read({ 'demo/src/main/resources/all.xml': beans(service() + reference()) }).calls).toEqual([])
  })
})

describe('settings of Dubbo', () => {
  const XML = { 'cart/src/main/resources/consumer.xml': beans(reference('timeout="5"')) }
  const YAML =
    'spring.application.name: cart\ndubbo:\n  application.name: ignored\n  registry: { address: "nacos://nacos:8848", timeout: 30000 }\n  config-center.timeout: 4000\n'

  it('of Spring win over what stands at the reference, and that over dubbo.properties', () => {
    const yaml = (more: string) => ({ 'cart/src/main/resources/application.yml': `${YAML}${more}` })
    const properties = { 'cart/src/main/resources/dubbo.properties': 'dubbo.consumer.timeout=9\ndubbo.consumer.retries=0\n' }
    expect(read({ ...XML, ...yaml('') }).calls).toEqual(['cart.request -> com-shop-StockService.request 5 x3'])
    expect(read({ ...XML, ...yaml('  consumer: { timeout: 8, retries: 1 }\n') }).calls[0]).toMatch(/ 5 x2$/)
    expect(read({ ...XML, ...yaml('  reference: { com.shop.StockService: { timeout: 7 } }\n') }).calls[0]).toMatch(/ 7 x3$/)
    expect(read({ ...XML, ...yaml(''), ...properties }).calls[0]).toMatch(/ 5 x1$/)
  })

  it('make an edge by themselves, with methods of their own', () => {
    const yaml = `${YAML}  reference.com.shop.StockService: { timeout: 700, retries: 0, take.timeout: 90 }\n`
    expect(read({ 'cart/src/main/resources/application.yml': yaml }).calls).toEqual([
      'cart.request -> com-shop-StockService.request 700 x1',
      'cart.request -> com-shop-StockService.request 90 x1',
    ])
  })

  it('of a profile hold where it is active', () => {
    const files = {
      ...XML,
      'cart/src/main/resources/application.yml': `spring.profiles.active: prod\n${YAML}`,
      'cart/src/main/resources/application-prod.yml': 'dubbo.reference.com.shop.StockService.timeout: 6\n',
    }
    expect(read(files).calls[0]).toMatch(/ 6 x3$/)
  })
})

describe('annotations of Dubbo', () => {
  const CART = `package com.cart;
import com.shop.StockService;
import org.apache.dubbo.config.annotation.*;
public class Cart {
  // @DubboReference(timeout = 1) private Gone gone;
  @DubboReference(version = "1.0.0", timeout = 1_500, retries = 0, methods = { @Method(name = "take", timeout = 200) })
  private StockService stock;
}`
  const STOCK = `package com.stock;
import com.shop.StockService;
import org.apache.dubbo.config.annotation.DubboService;
@DubboService(version = "1.0.0", timeout = 9000)
public class StockServiceImpl extends Base<Stock> implements StockService { }`
  const app = (name: string, java: string, yaml = '') => ({
    [`${name}/src/main/resources/application.yml`]: `spring.application.name: ${name}\n${yaml}`,
    [`${name}/src/main/java/com/${name}/A.java`]: java,
  })

  it('are references and services', () => {
    expect(read({ ...app('cart', CART.replace('annotation.*', 'annotation.DubboReference')), ...app('stock', STOCK) }).calls).toEqual([
      'cart.request -> stock.request 1500 x1',
      'cart.request -> stock.request 200 x1',
    ])
  })

  it('of older versions are told from Spring’s by their import', () => {
    const old = STOCK.replace('DubboService;', 'Service;').replace('@DubboService', '@Service')
    expect(read({ ...app('cart', CART), ...app('stock', old) }).calls[0]).toBe('cart.request -> stock.request 1500 x1')
    const springs = old.replace('org.apache.dubbo.config.annotation', 'org.springframework.stereotype')
    expect(read({ ...app('cart', CART), ...app('stock', springs) }).calls[0]).toMatch(/^cart.request -> (com-shop-)?StockService.request/)
  })

  it('have unknown values where only code knows them', () => {
    expect(read(app('cart', CART.replace('1_500', 'Limits.SHORT * 2'))).calls[0]).toMatch(/ unknown x1$/)
  })
})

describe('a module that another one builds upon', () => {
  it('runs what it offers by itself where it is an application of its own', () => {
    const application = (name: string) => `dubbo:\n  application: { name: ${name} }\n  registry: { address: "nacos://n:8848" }\n`
    const module = (name: string, uses: string) =>
      `<project><artifactId>${name}</artifactId><dependencies><dependency><artifactId>${uses}</artifactId></dependency></dependencies></project>`
    const { calls } = read({
      'atrium/pom.xml': module('atrium', 'tea'),
      'atrium/src/main/resources/application.yml': application('atrium'),
      'atrium/src/main/java/a/Atrium.java': 'package a;\nimport b.Tea;\nclass Atrium { @DubboReference private Tea tea; }\n',
      'tea/pom.xml': module('tea', 'none'),
      'tea/src/main/resources/application.yml': application('tea'),
      'tea/src/main/java/b/TeaImpl.java': 'package b;\n@DubboService public class TeaImpl implements Tea {}\n',
      'till/pom.xml': module('till', 'none'),
      'till/src/main/resources/application.yml': application('till'),
      'till/src/main/java/c/Till.java': 'package c;\nimport b.Tea;\nclass Till { @DubboReference private Tea tea; }\n',
    })
    expect(calls).toEqual(['atrium.request -> tea.request 1000 x3', 'till.request -> tea.request 1000 x3'])
  })
})

describe('override rules of Dubbo', () => {
  const rule = (config: string, head = 'scope: service\nkey: com.shop.StockService') => ({
    'rules/stock.yaml': `configVersion: v3.0\n${head}\nenabled: true\nconfigs:\n${config}`,
  })
  const files = {
    ...consumer(reference('timeout="5"').replace('/>', '><dubbo:method name="take" timeout="4"/></dubbo:reference>')),
    ...provider(service()),
  }
  const limits = (config: string, head?: string) =>
    read({ ...files, ...rule(config, head) }).calls.map((call) => call.split(' ').slice(3).join(' '))

  it('win over all that the files of the services say', () => {
    expect(limits('- { side: consumer, addresses: [0.0.0.0], parameters: { timeout: 6000, retries: 4 } }\n')).toEqual(['6000 x5'])
    expect(limits('- { parameters: { take.timeout: 77 } }\n')).toEqual(['5 x3', '77 x3'])
    expect(limits('- { side: consumer, parameters: { timeout: 66 } }\n', 'scope: application\nkey: cart')).toEqual(['66 x3'])
    const composed = {
      ...files,
      'compose.yaml': 'services:\n  cart-app: { image: x, build: ./cart }\n',
      ...rule('- { side: consumer, parameters: { timeout: 66 } }\n', 'scope: application\nkey: cart'),
    }
    const yaml = { 'cart/src/main/resources/application.yml': 'spring.application.name: cart\n' }
    expect(read({ ...composed, ...yaml }).calls).toEqual(['cart-app.request -> stock.request 66 x3'])
  })

  it('for the provider’s side change what it offers, which the consumer’s own values beat', () => {
    expect(limits('- { side: provider, parameters: { timeout: 6000, retries: 0 } }\n')).toEqual(['5 x1', '4 x1'])
  })

  it('hold for the applications they name, and not where they are off or for some addresses only', () => {
    const match = (application: string) =>
      `- { match: { application: { oneof: [${application}] } }, side: consumer, parameters: { timeout: 66 } }\n`
    expect(limits(match('cart'))).toEqual(['66 x3'])
    expect(limits(match('other'))).toEqual(['5 x3', '4 x3'])
    expect(limits('- { addresses: ["10.0.0.1:20880"], parameters: { timeout: 66 } }\n')).toEqual(['5 x3', '4 x3'])
    expect(limits('- { parameters: { timeout: 66 } }\n', 'scope: service\nkey: com.shop.StockService\nenabled: false').length).toBe(2)
    expect(limits('- { parameters: { timeout: 66 } }\n', 'scope: service\nkey: "b/com.shop.StockService:2.0.0"')).toEqual(['5 x3', '4 x3'])
  })

  it('become notes where they do not hold for all, or mean nothing that was read', () => {
    const notes = (config: string, head?: string) => read({ ...files, ...rule(config, head) }).notes
    expect(notes('- { addresses: ["10.0.0.1"], parameters: { timeout: 66 } }\n')[0]).toBe(
      'unknown: the rule holds for some addresses or requests only; it is not applied',
    )
    expect(notes('- { parameters: { timeout: 66 } }\n', 'scope: service\nkey: com.other.X')).toContain(
      'unknown: a rule for a service that is in nothing that was read',
    )
  })
})

describe('rules of Sentinel', () => {
  it('mean a call of Dubbo by its interface', () => {
    const files = {
      ...consumer(reference('timeout="3000" retries="0"')),
      ...provider(service()),
      'cart/src/main/resources/application.yml':
        'spring: { application.name: cart, cloud.sentinel.datasource.ds.file: { file: "classpath:degrade.json", rule-type: degrade } }\n',
      'cart/src/main/resources/degrade.json': '[{"resource":"com.shop.StockService:take(int)","grade":0,"count":3000,"timeWindow":5}]',
    }
    const { chain, dead } = read(files)
    expect(chain.calls[0]?.breaker?.slowMs?.value).toBe(3000)
    const method = {
      ...files,
      ...consumer(reference('timeout="3000" retries="0"').replace('/>', '><dubbo:method name="take" timeout="99"/></dubbo:reference>')),
    }
    expect(read(method).chain.calls.map(({ attemptMs, breaker }) => [attemptMs?.value, breaker?.slowMs?.value])).toEqual([
      [3000, undefined],
      [99, 3000],
    ])
    expect(dead).toEqual(['count (3000 ms): the call ends by its timeout after 3 s, so none can be slower than that'])
  })
})

describe('the reader of XML', () => {
  it('passes over comments, CDATA, declarations and what is not closed', () => {
    const text =
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "<c>">]><a x=\'1 > 2\' y = "&lt;&#65;&z;"><!-- <b/> --><![CDATA[<c/>]]> text <d/><e><f></a>'
    const [root] = readXml({ file: 'a.xml', text })
    expect(root?.attributes.get('x')?.text).toBe('1 > 2')
    expect(root?.attributes.get('y')?.text).toBe('<A&z;')
    expect(root?.children.map(({ name, children }) => [name, children.map((child) => child.name)])).toEqual([
      ['d', []],
      ['e', ['f']],
    ])
    expect(root?.text?.text).toBe('text')
  })

  it('looks for attributes in the tag alone, whatever stands behind it', () => {
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    readXml({ file: 'a.xml', text: `<a>${'<b>1</b>'.repeat(200)}${'x'.repeat(5000)}` })
    const looked = exec.mock.calls.filter(([text]) => text.length > 100).length
    exec.mockRestore()
    // The name of each element is read in place, and nothing else in the whole text.
    expect(looked).toBe(201)
  })

  it('reads any text without an error', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '<dubbo:reference ',
      'interface="a.B"',
      ' timeout="1"',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '"',
      "'",
      '<?',
      '?>',
      '<!',
      '[',
      ']',
      '</',
      'x',
      '=',
      '&#1;',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (words) => {
        expect(() => read({ 'a.xml': `<dubbo:x/>${words.join('')}` })).not.toThrow()
      }),
    )
    expect(readXml({ file: 'a.xml', text: '<a>'.repeat(100_000) })).toHaveLength(1)
  })
})
