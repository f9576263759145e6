import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { importSources } from '../src/importers/import-sources.js'
import { linkChain } from '../src/model/link.js'
import { placeOf, type Source } from '../src/model/sourced.js'
import { checkChain } from '../src/report/check-chain.js'
import { allRules } from '../src/rules/all-rules.js'

const folder = fileURLToPath(new URL('golden/import-spring-cloud/shop', import.meta.url))

function textsBelow(path: string): readonly Source[] {
  return readdirSync(path).flatMap((name): readonly Source[] => {
    const whole = `${path}/${name}`
    return statSync(whole).isDirectory() ? textsBelow(whole) : [{ file: whole.slice(folder.length + 1), text: readFileSync(whole, 'utf8') }]
  })
}

describe('a shop of Spring Cloud, Dubbo, Sentinel and Nacos', () => {
  const imported = importSources(textsBelow(folder))
  const { chain, problems } = linkChain([imported.file])

  it('is one chain, with its calls between services whatever library makes them', () => {
    expect(problems).toEqual([])
    expect(chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`)).toEqual([
      'nginx.request -> gateway.order',
      'gateway.order -> order.request',
      'order.request -> payment.request',
      'order.request -> mysql.query',
      'order.request -> inventory.request',
      'order.request -> inventory.request',
      'payment.request -> api-bank-example-com.request',
      'inventory.request -> mysql.query',
    ])
    expect(chain.journeys.map(({ starts }) => starts.value)).toEqual(['nginx.request'])
  })

  it('has the limits of the active profile, and of the environment that a compose file sets', () => {
    const order = chain.calls.filter(({ from }) => from.id === 'order.request')
    const limits = order.map(({ silenceMs, attemptMs, attempts, queue }) => [
      silenceMs?.value,
      attemptMs?.value,
      attempts.value,
      queue?.totalMs?.value,
    ])
    expect(limits).toEqual([
      [5000, undefined, 1, undefined],
      [undefined, undefined, 1, 3000],
      [undefined, 2000, 2, undefined],
      [undefined, 5000, 1, undefined],
    ])
  })

  it('has the faults that were put into it, each at its place in what was exported', () => {
    const { report } = checkChain(chain, allRules, { sources: imported.sources })
    const found = report.diagnostics.map(({ rule, spot }) => {
      const { file, line } = placeOf(spot)
      return `${rule} ${file}:${line}`
    })
    expect(found).toEqual(
      expect.arrayContaining([
        'inverted sql/nacos.sql!/DEFAULT_GROUP/gateway-prod.yml:6',
        'inverted inventory/src/main/resources/application.yml:4',
        'missing-timeout payment/src/main/java/com/shop/payment/Bank.java:10',
        'retry-layers inventory/src/main/java/com/shop/inventory/InventoryServiceImpl.java:6',
        'dead-setting order/src/main/resources/flow.json:1',
        'dead-setting sql/nacos.sql!/SENTINEL_GROUP/order-degrade.json:1',
      ]),
    )
  })

  it('says what is not applied: another profile, and a default that somebody may replace', () => {
    expect(imported.notes.map(({ kind, text }) => `${kind}: ${text.slice(0, 60)}`)).toEqual([
      'unknown: spring.datasource.url: taken as jdbc:mysql://mysql:3306/stoc',
      'ignored: profile dev: the active profile is prod; 2 settings are not ',
      'unknown: spring.profiles.active: taken as prod, the default of $' + '{PROF',
      'dead: rules of Sentinel (1 in flow.json) has no effect: no spring.',
      'dead: count (5000 ms) has no effect: the call ends by its timeout ',
    ])
  })
})
