import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { placeOf } from '../model/sourced.js'
import { importSources } from './import-sources.js'

const read = (files: Readonly<Record<string, string>>, profiles: readonly string[] = []) => {
  const imported = importSources(
    Object.entries(files).map(([file, text]) => ({ file, text })),
    { profiles },
  )
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  const silence = chain.calls.flatMap(({ from, to, silenceMs }) =>
    silenceMs ? [[`${from.id} -> ${to.value}`, silenceMs.value] as const] : [],
  )
  return { chain, silence: Object.fromEntries(silence), notes: imported.notes.map(({ kind, text }) => `${kind}: ${text}`) }
}

const feign = (readTimeout: string, connectTimeout = '1') =>
  `feign.client.config.stock: { connectTimeout: ${connectTimeout}, readTimeout: ${readTimeout} }\n`
const only = (files: Readonly<Record<string, string>>, profiles: readonly string[] = []) =>
  read(files, profiles).silence['shop.request -> stock.request']
const MAIN = 'shop/src/main/resources/application.yml'

describe('profiles of Spring', () => {
  const documents = `${feign('1')}---\nspring.config.activate.on-profile: prod\n${feign('2')}---\nspring.profiles: dev\n${feign('3')}`

  it('leaves a profile out that nothing makes active, and says so once for all', () => {
    const { silence, notes } = read({ [MAIN]: documents })
    expect(silence).toEqual({ 'shop.request -> stock.request': 1 })
    expect(notes.filter((note) => note.includes('profile'))).toEqual([
      'unknown: profile prod, dev: nothing says which profiles run; 6 settings are not applied (--profile <name> applies a profile)',
    ])
  })

  it('applies the profiles that are asked for, whatever the files say', () => {
    expect(only({ [MAIN]: `spring.profiles.active: dev\n${documents}` }, ['prod'])).toBe(2)
    expect(only({ [MAIN]: documents }, ['dev', 'prod'])).toBe(3)
  })

  it('applies what spring.profiles.active names, and calls the others not applied', () => {
    const { silence, notes } = read({ [MAIN]: `spring.profiles.active: dev\n${documents}` })
    expect(silence['shop.request -> stock.request']).toBe(3)
    expect(notes.filter((note) => note.includes('prod'))).toEqual([
      'ignored: profile prod: the active profile is dev; 3 settings are not applied (--profile <name> applies a profile)',
    ])
  })

  it('takes the default of a placeholder for the active profile, and says so', () => {
    const { silence, notes } = read({ [MAIN]: `spring.profiles.active: \${PROFILE:prod}\n${documents}` })
    expect(silence['shop.request -> stock.request']).toBe(2)
    expect(notes).toContain('unknown: spring.profiles.active: taken as prod, the default of $' + '{PROFILE}; who starts it may set another')
  })

  it('does not guess where the build or a variable decides', () => {
    const { silence, notes } = read({ [MAIN]: `spring.profiles.active: \${PROFILE}\n${documents}` })
    expect(silence['shop.request -> stock.request']).toBe(1)
    expect(notes.some((note) => note.startsWith('ignored: profile prod, dev: which profiles run is decided elsewhere'))).toBe(true)
    expect(only({ [MAIN]: `spring.profiles.active: @env@\n${documents}` })).toBe(1)
  })

  it('takes a token of Maven from the profile that is active by default', () => {
    const pom =
      '<project><profiles><profile><id>a</id><properties><env>dev</env></properties></profile><profile><id>b</id><properties><env>prod</env></properties><activation><activeByDefault>true</activeByDefault></activation></profile></profiles></project>'
    expect(only({ [MAIN]: `spring.profiles.active: @env@\n${documents}`, 'pom.xml': pom })).toBe(2)
    expect(only({ [MAIN]: `spring.profiles.active: @env@\n${documents}`, 'pom.xml': pom.replace('>true<', '>false<') })).toBe(1)
    const named = {
      [MAIN]: `spring.application.name: @project.artifactId@\n${feign('1')}`,
      'shop/pom.xml': '<parent><artifactId>all</artifactId></parent><artifactId>till</artifactId>',
    }
    expect(Object.keys(read(named).silence)).toEqual(['till.request -> stock.request'])
    const imported = { [MAIN]: 'spring: { profiles.active: "@env@", config.import: "classpath:more-@env@.yml" }\n', 'pom.xml': pom }
    const more = { 'shop/src/main/resources/more-prod.yml': feign('5'), 'shop/src/main/resources/more-dev.yml': feign('6') }
    expect([only({ ...imported, ...more }), only({ ...imported, ...more }, ['dev'])]).toEqual([5, 6])
  })

  it('lays application-<profile> over application, and the last profile over the others', () => {
    const files = {
      [MAIN]: `spring.profiles.active: a, b\n${feign('1', '7')}`,
      'shop/src/main/resources/application-a.yml': 'feign.client.config.stock.readTimeout: 2\n',
      'shop/src/main/resources/application-b.properties': 'feign.client.config.stock.read-timeout=3\n',
      'shop/src/main/resources/application-c.yml': feign('4'),
    }
    expect(only(files)).toBe(3)
    expect(read(files).chain.calls[0]?.connectMs?.value).toBe(7)
  })

  it('reads groups, what is included, and the profile that is active where none is', () => {
    const group = `spring.profiles: { active: prod, group.prod: [db, net] }\n${feign('1')}---\nspring.config.activate.on-profile: net\n${feign('2')}`
    expect(only({ [MAIN]: group })).toBe(2)
    expect(only({ [MAIN]: `${feign('1')}---\nspring.config.activate.on-profile: default\n${feign('2')}` })).toBe(2)
  })

  it('evaluates expressions, and applies none that it cannot read', () => {
    const on = (condition: string) =>
      only({ [MAIN]: `${feign('1')}---\nspring.config.activate.on-profile: "${condition}"\n${feign('2')}` }, ['prod', 'eu'])
    expect(['prod & eu', 'prod & (us | eu)', '!dev', 'dev, eu', '!(dev & eu)'].map(on)).toEqual([2, 2, 2, 2, 2])
    expect(['prod & us', '!prod', 'dev | us', 'prod &', '!', '(prod', 'prod)', 'prod eu'].map(on)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('reads the profile that a compose file sets, and variables that bind to settings', () => {
    const compose =
      'services:\n  shop:\n    image: shop\n    environment: { SPRING_PROFILES_ACTIVE: prod, FEIGN_CLIENT_CONFIG_STOCK_CONNECT_TIMEOUT: "9", SERVER_TOMCAT_THREADS_MAX: "33" }\n'
    const { chain } = read({ [MAIN]: `spring.application.name: shop\n${documents}`, 'compose.yaml': compose })
    const call = chain.calls.find(({ to }) => to.value === 'stock.request')
    expect(call).toMatchObject({ silenceMs: { value: 2 }, connectMs: { value: 9 } })
    expect(chain.services.get('shop')?.concurrency?.value).toBe(33)
    expect(call?.connectMs && placeOf(call.connectMs.origin.spot)).toMatchObject({ file: 'compose.yaml', line: 4 })
  })
})

describe('the environment of a service', () => {
  it('has what is given to Java, which wins over the other variables', () => {
    const compose =
      'services:\n  shop:\n    image: shop\n    environment:\n      JAVA_OPTS: "-Xmx512m -Dspring.profiles.active=prod -Dfeign.client.config.stock.connect-timeout=8"\n      SPRING_PROFILES_ACTIVE: dev\n'
    const { chain } = read({
      [MAIN]: `spring.application.name: shop\n${feign('1')}---\nspring.config.activate.on-profile: prod\n${feign('2')}`,
      'compose.yaml': compose,
    })
    const call = chain.calls.find(({ to }) => to.value === 'stock.request')
    expect(call).toMatchObject({ silenceMs: { value: 2 }, connectMs: { value: 8 } })
    const asked = read({ [MAIN]: `${feign('1')}---\nspring.config.activate.on-profile: dev\n${feign('3')}`, 'compose.yaml': compose }, [
      'dev',
    ])
    expect(asked.silence['shop.request -> stock.request']).toBe(3)
  })
})

describe('layers of Spring’s settings', () => {
  it('merges key by key, and replaces a list as a whole', () => {
    const route = (id: string) => `{ id: ${id}, uri: "http://${id}" }`
    const { chain } = read(
      {
        [MAIN]: `spring.cloud.gateway:\n  httpclient.response-timeout: 5s\n  routes: [${route('a')}, ${route('b')}, ${route('c')}]\n`,
        'shop/src/main/resources/application-x.yml': `spring.cloud.gateway.routes: [${route('d')}]\n`,
      },
      ['x'],
    )
    expect(chain.calls.map(({ to, attemptMs }) => [to.value, attemptMs?.value])).toEqual([['d.request', 5000]])
  })

  it('keeps two spellings of a key of Ribbon apart, as Archaius does', () => {
    expect(only({ [MAIN]: 'stock.ribbon: { ReadTimeout: 3000 }\n---\nstock.ribbon: { read-timeout: 9000 }\n' })).toBe(3000)
  })

  it('puts bootstrap below application, .yml below .properties, and the folder below its config folder', () => {
    const files = {
      'shop/src/main/resources/bootstrap.yml': `spring.application.name: shop\n${feign('1')}`,
      [MAIN]: feign('2'),
      'shop/src/main/resources/application.properties': 'feign.client.config.stock.readTimeout=3\n',
    }
    expect(only(files)).toBe(3)
    expect(only({ ...files, 'shop/src/main/resources/config/application.yml': feign('4') })).toBe(4)
  })

  it('resolves placeholders from settings, in parts of a text, in each other, and never without end', () => {
    const yaml = (url: string) => `a: b\nb: 7\nloop: \${loop}\nspring.datasource.url: "${url}"\n`
    const url = (text: string) => read({ [MAIN]: yaml(text.replaceAll('#{', '$' + '{')) }).chain.calls[0]?.silenceMs?.value
    expect(url('jdbc:mysql://db/x?socketTimeout=#{b}000')).toBe(7000)
    expect(url('jdbc:mysql://db/x?socketTimeout=#{T:#{b}}')).toBe(7)
    expect(url('jdbc:mysql://db/x?socketTimeout=#{#{a}:3}')).toBe(3)
    expect(url('jdbc:mysql://db/x?socketTimeout=#{loop}')).toBe('unknown')
  })

  it('reads a file that spring.config.import names, and no other beside it', () => {
    const files = { 'shop/src/main/resources/feign.yml': feign('5'), 'shop/src/main/resources/old.yml': feign('6') }
    const { silence, notes } = read({ [MAIN]: 'spring.config.import: optional:classpath:feign.yml\n', ...files })
    expect(silence).toEqual({ 'shop.request -> stock.request': 5 })
    expect(notes).toContain('unknown: holds only where something imports it; nothing that was read does')
  })

  it('takes what lies among the resources of code for no service that a config server knows', () => {
    const { chain, notes } = read({
      'shop/src/main/resources/to-be-stored.properties': 'dubbo.reference.com.shop.Stock.timeout=9999\nserver.port=8099\n',
    })
    expect([...chain.services.keys()]).toEqual([])
    expect(notes).toContain('unknown: holds only where something imports it; nothing that was read does')
    expect([...read({ 'repo/stored.properties': 'spring.datasource.url=jdbc:mysql://db/a\n' }).chain.services.keys()]).toContain('stored')
  })

  it('reads the settings of a library that a module is built with, where it has no file of that name itself', () => {
    const build = (name: string, ...uses: readonly string[]) =>
      `<project><artifactId>${name}</artifactId><dependencies>${uses.map((each) => `<dependency><artifactId>${each}</artifactId></dependency>`).join('')}</dependencies></project>`
    const files = {
      'shop/pom.xml': build('shop', 'settings'),
      'settings/pom.xml': build('settings', 'more'),
      'more/pom.xml': build('more'),
      [MAIN]: `spring.application.name: shop\n${feign('1', '1')}`,
      'settings/src/main/resources/application.properties': 'feign.client.config.stock.readTimeout=2\n',
      'settings/src/main/resources/application.yml': feign('9', '9'),
      'more/src/main/resources/application.properties': 'feign.client.config.stock.readTimeout=8\n',
    }
    const { chain, silence } = read(files)
    expect(silence['shop.request -> stock.request']).toBe(2)
    const { connectMs } = chain.calls.find(({ from }) => from.id === 'shop.request') ?? {}
    expect(connectMs?.value).toBe(1)
    expect(read({ ...files, 'shop/pom.xml': build('shop') }).silence['shop.request -> stock.request']).toBe(1)
    const shop = chain.services.get('shop')
    expect(shop && placeOf(shop.spot).file).toBe(MAIN)
  })

  it('lays a config server’s files over those of the service, which win over what they share', () => {
    const files = {
      'cart/src/main/resources/bootstrap.yml': `spring: { application.name: cart, cloud.config.uri: "http://config" }\n${feign('1', '1')}`,
      'repo/shared/application.yml': feign('2', '2'),
      'repo/shared/application-prod.yml': feign('3', '3'),
      'repo/shared/cart.yml': 'feign.client.config.stock.readTimeout: 4\n',
      'repo/shared/cart-prod.yml': 'feign.client.config.stock.readTimeout: 5\n',
    }
    const call = (profiles: readonly string[]) => {
      const { connectMs, silenceMs } = read(files, profiles).chain.calls[0] ?? {}
      return [connectMs?.value, silenceMs?.value]
    }
    expect(call([])).toEqual([2, 4])
    expect(call(['prod'])).toEqual([3, 5])
  })

  it('says which settings stand elsewhere', () => {
    const server = 'spring: { application.name: cart, cloud.config.uri: "http://config" }\n'
    expect(read({ 'cart/bootstrap.yml': server }).notes).toEqual([
      'unknown: settings of cart that stand elsewhere are not here and may replace these: of the config server',
    ])
  })
})
