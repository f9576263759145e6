import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { placeOf } from '../model/sourced.js'
import { importSources } from './import-sources.js'
import { readJava } from './java-file.js'
import { javaTokens } from './java-tokens.js'

const read = (files: Readonly<Record<string, string>>) => {
  const imported = importSources(Object.entries(files).map(([file, text]) => ({ file, text })))
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    chain,
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    notes: imported.notes.map(({ kind, text }) => `${kind}: ${text}`),
  }
}

const YAML = 'spring.application.name: shop\n'
const shop = (java: string, yaml = YAML) =>
  read({ 'shop/src/main/resources/application.yml': yaml, 'shop/src/main/java/a/Shop.java': java })
const FEIGN = 'spring.cloud.openfeign.client.config:\n  default: { connectTimeout: 1000, readTimeout: 2000 }\n'
const holder = (value: string) => '$' + `{${value}}`

describe('code that limits its calls by a library around them', () => {
  const calls = (around: string) =>
    shop(`class Shop {\n  RestTemplate rest = new RestTemplate();\n  String get() { ${around}; }\n}`).chain.calls.map(
      ({ timeoutMs }) => timeoutMs?.value,
    )

  it.each([
    [
      'HystrixCommand',
      'return new HystrixCommand<String>(key, 500) { protected String run() { return rest.getForObject("http://stock/a", String.class); } }.execute()',
    ],
    [
      'TimeLimiterConfig',
      'TimeLimiterConfig.custom().timeoutDuration(Duration.ofSeconds(2)).build(); return rest.getForObject("http://stock/a", String.class)',
    ],
    [
      'TimeLimiter',
      'return TimeLimiter.of(Duration.ofSeconds(2)).executeFutureSupplier(() -> later(rest.getForObject("http://stock/a", String.class)))',
    ],
  ])('leaves them unknown: %s', (_, around) => {
    expect(calls(around)).toEqual(['unknown'])
  })

  it('has no limit where nothing of that is there', () => {
    expect(calls('return rest.getForObject("http://stock/a", String.class)')).toEqual([undefined])
  })
})

