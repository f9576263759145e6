import type { Bait } from './bait-lines.js'

/** Bait in configs of proxies and gateways. */
export const proxyBait: readonly Bait[] = [
  {
    title: 'nginx: sessions, caches, logs, comments, headers, Lua, words in maps',
    files: {
      'nginx.conf': `
~# proxy_read_timeout 1s;
~error_log /var/log/nginx/error.log warn; # keep for 7d
events {}
http {
~  log_format timed '$remote_addr "$request" timeout=5s rt=$request_time { proxy_read_timeout 2s; }';
~  access_log /var/log/nginx/access.log timed buffer=32k flush=5s;
~  ssl_session_cache shared:tls:10m;
~  ssl_session_tickets off;
~  proxy_cache_path /var/cache/nginx keys_zone=pages:10m inactive=60m max_size=1g;
~  open_file_cache max=1000 inactive=20s;
~  open_file_cache_valid 30s;
~  map $http_x_timeout $chosen { default 5s; "~^proxy_read_timeout" 1s; }
~  limit_req_zone $binary_remote_addr zone=one:10m rate=30r/m;
~  geo $fast { default 0; 10.0.0.0/8 1; }
  upstream orders { server orders:8080; }
  server {
    listen 80;
~    expires 30d;
~    etag on;
    location /orders {
      proxy_connect_timeout 1s;
      proxy_read_timeout 3s;
~      # proxy_read_timeout 90s;
~      proxy_cache pages;
~      proxy_cache_valid 200 10m;
~      proxy_cache_use_stale error timeout updating;
~      add_header X-Timeout "proxy_read_timeout 5s;";
~      proxy_set_header X-Request-Timeout 5s;
~      proxy_cookie_path / "/; Max-Age=3600";
~      limit_req zone=one burst=5 delay=3;
~      header_filter_by_lua_block { ngx.header["x"] = "{"; local sock_timeout = 1000 -- proxy_read_timeout 1s;
~      }
      proxy_pass http://orders;
    }
~    location /static { root /srv; expires 1h; }
~    location = /health { return 200 "proxy_read_timeout 1s;"; }
  }
}
`,
    },
  },
  {
    title: 'HAProxy: checks, resolvers, mailers, stick tables, statistics, cookies, caches',
    files: {
      'haproxy.cfg': `
global
~  stats timeout 30s
~  hard-stop-after 60s
~  tune.ssl.lifetime 300
~  log 127.0.0.1 local0 info
~resolvers dns
~  nameserver a 10.0.0.2:53
~  timeout resolve 1s
~  timeout retry 2s
~  hold valid 10s
~mailers alerts
~  timeout mail 20s
~  mailer a 10.0.0.3:25
~peers fleet
~  peer a 10.0.0.4:1024
~cache pages
~  total-max-size 4
~  max-age 60
~userlist people
~  user anna insecure-password secret
defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server 3s
~  # timeout server 90s
~  option httplog
~  errorfile 503 /etc/haproxy/timeout-9s.http
frontend web
  bind :80
~  stick-table type ip size 1m expire 30m store http_req_rate(10s)
~  http-request track-sc0 src
~  http-request deny if { sc_http_req_rate(0) gt 100 }
  default_backend app
backend app
~  option httpchk GET /healthz
~  http-check expect status 200
~  cookie SRV insert indirect nocache maxidle 30m maxlife 8h
~  email-alert mailers alerts
  server a app:8080
~listen stats
~  bind :8404
~  stats enable
~  stats refresh 10s
`,
    },
  },
  {
    title: 'Envoy: health checks, tracing, access logs, name lookups, filters with timeouts of their own, statistics',
    files: {
      'envoy.yaml': `
~admin: { address: { socket_address: { address: 127.0.0.1, port_value: 9901 } } }
~stats_flush_interval: 10s
~overload_manager: { refresh_interval: 0.25s }
~watchdogs: { main_thread_watchdog: { miss_timeout: 0.2s, megamiss_timeout: 1s, kill_timeout: 60s } }
static_resources:
  listeners:
    - name: web
      address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                stat_prefix: web
                stream_idle_timeout: 10s
~                access_log_options: { access_log_flush_interval: 1s }
~                tracing: { provider: { name: zipkin, typed_config: { collector_cluster: zipkin, timeout: 1s } } }
                route_config:
                  virtual_hosts:
                    - name: all
                      domains: ["*"]
                      routes:
                        - match: { prefix: "/" }
                          route: { cluster: app, timeout: 3s }
~                          response_headers_to_add: [{ header: { key: x-timeout, value: "9s" } }]
~                          metadata: { filter_metadata: { notes: { timeout: 90s, retries: 9 } } }
                http_filters:
~                  - { name: envoy.filters.http.ext_authz, typed_config: { grpc_service: { timeout: 0.2s } } }
~                  - { name: envoy.filters.http.ratelimit, typed_config: { timeout: 0.02s, domain: a } }
~                  - { name: envoy.filters.http.cache, typed_config: { max_age: 60s } }
                  - { name: envoy.filters.http.router }
  clusters:
    - name: app
      connect_timeout: 0.25s
~      dns_refresh_rate: 5s
~      health_checks: [{ timeout: 1s, interval: 5s, unhealthy_threshold: 3, healthy_threshold: 2 }]
~      common_lb_config: { update_merge_window: 1s }
~      slow_start_config: { slow_start_window: 60s }
      load_assignment: { cluster_name: app, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: app, port_value: 80 } } } }] }] }
`,
    },
  },
  {
    title: 'Istio: token fetches, telemetry, certificates, comments',
    files: {
      'mesh.yaml': `
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata:
  name: app
~  annotations: { timeout: 90s, retries: "9", proxy.istio.io/config: "{ terminationDrainDuration: 30s }" }
~  labels: { timeout: "9" }
spec:
  hosts: [app]
  http:
    - route: [{ destination: { host: app } }]
      timeout: 2s
~      # timeout: 90s
~      headers: { request: { set: { x-timeout: 9s } } }
~      corsPolicy: { maxAge: 24h, allowOrigins: [{ exact: "*" }] }
      retries: { attempts: 1, perTryTimeout: 0.9s, retryOn: connect-failure }
~---
~apiVersion: security.istio.io/v1
~kind: RequestAuthentication
~metadata: { name: jwt }
~spec: { jwtRules: [{ issuer: a, jwksUri: "https://a/keys", timeout: 5s }] }
~---
~apiVersion: telemetry.istio.io/v1
~kind: Telemetry
~metadata: { name: all }
~spec: { metrics: [{ reportingInterval: 5s }], tracing: [{ randomSamplingPercentage: 1 }] }
~---
~apiVersion: cert-manager.io/v1
~kind: Certificate
~metadata: { name: app }
~spec: { duration: 2160h, renewBefore: 360h }
`,
    },
  },
  {
    title: 'Kong: plugins with timeouts to log servers, tracers and caches, health checks, tokens',
    files: {
      'kong.yml': `
_format_version: "3.0"
services:
  - name: app
    url: http://app-pool/v1
    connect_timeout: 500
    write_timeout: 1000
    read_timeout: 3000
    retries: 1
~    tags: [timeout, read_timeout-90]
    routes: [{ name: app, paths: [/app] }]
~    plugins:
~      - { name: rate-limiting, config: { minute: 60, policy: redis, redis: { host: cache, timeout: 2000, read_timeout: 2000 } } }
~      - { name: proxy-cache, config: { cache_ttl: 300, strategy: memory } }
~      - { name: zipkin, config: { http_endpoint: "http://zipkin:9411", connect_timeout: 2000, read_timeout: 5000, send_timeout: 5000 } }
~      - { name: http-log, config: { http_endpoint: "http://logs", timeout: 10000, keepalive: 60000, retry_count: 10 } }
~      - { name: session, config: { cookie_lifetime: 3600 } }
~      - { name: oauth2, config: { token_expiration: 7200 } }
upstreams:
  - name: app-pool
~    healthchecks: { active: { timeout: 1, http_path: /health, healthy: { interval: 5 } }, passive: { unhealthy: { timeouts: 3 } } }
    targets: [{ target: "app:8080" }]
~plugins: [{ name: file-log, config: { path: /logs/90s.log } }, { name: acme, config: { renew_threshold_days: 14 } }]
~consumers: [{ username: timeout, jwt_secrets: [{ key: read_timeout }] }]
`,
    },
  },
  {
    title: 'APISIX: checks, loggers, counters, breakers of answers, caches',
    files: {
      'apisix.yaml': `
routes:
  - id: 1
    uri: /app/*
    timeout: { connect: 0.5, send: 1, read: 3 }
~    desc: "timeout: 90, retries: 9"
~    labels: { timeout: "90" }
~    plugins:
~      http-logger: { uri: "http://logs", timeout: 3, max_retry_count: 9, buffer_duration: 60 }
~      zipkin: { endpoint: "http://zipkin:9411", sample_ratio: 1 }
~      limit-count: { count: 2, time_window: 60, redis_timeout: 1000 }
~      proxy-cache: { cache_ttl: 300 }
~      jwt-auth: { exp: 86400 }
    upstream:
      nodes: { "app:8080": 1 }
~      checks: { active: { timeout: 5, http_path: /status, healthy: { interval: 2, successes: 1 } } }
#END
`,
    },
  },
  {
    title: 'Traefik: checks, cookies, tracing, metrics, shut-down, providers',
    files: {
      'traefik.yml': `
~log: { level: INFO, maxAge: 30, maxBackups: 3 }
~accessLog: { bufferingSize: 100 }
~ping: {}
~metrics: { datadog: { pushInterval: 10s } }
~tracing: { otlp: { http: { endpoint: "http://otel:4318" } } }
~certificatesResolvers: { a: { acme: { email: a@b.example, certificatesDuration: 2160 } } }
providers:
  file: { filename: dynamic.yml }
~  providersThrottleDuration: 2s
entryPoints:
  web:
    address: ":80"
~    transport: { lifeCycle: { requestAcceptGraceTimeout: 42s, graceTimeOut: 9s } }
`,
      'dynamic.yml': `
http:
  routers:
    app: { rule: "PathPrefix(\`/app\`)", service: app }
  services:
    app:
      loadBalancer:
        servers: [{ url: "http://app:8080" }]
        serversTransport: quick
~        healthCheck: { path: /health, interval: 10s, timeout: 3s }
~        sticky: { cookie: { maxAge: 3600 } }
  serversTransports:
    quick: { forwardingTimeouts: { dialTimeout: 1s, responseHeaderTimeout: 3s } }
~  middlewares:
~    limited: { rateLimit: { average: 100, period: 1m } }
~    headers: { headers: { accessControlMaxAge: 100, customRequestHeaders: { X-Timeout: 90s } } }
`,
    },
  },
]
