import { describe, expect, it } from 'vitest'
import { found } from './import-then-check.fixture.js'

describe('settings without effect in a whole folder', () => {
  it('says that a unit was dropped', () => {
    const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, annotations: { nginx.ingress.kubernetes.io/proxy-read-timeout: "120s" } }
spec:
  ingressClassName: nginx
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }] } }]
`
    expect(found({ 'web.yaml': ingress }, 'dead-setting')).toEqual([
      'warning web.yaml:3 nginx.ingress.kubernetes.io/proxy-read-timeout (120s) has no effect: "120s" is not a whole number of seconds; in effect: 60 s, the default of ingress-nginx',
    ])
    expect(found({ 'web.yaml': ingress.replace('120s', '120') }, 'dead-setting')).toEqual([])
  })

  describe('says that a route is shadowed', () => {
    const istio = (first: string, second: string) => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: shop }
spec:
  hosts: [shop]
  http:
    - ${first}
      route: [{ destination: { host: shop } }]
      timeout: 10s
    - ${second}
      route: [{ destination: { host: shop } }]
      timeout: 2s
`
    it('of Istio', () => {
      const match = (prefix: string) => `match: [{ uri: { prefix: ${prefix} } }]`
      expect(found({ 'vs.yaml': istio(match('/'), match('/api')) }, 'dead-setting')).toEqual([
        'warning vs.yaml:10 http[1] ([{ uri: { prefix: /api } }]) has no effect: entry 1 above takes every request it could; in effect: the timeout and retries of entry 1',
      ])
      expect(found({ 'vs.yaml': istio(match('/api'), match('/')) }, 'dead-setting')).toEqual([])
    })

    const envoy = (routes: string) => `static_resources:
  listeners:
    - address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                route_config:
                  virtual_hosts:
                    - name: all
                      domains: ["*"]
                      routes: [${routes}]
  clusters: [{ name: a, connect_timeout: 0.5s }]
`
    it('of Envoy', () => {
      const route = (prefix: string, more = '') => `{ match: { prefix: ${prefix}${more} }, route: { cluster: a, timeout: 1s } }`
      expect(found({ 'envoy.yaml': envoy(`${route('/')}, ${route('/api')}`) }, 'dead-setting')).toEqual([
        'warning envoy.yaml:12 match (/api) has no effect: the route for / above takes every request it could; in effect: the route for /',
      ])
      expect(found({ 'envoy.yaml': envoy(`${route('/api')}, ${route('/')}`) }, 'dead-setting')).toEqual([])
      expect(found({ 'envoy.yaml': envoy(`${route('/', ', headers: [{ name: x }]')}, ${route('/api')}`) }, 'dead-setting')).toEqual([])
    })

    it('of Spring Cloud Gateway', () => {
      const gateway = (first: string, second: string, order = '') =>
        `spring:\n  application.name: gw\n  cloud.gateway:\n    httpclient.response-timeout: 5s\n    routes:\n      - { id: one, uri: "http://a", predicates: ["Path=${first}"] }\n      - { id: two, uri: "http://b", predicates: ["Path=${second}"]${order} }\n`
      expect(found({ 'application.yml': gateway('/**', '/api/**') }, 'dead-setting')).toEqual([
        'warning application.yml:7 route two (Path=/api/**) has no effect: route one comes first and takes every request it could; in effect: the limits and filters of route one',
      ])
      expect(found({ 'application.yml': gateway('/api/**', '/**') }, 'dead-setting')).toEqual([])
      expect(found({ 'application.yml': gateway('/**', '/api/**', ', order: -1') }, 'dead-setting')).toEqual([])
    })

    it('of HAProxy', () => {
      const cfg = (uses: string) =>
        `defaults\n  mode http\n  timeout connect 1s\n  timeout client 5s\n  timeout server 5s\nfrontend f\n  bind :80\n${uses}backend a\n  server s a:80\nbackend b\n  server s b:80\n`
      expect(found({ 'haproxy.cfg': cfg('  use_backend a\n  use_backend b if { path_beg /b }\n') }, 'dead-setting')).toEqual([
        'warning haproxy.cfg:9 use_backend (b) has no effect: use_backend a above takes every request it could; in effect: backend a',
      ])
      expect(found({ 'haproxy.cfg': cfg('  default_backend a\n  use_backend b if { path_beg /b }\n') }, 'dead-setting')).toEqual([])
    })
  })

  const spring = (yaml: string, build: string) => ({ 'shop/pom.xml': build, 'shop/src/main/resources/application.yml': yaml })
  const pom = (cloud: string, boot = '3.2.1') =>
    `<project><parent><artifactId>spring-boot-starter-parent</artifactId><version>${boot}</version></parent><properties><spring-cloud.version>${cloud}</spring-cloud.version></properties></project>`

  it('says that a prefix is not that of the version', () => {
    const feign = 'feign.client.config.stock: { connectTimeout: 500, readTimeout: 2000 }\nspring.application.name: shop\n'
    expect(found(spring(feign, pom('2023.0.1')), 'dead-setting')).toHaveLength(2)
    expect(found(spring(feign, pom('2021.0.8', '2.7.0')), 'dead-setting')).toEqual([])
    const redis = (prefix: string) => `spring:\n  application.name: shop\n  ${prefix}: { host: cache, timeout: 2s }\n`
    expect(found(spring(redis('redis'), pom('2023.0.1')), 'dead-setting')).toEqual([
      'warning shop/src/main/resources/application.yml:3 spring.redis.host (cache) has no effect: Spring Boot 3.2.1 does not read this prefix, but spring.data.redis; in effect: the default',
      'warning shop/src/main/resources/application.yml:3 spring.redis.timeout (2s) has no effect: Spring Boot 3.2.1 does not read this prefix, but spring.data.redis; in effect: the default',
    ])
    expect(found(spring(redis('data.redis'), pom('2023.0.1')), 'dead-setting')).toEqual([])
    expect(found(spring(redis('redis'), pom('2021.0.8', '2.7.0')), 'dead-setting')).toEqual([])
  })

  it('says that a key is superseded: by another one, or by a version without the product', () => {
    const both =
      'feign.client.config.stock: { connectTimeout: 500, readTimeout: 2000 }\nstock.ribbon: { ReadTimeout: 9000, MaxAutoRetries: 1 }\nspring.application.name: shop\n'
    expect(found(spring(both, pom('Greenwich.SR6', '2.1.0')), 'dead-setting')).toEqual([
      "warning shop/src/main/resources/application.yml:2 stock.ribbon.ReadTimeout (9000) has no effect: Feign's own readTimeout of this client holds; in effect: readTimeout",
    ])
    const gone = 'spring.application.name: shop\nhystrix.command.default.execution.isolation.thread.timeoutInMilliseconds: 5000\n'
    expect(found(spring(gone, pom('2021.0.8', '2.7.0')), 'dead-setting')).toEqual([
      'warning shop/src/main/resources/application.yml:2 hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds (5000) has no effect: Spring Cloud with openfeign 3.1 has no Hystrix; in effect: no limit around the tries',
    ])
    expect(found(spring(gone, pom('Greenwich.SR6', '2.1.0')), 'dead-setting')).toEqual([])
  })

  it('says that an option stands a level too deep', () => {
    const probe = (inner: string, outer: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web, readinessProbe: { httpGet: { path: /ready, port: 80${inner} }${outer} } }] } } }
