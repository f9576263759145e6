import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes the configs of `services` services into a folder, five files each: what Spring, Kubernetes, Istio and nginx have of a service, and
 * something that is no config; besides, a compose file and an HAProxy for each hundred. With 980 services about 4,900 files; more than 5,000 are not read.
 */
export function writeLargeFolder(/** @type {string} */ folder, services = 980) {
  let files = 0
  const write = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    files++
  }
  for (let i = 0; i < services; i++) {
    const [name, ...callees] = [i, i * 3 + 1, i * 7 + 2, i + 10].map((of) => `svc-${of % services}`)
    write(`services/${name}/src/main/resources/application.yml`, spring(String(name), callees))
    write(`deploy/${name}/workload.yaml`, workload(String(name), callees))
    write(`deploy/${name}/mesh.yaml`, mesh(String(name)))
    write(`edge/conf.d/${name}.conf`, location(String(name)))
    write(`services/${name}/fixtures/data.json`, JSON.stringify({ timeout: '30s', items: callees }))
  }
  write('edge/nginx.conf', 'events {}\nhttp {\n  proxy_connect_timeout 1s;\n  keepalive_timeout 65s;\n  include conf.d/*.conf;\n}\n')
  for (let i = 0; i < services / 100; i++) {
    write(`stacks/${i}/compose.yaml`, compose(i))
    write(`stacks/${i}/haproxy.cfg`, haproxy(i, services))
  }
  return files
}

function spring(/** @type {string} */ name, /** @type {readonly string[]} */ callees) {
  const clients = callees.map((callee, at) => `          ${callee}: { connectTimeout: ${500 + at}, readTimeout: ${2000 + at * 500} }`)
  return `spring:
  application: { name: ${name} }
  datasource:
    url: jdbc:mysql://db-${name}:3306/app?connectTimeout=1000&socketTimeout=3000
    hikari: { connection-timeout: 1000, maximum-pool-size: 20 }
  cloud:
    openfeign:
      client:
        config:
          default: { connectTimeout: 1000, readTimeout: 3000 }
${clients.join('\n')}
server: { port: 8080, tomcat: { threads: { max: 200 } } }
`
}

function workload(/** @type {string} */ name, /** @type {readonly string[]} */ callees) {
  const env = callees.map(
    (callee) => `            - { name: ${callee.toUpperCase().replace('-', '_')}_URL, value: "http://${callee}:8080" }`,
  )
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: ${name}
          image: registry.example/${name}:1.0.0
          ports: [{ containerPort: 8080 }]
          env:
${env.join('\n')}
          readinessProbe: { httpGet: { path: /ready, port: 8080 }, timeoutSeconds: 2, periodSeconds: 5 }
---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: ${name} }, ports: [{ port: 8080 }] }
`
}

function mesh(/** @type {string} */ name) {
  return `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: ${name}, namespace: shop }
spec:
  hosts: [${name}]
  http: [{ route: [{ destination: { host: ${name} } }], timeout: 3s, retries: { attempts: 1, perTryTimeout: 1s, retryOn: "5xx,reset" } }]
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: ${name}, namespace: shop }
spec: { host: ${name}, trafficPolicy: { connectionPool: { tcp: { connectTimeout: 500ms } } } }
`
}

function location(/** @type {string} */ name) {
  return `upstream ${name} { server ${name}:8080; keepalive 16; }
server {
  listen 80;
  server_name ${name}.example;
  location / { proxy_pass http://${name}; proxy_read_timeout 5s; }
  location /export { proxy_pass http://${name}; proxy_read_timeout 60s; }
}
`
}

function compose(/** @type {number} */ of) {
  const services = Array.from(
    { length: 10 },
    (_, at) =>
      `  job-${of}-${at}:\n    image: registry.example/job:1\n    environment: { NEXT_URL: "http://job-${of}-${(at + 1) % 10}:8080", TIMEOUT: "5" }`,
  )
  return `services:\n${services.join('\n')}\n`
}

function haproxy(/** @type {number} */ of, /** @type {number} */ services) {
  const backends = Array.from({ length: 20 }, (_, at) => {
    const name = `svc-${(of * 20 + at) % services}`
    return `backend ${name}\n  timeout server ${at + 1}s\n  server a ${name}:8080 maxconn 100\n`
  })
  const uses = Array.from({ length: 20 }, (_, at) => `  use_backend svc-${(of * 20 + at) % services} if { path_beg /${at} }`)
  return `defaults\n  mode http\n  timeout connect 1s\n  timeout client 30s\n  timeout server 30s\nfrontend web\n  bind :${9000 + of}\n${uses.join('\n')}\n${backends.join('')}`
}
