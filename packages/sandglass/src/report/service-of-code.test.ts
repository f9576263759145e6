import { describe, expect, it } from 'vitest'
import { readChainFile } from '../model/chain-file.js'
import { scanTexts } from '../scan/scan.fixture.js'
import { fieldsText, serviceOfCode } from './service-of-code.js'

const chain = `sandglass: 1
services:
  checkout: { operations: { place: { calls: [{ to: stock.deduct }] } } }
  stock: { operations: { deduct: {}, restore: {} } }
  payments-service: { operations: { charge: {}, refund: {} } }
  orders-db: { kind: database, operations: { query: {} } }
  sessions: { kind: cache, operations: { get: {} } }
`

/** Where the calls of some code go, as `stock.deduct timeout 100 ms`. */
function calls(text: string, known = chain, calledAlready: readonly string[] = []) {
  const { services } = readChainFile({ file: 'sandglass.yaml', text: known })
  const scanned = scanTexts(text)
  const joined = serviceOfCode(
    { service: 'checkout', operation: 'place', calls: scanned.calls, known: services, calledAlready },
    { file: 'sandglass.yaml', text: known },
  )
  const own = joined.services.find(({ name }) => name === 'checkout')?.part.operations[0]?.part.steps ?? []
  return own.flatMap((step) => step.calls).map((call) => `${call.to?.value} ${fieldsText(call)}`.trim())
}

const ending = 'signal: AbortSignal.timeout(100)'

describe('where the calls of code lead', () => {
  it('finds a service by its host, in the forms that clusters write it, and by its name without "service"', () => {
    const hosts = [
      'http://stock:8080/deduct',
      'http://stock.shop.svc.cluster.local/restore',
      'http://stock.internal/deduct/1',
      'http://payments/refund',
    ]
    for (const [k, to] of ['stock.deduct', 'stock.restore', 'stock.deduct', 'payments-service.refund'].entries())
      expect(calls(`fetch('${hosts[k]}', { ${ending} })`)).toEqual([`${to} timeout 100 ms`])
  })

  it('takes what is asked by HTTP for a service, and what a driver asks for a database, at whatever port', () => {
    const none = 'sandglass: 1\nservices: {}\n'
    expect(calls(`fetch('http://search:9200/_search', { ${ending} })`, none)).toEqual(['search.request timeout 100 ms'])
    const query = "import { Client } from 'pg'\nconst c = new Client('postgres://orders:5432/x')\nc.query('')"
    expect(calls(query, none).map((call) => call.split(' ')[0])).toEqual(['orders.query'])
  })

  it('takes the operations that are called already where the path names none, and all where none is', () => {
    const code = `fetch('http://stock/items', { ${ending} })`
    expect(calls(code, chain, ['stock.deduct'])).toEqual(['stock.deduct timeout 100 ms'])
    expect(calls(code)).toEqual(['stock.deduct timeout 100 ms', 'stock.restore timeout 100 ms'])
  })

  it('takes the only database for that of a driver whose address is not written', () => {
    const query = "import { Client } from 'pg'\nconst c = new Client({ connectionString: process.env.DB, query_timeout: 50 })\nc.query('')"
    expect(calls(query)).toEqual(['orders-db.query timeout 50 ms'])
    expect(calls(query, 'sandglass: 1\nservices: {}\n')).toEqual(['postgres.query timeout 50 ms'])
    const two = chain.replace('sessions: { kind: cache', 'users-db: { kind: database')
    expect(calls(query, two)).toEqual(['postgres.query timeout 50 ms'])
  })

  it('makes a service of what no file describes, and does not guess a host that is computed', () => {
    expect(calls(`fetch('https://api.stripe.com/v1/charges', { ${ending} })`)).toEqual(['api-stripe-com.request timeout 100 ms'])
    expect(calls(`fetch(url, { ${ending} })`)).toEqual(['unknown timeout 100 ms'])
    expect(calls(`fetch(\`http://stock-\${region}/deduct\`, { ${ending} })`)).toEqual(['unknown timeout 100 ms'])
    expect(calls(`fetch('http://localhost:9090/x', { ${ending} })`)).toEqual(['localhost-9090.request timeout 100 ms'])
  })

  it('knows what of the web is a third party, and that a query builder asks a database', () => {
    const kinds = (text: string) => {
      const code = { service: 'checkout', operation: 'place', calls: scanTexts(text).calls, known: [], calledAlready: [] }
      const { services } = serviceOfCode(code, { file: 'sandglass.yaml', text: '' })
      return services.slice(1).map(({ name, part }) => `${name} ${part.fields.kind?.value}`)
    }
    expect(kinds(`fetch('https://api.github.com/x', { ${ending} })`)).toEqual(['api-github-com third-party'])
    expect(kinds(`fetch('https://prices.internal/x', { ${ending} })`)).toEqual(['prices-internal service'])
    expect(kinds("import { PrismaClient } from '@prisma/client'\nconst p = new PrismaClient()\np.user.findMany()")).toEqual([
      'database database',
    ])
  })

  it('makes one call of those that go to one place with the same limits', () => {
    const twice = `fetch('http://stock/deduct', { ${ending} }); fetch('http://stock/deduct/2', { ${ending} }); fetch('http://stock/deduct', { signal: AbortSignal.timeout(200) })`
    expect(calls(twice)).toEqual(['stock.deduct timeout 100 ms', 'stock.deduct timeout 200 ms'])
  })
})

it('names hosts of other scripts and IPv6 addresses so that no two become one', () => {
  const to = (host: string) => calls(`fetch('http://${host}/x', { ${ending} })`)[0]?.split(' ')[0]
  expect(['日本', '中国', 'bücher.example', '[::1]:80', '[1::]:80', '[::1]'].map(to)).toEqual([
    'xn--wgv71a.request',
    'xn--fiqs8s.request',
    'xn--bcher-kva-example.request',
    'ipv6-0-1-80.request',
    'ipv6-1-0-80.request',
    'ipv6-0-1.request',
  ])
})
