import type { Bait } from './bait-lines.js'

/** Bait in configs of applications and of what runs them. */
export const serviceBait: readonly Bait[] = [
  {
    title: 'docker-compose: health checks, log rotation, stopping, updates, variables that are no limits of a request',
    files: {
      'compose.yaml': `
services:
  app:
    image: shop/app:1
    environment:
      DB_URL: postgres://db:5432/shop
~      SESSION_LIFETIME: "3600"
~      CACHE_TTL: 300s
~      LOG_RETENTION: 7d
~      # HTTP_TIMEOUT: 90s
~    healthcheck: { test: [CMD, true], interval: 30s, timeout: 5s, retries: 3, start_period: 1m30s }
~    logging: { driver: json-file, options: { max-size: 10m, max-file: "3" } }
~    stop_grace_period: 20s
~    labels: { timeout: 90s, "com.example.read_timeout": "9" }
~    deploy: { update_config: { delay: 10s, monitor: 60s }, restart_policy: { window: 120s, max_attempts: 3 } }
  db:
    image: postgres:15
    command: postgres -c max_connections=100 -c statement_timeout=5s
~    healthcheck: { test: [CMD, pg_isready, --timeout=9], timeout: 3s }
`,
    },
  },
  {
    title: 'Kubernetes: jobs, grace, affinity, autoscaling, annotations, settings of others',
    files: {
      'app.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
~  annotations: { prometheus.io/scrape_timeout: 9s, timeout: 90s }
spec:
  replicas: 2
~  progressDeadlineSeconds: 600
~  minReadySeconds: 30
  selector: { matchLabels: { app: app } }
  template:
    metadata: { labels: { app: app } }
    spec:
~      terminationGracePeriodSeconds: 45
      containers:
        - name: app
          image: shop/app:1
          env:
            - { name: STOCK_URL, value: "http://stock:8080" }
~            - { name: SESSION_TTL, value: "3600" }
~          lifecycle: { preStop: { exec: { command: [sleep, "15"] } } }
~          startupProbe: { httpGet: { path: /, port: 80 }, timeoutSeconds: 9, periodSeconds: 90, failureThreshold: 30 }
---
apiVersion: v1
kind: Service
metadata: { name: app }
spec:
  selector: { app: app }
~  sessionAffinity: ClientIP
~  sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } }
  ports: [{ port: 80 }]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: app
  annotations:
    nginx.ingress.kubernetes.io/proxy-read-timeout: "5"
~    nginx.ingress.kubernetes.io/session-cookie-max-age: "172800"
~    nginx.ingress.kubernetes.io/cors-max-age: "600"
~    nginx.ingress.kubernetes.io/auth-cache-duration: 200 202 30m
~    nginx.ingress.kubernetes.io/limit-rpm: "300"
~    cert-manager.io/duration: 2160h
~    example.com/proxy-read-timeout: "90"
spec:
  ingressClassName: nginx
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: app, port: { number: 80 } } } }] } }]
~---
~apiVersion: batch/v1
~kind: CronJob
~metadata: { name: clean }
~spec: { schedule: "0 * * * *", startingDeadlineSeconds: 9, jobTemplate: { spec: { activeDeadlineSeconds: 90, ttlSecondsAfterFinished: 60, backoffLimit: 4, template: { spec: { containers: [{ name: a, image: b }] } } } } }
~---
~apiVersion: autoscaling/v2
~kind: HorizontalPodAutoscaler
~metadata: { name: app }
~spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 300 } } }
~---
~apiVersion: v1
~kind: ConfigMap
~metadata: { name: words }
~data: { timeout: "90", proxy-read-timeout: "7", read_timeout: 9s }
`,
    },
  },
  {
    title: 'Spring: sessions, caches, logs, metrics, tracers, schedules, registries, tokens',
    files: {
      'app/src/main/resources/application.yml': `
spring:
  application: { name: app }
~  session: { timeout: 30m }
~  cache: { redis: { time-to-live: 600s } }
~  lifecycle: { timeout-per-shutdown-phase: 30s }
~  zipkin: { base-url: "http://zipkin:9411", message-timeout: 1, connect-timeout: 1s, read-timeout: 10s }
~  sleuth: { sampler: { probability: 0.1 } }
~  quartz: { properties: { org.quartz.threadPool.threadCount: 9, org.quartz.jobStore.misfireThreshold: 60000 } }
~  task: { scheduling: { shutdown: { await-termination-period: 30s } } }
~  devtools: { restart: { poll-interval: 1s, quiet-period: 400ms } }
  datasource:
    url: jdbc:postgresql://db:5432/app?connectTimeout=1&socketTimeout=5
    hikari: { connection-timeout: 1000, maximum-pool-size: 10 }
  cloud:
    openfeign: { client: { config: { stock: { connectTimeout: 500, readTimeout: 1000 } } } }
~    consul: { discovery: { health-check-timeout: 9s, health-check-interval: 10s, query-passing: true } }
~    nacos: { discovery: { heart-beat-interval: 5000, heart-beat-timeout: 15000, ip-delete-timeout: 30000 } }
~    loadbalancer: { cache: { ttl: 35s }, health-check: { interval: 25s } }
~eureka: { instance: { lease-renewal-interval-in-seconds: 5, lease-expiration-duration-in-seconds: 15 }, client: { registry-fetch-interval-seconds: 5 } }
server:
  port: 8080
