import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'
import { systemsOf } from './systems.js'

const texts = (files: Readonly<Record<string, string>>) => Object.entries(files).map(([file, text]) => ({ file, text }))
const foldersOf = (files: Readonly<Record<string, string>>) => systemsOf(texts(files)).map(({ folder }) => folder)

const shopCompose = (image: string) => `services:
  shop:
    image: ${image}
    environment:
      STOCK_URL: http://stock:80
  stock:
    image: acme/stock
`

describe('systemsOf', () => {
  it('takes folders whose compose files start services of the same names for systems of their own', () => {
    const files = {
      'red/compose.yaml': shopCompose('acme/red'),
      'red/envoy.yaml': 'a: 1',
      'blue/compose.yaml': shopCompose('acme/blue'),
      'README.conf': '# none',
    }
    expect(systemsOf(texts(files)).map(({ folder, sources }) => [folder, sources.map(({ file }) => file)])).toEqual([
      ['', ['README.conf']],
      ['red/', ['red/compose.yaml', 'red/envoy.yaml']],
      ['blue/', ['blue/compose.yaml']],
    ])
  })

  it('leaves folders together that share nothing but the name of a database', () => {
    const compose = (name: string) => `services:\n  ${name}:\n    build: .\n  db:\n    image: postgres:16\n`
    expect(foldersOf({ 'order/compose.yaml': compose('order'), 'stock/compose.yaml': compose('stock') })).toEqual([''])
  })

  it('leaves two providers and their caller together, and takes samples apart that each have both', () => {
    const provider = '@DubboService(version = "1")\npublic class TeaServiceImpl implements TeaService {}'
    const caller = 'class Table {\n  @DubboReference(version = "1")\n  private TeaService teaService;\n}'
    const one = {
      'a-provider/src/main/java/TeaServiceImpl.java': provider,
      'b-provider/src/main/java/TeaServiceImpl.java': provider,
      'caller/src/main/java/Table.java': caller,
    }
    expect(foldersOf(one)).toEqual([''])
    const two = {
      'plain/provider/src/main/java/TeaServiceImpl.java': provider,
      'plain/caller/src/main/java/Table.java': caller,
      'async/provider/src/main/java/TeaServiceImpl.java': provider,
      'async/caller/src/main/java/Table.java': caller,
    }
    expect(foldersOf(two)).toEqual(['plain/', 'async/'])
  })

  it('takes modules apart that give themselves the same name, and nobody calls', () => {
    const settings = 'spring:\n  application:\n    name: demo\n'
    expect(
      foldersOf({ 'lab-1/src/main/resources/application.yml': settings, 'lab-2/src/main/resources/application.yml': settings }),
    ).toEqual(['lab-1/', 'lab-2/'])
  })
})

describe('two versions of a service', () => {
  it('have one name and stay with those whom they call', () => {
    const named = 'spring:\n  application:\n    name: brew\n'
    const files = {
      'brew-v1/src/main/resources/application.yml': named,
      'brew-v1/src/main/java/A.java': 'class A { @DubboReference private MilkService milk; }',
      'brew-v2/src/main/resources/application.yml': named,
      'brew-v2/src/main/java/A.java': 'class A { @DubboReference private MilkService milk; }',
      'milk/src/main/java/M.java': '@DubboService public class M implements MilkService {}',
    }
    expect(foldersOf(files)).toEqual([''])
  })
})

describe('importSources with several systems', () => {
  it('joins nothing across them, and tells their services apart by the folder', () => {
    const envoy = (name: string) => `static_resources:
  listeners:
    - address: { socket_address: { address: 0.0.0.0, port_value: 8000 } }
      filter_chains:
        - filters:
            - name: hcm
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                route_config: { virtual_hosts: [{ name: all, domains: ["*"], routes: [{ match: { prefix: / }, route: { cluster: up, timeout: 2s } }] }] }
  clusters:
    - name: up
      load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: ${name}, port_value: 80 } } } }] }] }
`
    const compose =
      'services:\n  front:\n    image: envoyproxy/envoy:v1.30\n    volumes: ["./envoy.yaml:/etc/envoy.yaml"]\n  web:\n    build: .\n'
    const { edges, notes } = imported({
      'one/compose.yaml': compose,
      'one/envoy.yaml': envoy('web'),
      'two/compose.yaml': compose,
      'two/envoy.yaml': envoy('web'),
    })
    expect(edges).toEqual(['front.all -> web.request', 'two-front.all -> two-web.request'])
    expect(notes).toContainEqual(expect.stringContaining('one/, two/: each is read as a system of its own'))
  })

  it('reads of alternative compose files the one that docker takes, and says so', () => {
    const compose = (url: string) =>
      `services:\n  web:\n    image: acme/web\n    environment: { STORE_URL: "${url}" }\n  redis:\n    image: redis:7\n`
    const { edges, notes } = imported({
      'compose-dev.yml': compose('http://dev-store:80'),
      'docker-compose.yml': compose('http://store:80'),
      'contrib/compose.yml': compose('http://contrib-store:80'),
      'docker-compose.override.yml': 'services:\n  web:\n    image: acme/web:2\n    environment: { CART_URL: "http://cart:80" }\n',
    })
    expect(edges).toEqual(['web.request -> store.request', 'web.request -> cart.request'])
    expect(notes.filter((note) => note.includes('runs instead'))).toHaveLength(2)
  })
})