describe('clients of Feign in the code', () => {
  it('call nobody who runs in the same process, as in a monolith that is built upon services', () => {
    const pom = (name: string, ...uses: readonly string[]) =>
      `<project><artifactId>${name}</artifactId><dependencies>${uses.map((use) => `<dependency><artifactId>${use}</artifactId></dependency>`).join('')}</dependencies></project>`
    const named = (name: string) => `spring.application.name: ${name}\n`
    const files = {
      'stock/pom.xml': pom('stock'),
      'stock/src/main/resources/application.yml': named('stock'),
      'stock/src/main/java/a/Stock.java': 'class Stock {}',
      'cart/pom.xml': pom('cart'),
      'cart/src/main/resources/application.yml': named('cart'),
      'cart/src/main/java/a/Cart.java': '@FeignClient("stock") interface A {} @FeignClient("pay") interface B {} class Cart { A a; B b; }',
      'all/src/main/resources/application.yml': named('all'),
      'all/src/main/java/a/All.java': 'class All { A a; B b; }',
    }
    expect(read({ ...files, 'all/pom.xml': pom('all', 'cart', 'stock') }).edges.toSorted()).toEqual([
      'all.request -> pay.request',
      'cart.request -> pay.request',
      'cart.request -> stock.request',
    ])
    expect(read({ ...files, 'all/pom.xml': pom('all', 'cart') }).edges).toContain('all.request -> stock.request')
  })

  it('are calls to the service they name, with the limits that settings give them by their context', () => {
    const java = `package a;
import org.springframework.cloud.openfeign.FeignClient;
/** @FeignClient("not-this") */
// @FeignClient("nor-this")
@FeignClient(contextId = "stockClient", value = "stock-" + "service", path = "/api")
public interface StockClient { String TEXT = "@FeignClient(\\"nor-that\\")"; @GetMapping("/x") Map<String, List<Item>> all(); }
`
    const { chain, edges } = shop(java, `${YAML}${FEIGN}  stockClient: { readTimeout: 700 }\n`)
    expect(edges).toEqual(['shop.request -> stock-service.request'])
    expect(chain.calls[0]).toMatchObject({ connectMs: { value: 1000 }, silenceMs: { value: 700 } })
    const at = chain.calls[0]?.to.origin.spot
    expect(at && placeOf(at)).toMatchObject({ file: 'shop/src/main/java/a/Shop.java', line: 5 })
  })

  it('have the defaults of Feign where no setting says more', () => {
    const { chain } = shop('@FeignClient("stock") interface A {}')
    expect(chain.calls[0]).toMatchObject({
      connectMs: { value: 10_000, origin: { kind: 'default', product: 'openfeign' } },
      silenceMs: { value: 60_000 },
    })
  })

  it('go to a URL, whose placeholder is a setting', () => {
    const java = `@FeignClient(name = "pay", url = "${holder('pay.url')}") interface Pay {}`
    expect(shop(java, `${YAML}pay.url: https://pay.example.com/v1\n`).edges).toEqual(['shop.request -> pay-example-com.request'])
    expect(shop(java).edges).toEqual(['shop.request -> unknown'])
    expect(shop(`@FeignClient(name = "${holder('pay.name:pay')}") interface Pay {}`).edges).toEqual(['shop.request -> pay.request'])
  })

  it('of one service are one call, where no setting tells them apart', () => {
    const java = '@FeignClient(contextId = "a", name = "stock") interface A {} @FeignClient(contextId = "b", name = "stock") interface B {}'
    expect(shop(java).edges).toEqual(['shop.request -> stock.request'])
    expect(shop(java, `${YAML}${FEIGN}  a: { readTimeout: 1 }\n`).edges).toHaveLength(2)
  })

  it('in a library are calls of the services that use them, and of no other; a fallback does not use them', () => {
    const pom = (name: string, ...uses: readonly string[]) =>
      `<project><parent><artifactId>parent</artifactId></parent><artifactId>${name}</artifactId><dependencies>${uses.map((use) => `<dependency><artifactId>${use}</artifactId></dependency>`).join('')}</dependencies></project>`
    const files = {
      'api/pom.xml': pom('stock-api'),
      'api/src/main/java/StockClient.java': '@FeignClient(value = Names.STOCK) public interface StockClient {}',
      'api/src/main/java/StockFallback.java': 'class StockFallback implements FallbackFactory<StockClient> {}',
      'api/src/main/java/Names.java': 'public class Names { public static final String STOCK = "stock"; }',
      'cart/pom.xml': pom('cart', 'stock-api'),
      'cart/src/main/resources/application.yml': 'spring.application.name: cart\n',
      'cart/src/main/java/Cart.java': 'class Cart { @Autowired private StockClient stock; }',
      'mail/pom.xml': pom('mail', 'stock-api'),
      'mail/src/main/resources/application.yml': 'spring.application.name: mail\n',
      'stock/pom.xml': pom('stock', 'stock-api', 'audit'),
      'stock/src/main/resources/application.yml': 'spring.application.name: stock\n',
      'audit/pom.xml': pom('audit'),
      'audit/src/main/java/Audit.java': 'class Audit { StockClient client; }',
    }
    expect(read(files).edges).toEqual(['cart.request -> stock.request'])
  })

  it('have unknown limits where a bean or an argument gives them options', () => {
    const settings = `${YAML}${FEIGN}`
    const options = (java: string) =>
      shop(
        `@FeignClient(name = "stock" CONF) interface A { ARG }`
          .replace('CONF', java.includes('Conf.class') ? ', configuration = Conf.class' : '')
          .replace('ARG', java.startsWith('Item') ? java : '') + (java.startsWith('Item') ? '' : java),
        settings,
      )
    const limits = (java: string) => options(java).chain.calls.map(({ silenceMs }) => silenceMs?.value)
    expect(limits('@Configuration class Conf { @Bean public Request.Options options() { return new Request.Options(1, 2); } }')).toEqual([
      'unknown',
    ])
    expect(limits('/* Conf.class */ class Conf { @Bean Request.Options options() { return null; } }')).toEqual(['unknown'])
    expect(limits('Item get(Request.Options options);')).toEqual(['unknown'])
    expect(limits('class Other { @Bean Request.Options options() { return null; } }')).toEqual([2000])
    expect(limits('// @Configuration class Conf { @Bean Request.Options options() {} }')).toEqual([2000])
    expect(options('@Configuration class Conf { @Bean Request.Options options() { return null; } }').notes).toContain(
      'unknown: Request.Options in the code may set the limits of Feign clients; those of stock are unknown',
    )
  })

  it('are tried as often as a retryer in the code says', () => {
    const tries = (bean: string) =>
      shop(`@FeignClient("stock") interface A {} @Configuration class C { @Bean Retryer r() { ${bean} } }`, `${YAML}${FEIGN}`).chain
        .calls[0]
    expect(tries('return new Retryer.Default(50, 1_000L, 3);')).toMatchObject({
      attempts: { value: 3 },
      backoff: { baseMs: { value: 50 }, maxMs: { value: 1000 } },
    })
    expect(tries('return new Retryer.Default();')?.attempts).toMatchObject({ value: 5, origin: { kind: 'default', product: 'openfeign' } })
    expect(tries('return Retryer.NEVER_RETRY;')?.attempts.value).toBe(1)
    expect(tries('return new OurRetryer();')?.attempts.value).toBe('unknown')
  })

  it('are counted out where code was read, so that shared settings need no note', () => {
    expect(shop('class A { RestTemplate t; }', `${YAML}${FEIGN}`).notes).toEqual([])
    expect(read({ 'shop/application.yml': `${YAML}${FEIGN}` }).notes).toEqual([
      'unknown: holds for every Feign client; which there are stands in the code',
    ])
  })
})

