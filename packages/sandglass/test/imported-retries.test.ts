import { describe, expect, it } from 'vitest'
import { found } from './import-then-check.fixture.js'

const nginx = (written: string) => ({
  'nginx.conf': `upstream stock { server a; server b; server c; } server { location / { ${written} proxy_pass http://stock; } }`,
})
const haproxy = (written: string) => ({
  'haproxy.cfg': `defaults\n  timeout connect 1s\n  timeout server 5s\n${written}listen web\n  bind :80\n  server a app:80\n`,
})
const dubbo = (written: string) => ({
  'cart/src/main/resources/spring/consumer.xml': `<beans xmlns:dubbo="http://dubbo.apache.org/schema/dubbo">\n<dubbo:application name="cart"/><dubbo:reference id="stock" interface="com.shop.StockService" ${written}/>\n</beans>\n`,
})

describe.each(['retry-no-breaker', 'retry-no-jitter'])('%s', (rule) => {
  it.each<[string, (written: string) => Readonly<Record<string, string>>, string]>([
    ['nginx', nginx, 'proxy_next_upstream error timeout non_idempotent; proxy_next_upstream_tries 2;'],
    ['HAProxy', haproxy, '  retries 4\n  retry-on all-retryable-errors\n'],
    ['Dubbo', dubbo, 'retries="4"'],
  ])('is silent about the tries that %s makes by itself, and speaks of those that somebody wrote', (_, config, written) => {
    expect(found(config(''), rule)).toEqual([])
    expect(found(config(written), rule)).toHaveLength(1)
  })
})