`
    expect(found({ 'web.yaml': probe(', timeoutSeconds: 5', '') }, 'dead-setting')).toEqual([
      'warning web.yaml:4 readinessProbe.httpGet.timeoutSeconds (5) has no effect: Kubernetes looks for timeoutSeconds one level up, beside httpGet; in effect: the value there, or the default',
    ])
    expect(found({ 'web.yaml': probe('', ', timeoutSeconds: 5') }, 'dead-setting')).toEqual([])
    const live = probe('', ', timeoutSeconds: 5 }, livenessProbe: { tcpSocket: { port: 80, periodSeconds: 3 }')
    expect(found({ 'web.yaml': live }, 'dead-setting')[0]).toContain('livenessProbe.tcpSocket.periodSeconds (3) has no effect')
    const istio = (inner: string, outer: string) => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: shop }
spec: { hosts: [shop], http: [{ route: [{ destination: { host: shop }${inner} }]${outer} }] }
`
    expect(found({ 'vs.yaml': istio(', timeout: 2s', '') }, 'dead-setting')).toEqual([
      'warning vs.yaml:4 timeout (2s) has no effect: Istio looks for timeout of the entry, beside route; in effect: the value there, or the default',
    ])
    expect(found({ 'vs.yaml': istio('', ', perTryTimeout: 2s') }, 'dead-setting')).toEqual([
      'warning vs.yaml:4 perTryTimeout (2s) has no effect: Istio looks for retries.perTryTimeout; in effect: the value there, or the default',
    ])
    expect(found({ 'vs.yaml': istio('', ', timeout: 2s') }, 'dead-setting')).toEqual([])
    const hystrix =
      'zuul.routes.a.service-id: a\nhystrix.command.default.execution.timeout.isolation.thread.timeoutInMilliseconds: 9000\nspring.application.name: gw\n'
    expect(found(spring(hystrix, pom('Greenwich.SR6', '2.1.0')), 'dead-setting')).toHaveLength(1)
  })

  it('says that a retry condition does not cover timeouts', () => {
    const retries = (on: string) => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: report }
spec: { hosts: [report], http: [{ retries: { attempts: 3, perTryTimeout: 2s, retryOn: "${on}" }, route: [{ destination: { host: report } }] }] }
`
    expect(found({ 'vs.yaml': retries('503') }, 'dead-setting')).toEqual([
      'warning vs.yaml:4 attempts (4) has no effect: a try that is too slow is repeated only under 5xx, gateway-error or reset, not under "503"; in effect: perTryTimeout acts as the request timeout: a slow answer fails after 2 s, with 0 retries',
    ])
    expect(found({ 'vs.yaml': retries('5xx') }, 'dead-setting')).toEqual([])
  })
})