~  servlet: { session: { timeout: 30m, cookie: { max-age: 3600 } } }
~  shutdown: graceful
~management: { endpoint: { health: { cache: { time-to-live: 10s } } }, metrics: { export: { influx: { step: 30s, connect-timeout: 1s, read-timeout: 90s } } } }
~logging: { file: { max-history: 30 }, logback: { rollingpolicy: { max-file-size: 10MB, total-size-cap: 1GB } } }
~jwt: { expiration: 86400, timeout: 90s }
~app: { timeout: 9s, notes: "feign.client.config.stock.readTimeout: 90" }
~# feign.client.config.stock.readTimeout: 90000
`,
      'cart/src/main/resources/application.properties': `
spring.application.name=cart
feign.client.config.pay.connectTimeout=500
feign.client.config.pay.readTimeout=1500
~# feign.client.config.pay.readTimeout=90000
~! ribbon.ReadTimeout=90000
~server.servlet.session.timeout=30m
~spring.cache.caffeine.spec=maximumSize=500,expireAfterAccess=600s
~management.metrics.export.prometheus.step=1m
~management.tracing.sampling.probability=1.0
~logging.logback.rollingpolicy.max-history=7
~security.oauth2.token.timeout=3600
~xxl.job.executor.logretentiondays=30
`,
    },
  },
  {
    title: 'gRPC service config: health, throttling, sizes',
    files: {
      'service_config.json': `
{
~  "healthCheckConfig": { "serviceName": "timeout" },
~  "loadBalancingConfig": [{ "outlier_detection": { "interval": "10s", "baseEjectionTime": "30s", "maxEjectionTime": "300s" } }],
  "methodConfig": [
    { "name": [{ "service": "shop.Cart" }],
~      "maxRequestMessageBytes": 30000, "x-timeout": "90s",
      "timeout": "1s" }
  ]
}
`,
    },
  },
  {
    title: 'Sentinel: rules about who may ask, the load of a machine, parameters; resources that are pages; heartbeats of the dashboard',
    files: {
      'shop/src/main/resources/application.yml': `
spring:
  application: { name: shop }
  cloud:
    sentinel:
~      transport: { dashboard: "sentinel:8858", port: 8719, heartbeat-interval-ms: 9000 }
~      log: { dir: /var/log, switch-pid: true }
~      metric: { file-single-size: 9, file-total-count: 9 }
~      filter: { order: 9 }
      datasource:
        ds1: { file: { file: "classpath: rules.json", rule-type: degrade } }
~        ds2: { file: { file: "classpath: system.json", rule-type: system } }
~        ds3: { file: { file: "classpath: authority.json", rule-type: authority } }
~        ds4: { file: { file: "classpath: params.json", rule-type: param-flow } }
~      # datasource.ds5.file: { file: "classpath: rules.json", rule-type: flow }
feign:
  sentinel.enabled: true
  client.config.stock: { connectTimeout: 500, readTimeout: 3000 }
`,
      'shop/src/main/resources/rules.json': `
[
  { "resource": "GET:http://stock/deduct", "grade": 0, "count": 800, "timeWindow": 10 }
~  ,{ "resource": "GET:http://other/list", "grade": 0, "count": 900, "timeWindow": 90 }
]
`,
      'shop/src/main/resources/system.json': `
~[{ "resource": "GET:http://stock/deduct", "highestSystemLoad": 9, "avgRt": 90, "maxThread": 9, "qps": 900, "count": 9 }]
`,
      'shop/src/main/resources/authority.json': `
~[{ "resource": "GET:http://stock/deduct", "limitApp": "cart,pay", "strategy": 0, "count": 9 }]
`,
      'shop/src/main/resources/params.json': `
~[{ "resource": "GET:http://stock/deduct", "paramIdx": 0, "count": 9, "durationInSec": 90, "maxQueueingTimeMs": 9000 }]
`,
    },
  },
  {
    title: 'Nacos: where it is asked, how it watches, data IDs that nobody imports',
    files: {
      'shop/src/main/resources/application.yml': `
spring:
  application: { name: shop }
  cloud:
    nacos:
~      discovery: { server-addr: "nacos:8848", heart-beat-interval: 5000, heart-beat-timeout: 15000, watch-delay: 30000 }
      config:
        server-addr: nacos:8848
        file-extension: yaml
~        timeout: 9000
~        config-long-poll-timeout: 46000
~        config-retry-time: 2000
~        max-retry: 9
~        refresh-enabled: true
`,
      'nacos/DEFAULT_GROUP/shop.yaml': `
spring.cloud.openfeign.client.config.stock: { connectTimeout: 500, readTimeout: 1000 }
~# spring.cloud.openfeign.client.config.stock.readTimeout: 90000
~session: { timeout: 90s }
`,
      'nacos/DEFAULT_GROUP/notes.txt': `
~feign.client.config.stock.readTimeout=90000
`,
    },
  },
  {
    title: 'Dubbo: registries, reports, shut-down, consoles',
    files: {
      'shop/src/main/resources/application.yml': `
spring: { application: { name: shop } }
dubbo:
  application:
    name: shop
~    qos-port: 22222
~    shutwait: 10000
~  registry: { address: "zookeeper://zk:2181", timeout: 5000, session: 60000 }
~  config-center: { address: "zookeeper://zk:2181", timeout: 9000 }
~  metadata-report: { address: "zookeeper://zk:2181", timeout: 9000, retry-times: 9, retry-period: 3000 }
~  monitor: { protocol: registry, interval: 9000 }
~  metrics: { collect-interval: 90000 }
  consumer: { timeout: 1000, retries: 0 }
  reference: { com.shop.StockService: { timeout: 500 } }
~  # provider: { timeout: 90000 }
`,
    },
  },
]