describe('URLs in the code', () => {
  it('are calls without limits where a RestTemplate is made with none', () => {
    const java = `class A {
  private static final String STOCK = "http://stock-service";
  @Value("${holder('user.url')}") private String users;
  RestTemplate template = new RestTemplate();
  void a() {
    template.getForObject(STOCK + "/items/" + id, Item.class);
    template.postForEntity("http://stock-service/items", item, Item.class);
    template.exchange(users + "/me", HttpMethod.GET, null, User.class);
    // template.getForObject("http://gone/x", Item.class);
    template.getForObject("http://" + host + "/x", Item.class);
    log.info("http://docs.example.com/x"); map.put("http://key/x", 1);
  }
}`
    const { edges, chain, notes } = shop(java, `${YAML}user.url: http://users:8080/api\n`)
    expect(edges).toEqual(['shop.request -> stock-service.request', 'shop.request -> users.request'])
    const { connectMs, silenceMs, timeoutMs } = chain.calls[0] ?? {}
    expect([connectMs, silenceMs, timeoutMs]).toEqual([undefined, undefined, undefined])
    expect(notes).toEqual([])
  })

  it('have unknown limits where the code sets some, or gets its client from elsewhere', () => {
    const call = 'class A { void a() { template.getForObject("http://stock/x", X.class); } RestTemplate template BUILT; }'
    const timeout = (built: string) => shop(call.replace('BUILT', built)).chain.calls[0]?.timeoutMs?.value
    expect(timeout('= builder.setReadTimeout(Duration.ofSeconds(2)).build()')).toBe('unknown')
    expect(timeout('')).toBe('unknown')
    expect(timeout('= new RestTemplate()')).toBeUndefined()
    expect(timeout('= new RestTemplate(factory)')).toBe('unknown')
  })

  it('of a WebClient wait for a connection as reactor-netty does', () => {
    const { chain, edges } = shop('class A { WebClient client = WebClient.builder().baseUrl("http://stock:8080").build(); }')
    expect(edges).toEqual(['shop.request -> stock.request'])
    expect(chain.calls[0]?.queue?.perAttemptMs).toMatchObject({ value: 45_000, origin: { product: 'reactor-netty' } })
    expect(
      shop('class A { void a() { WebClient.create("http://stock").get().uri("/x").retrieve().bodyToMono(X.class).timeout(d); } }').chain
        .calls[0]?.timeoutMs?.value,
    ).toBe('unknown')
  })
})

describe('the reader of Java', () => {
  it('knows what is a comment and what is a string', () => {
    const text = 'a /* "b" */ "c // d" // e "f\n\'"\' g """\n h "i" \\""" j\n""" "k\\"l" 1_000L'
    expect(javaTokens(text).map(({ kind, text: token }) => `${kind} ${token}`)).toEqual([
      'name a',
      'string c // d',
      'string "',
      'name g',
      'string \n h "i" """ j\n',
      'string k"l',
      'number 1_000L',
    ])
  })

  it('finds types with what they extend, and fields with their annotations', () => {
    const file = readJava({
      file: 'A.java',
      text: 'package a.b; import c.D; @X(y = {1, 2}, z = @Z("q")) public class A<T extends B> extends C<T> implements D, e.F { @G @H("i") private final List<Map<J, K>> l = new M(), n; void o(@P Q q) {} }',
    })
    expect(file.package).toBe('a.b')
    expect(file.types[0]).toMatchObject({ kind: 'class', name: 'A', interfaces: ['D', 'F'], annotations: [{ name: 'X' }] })
    expect(file.variables.map(({ type, name, annotations }) => [type, name, annotations.map((each) => each.name)])).toEqual([
      ['List', 'l', ['G', 'H']],
      ['Q', 'q', ['P']],
    ])
  })

  it('reads any text without an error, and in time that grows with its length', () => {
    const piece = fc.constantFrom(
      '@FeignClient',
      '(',
      ')',
      '{',
      '}',
      '"',
      "'",
      '"""',
      '\\',
      '//',
      '/*',
      '*/',
      '\n',
      'interface A',
      '=',
      ',',
      '<',
      '>',
      '.',
      'Request.Options x',
      'name',
      '@',
      ';',
      '[',
      ']',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (words) => {
        expect(() => shop(words.join(' '))).not.toThrow()
      }),
    )
    const long = (times: number) => {
      const text = '@A(b = {1}) private Map<X, Y> z = f(('.repeat(times)
      const start = performance.now()
      readJava({ file: 'A.java', text })
      return performance.now() - start
    }
    long(500)
    expect(long(8000)).toBeLessThan(40 * Math.max(50, long(500)))
  })
})
