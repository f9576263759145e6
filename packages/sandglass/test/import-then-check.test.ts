import { describe, expect, it } from 'vitest'
import { found } from './import-then-check.fixture.js'

const postgres = (flags = '') => `  db:
    image: postgres:16
    command: postgres${flags}
`

describe('pools of a whole folder', () => {
  const compose = (more: string, flags?: string) => `services:
  api:
    build: ./api
    deploy: { replicas: 3 }
    command: gunicorn -w 4 app:app
    environment:
      DATABASE_URL: postgres://shop:secret@db:5432/shop
${more}${postgres(flags)}`

  it('multiplies the pool of SQLAlchemy by the workers of gunicorn and the replicas of compose', () => {
    const files = {
      'compose.yaml': compose('      SQLALCHEMY_POOL_SIZE: "10"\n      SQLALCHEMY_MAX_OVERFLOW: "5"\n', ' -c max_connections=100'),
    }
    expect(found(files, 'pool-oversized')).toEqual([
      'error compose.yaml:8 api 3 instances x (10 + 5) x 4 processes = 180 > 97 (max_connections 100 - superuser_reserved_connections 3)',
    ])
  })

  it('is silent where the same fits', () => {
    const files = {
      'compose.yaml': compose('      SQLALCHEMY_POOL_SIZE: "5"\n      SQLALCHEMY_MAX_OVERFLOW: "2"\n', ' -c max_connections=100'),
    }
    expect(found(files, 'pool-oversized')).toEqual([])
  })

  it('knows the workers of a gunicorn.conf.py beside the code, and the overflow nobody wrote', () => {
    const files = {
      'compose.yaml': compose('      SQLALCHEMY_POOL_SIZE: 5\n', ' -c max_connections=200').replace(' -w 4', ''),
      'api/gunicorn.conf.py': 'workers = 6\n',
    }
    expect(found(files, 'pool-oversized')).toEqual([
      'error compose.yaml:8 api 3 instances x (5 + 10 max_overflow by default) x 6 processes = 270 > 197 (max_connections 200 - superuser_reserved_connections 3)',
    ])
  })

  it('says nothing where the number of workers is worked out at run time', () => {
    const files = {
      'compose.yaml': compose('      SQLALCHEMY_POOL_SIZE: 50\n').replace(' -w 4', ''),
      'api/gunicorn.conf.py': 'import multiprocessing\nworkers = multiprocessing.cpu_count() * 2 + 1\n',
    }
    expect(found(files, 'pool-oversized')).toEqual([])
  })

  it('multiplies the pool of Hikari by the replicas of Kubernetes, and warns where it is the default', () => {
    const deployment = (replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: ${replicas}
  template: { metadata: { labels: { app: shop } }, spec: { containers: [{ name: shop, image: shop }] } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "postgres:15", args: ["-c", "max_connections=150"], ports: [{ containerPort: 5432 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: db }
spec: { selector: { app: db }, ports: [{ port: 5432 }] }
`
    const spring = (hikari: string) =>
      `spring:\n  application.name: shop\n  datasource:\n    url: jdbc:postgresql://db:5432/shop\n${hikari}`
    const files = (replicas: number, hikari: string) => ({
      'k8s/all.yaml': deployment(replicas),
      'shop/src/main/resources/application.yml': spring(hikari),
    })
    expect(found(files(8, '    hikari: { maximum-pool-size: 20 }\n'), 'pool-oversized')).toEqual([
      'error shop/src/main/resources/application.yml:5 shop 8 instances x 20 = 160 > 147 (max_connections 150 - superuser_reserved_connections 3)',
    ])
    expect(found(files(15, ''), 'pool-oversized')).toEqual([
      'warning shop/src/main/resources/application.yml:4 shop 15 instances x 10 = 150 > 147 (max_connections 150 - superuser_reserved_connections 3)',
    ])
    expect(found(files(14, ''), 'pool-oversized')).toEqual([])
  })

  it('counts a connection for each child of php-fpm', () => {
    const files = (children: number) => ({
      'compose.yaml': `services:
  php:
    image: php:8.2-fpm
    volumes: ["./www.conf:/usr/local/etc/php-fpm.d/www.conf"]
    environment: { DB_HOST: mysql }
    deploy: { replicas: 3 }
  mysql: { image: "mysql:8.0", command: "--max-connections=200" }
`,
      'www.conf': `[www]\npm = static\npm.max_children = ${children}\n`,
    })
    expect(found(files(80), 'pool-oversized')).toEqual(['error www.conf:3 php 3 instances x 1 x 80 processes = 240 > 200'])
    expect(found(files(60), 'pool-oversized')).toEqual([])
  })

  it('adds up the pools of two applications in front of MySQL', () => {
    const files = {
      'compose.yaml': `services:
  orders: { build: ./orders, deploy: { replicas: 4 } }
  stock: { build: ./stock, deploy: { replicas: 2 } }
  mysql:
    image: mysql:8.0
    volumes: ["./my.cnf:/etc/mysql/conf.d/my.cnf"]
`,
      'my.cnf': '[mysqld]\nmax_connections = 151\nwait_timeout = 28800\n',
      'orders/application.yml':
        'spring:\n  application.name: orders\n  datasource: { url: "jdbc:mysql://mysql:3306/o", hikari: { maximum-pool-size: 30 } }\n',
      'stock/application.yml':
        'spring:\n  application.name: stock\n  datasource: { url: "jdbc:mysql://mysql:3306/s", hikari: { maximum-pool-size: 20 } }\n',
    }
    expect(found(files, 'pool-oversized')).toEqual([
      'error orders/application.yml:3 orders 4 instances x 30 + stock 2 instances x 20 = 160 > 151',
    ])
  })

  const pgbouncer = (mode: string) => ({
    'compose.yaml': `services:
  api: { build: ./api, deploy: { replicas: 10 } }
  pgbouncer:
    image: edoburu/pgbouncer
    volumes: ["./pgbouncer.ini:/etc/pgbouncer/pgbouncer.ini"]
${postgres()}`,
    'pgbouncer.ini': `[databases]\nshop = host=db pool_size=40\nlog = host=db pool_size=70\n[pgbouncer]\npool_mode = ${mode}\nmax_client_conn = 150\n`,
    'api/application.yml':
      'spring:\n  application.name: api\n  datasource: { url: "jdbc:postgresql://pgbouncer:6432/shop", hikari: { maximum-pool-size: 20 } }\n',
  })

  it('compares applications with the clients of PgBouncer, and its own pools with PostgreSQL', () => {
    expect(found(pgbouncer('transaction'), 'pool-oversized')).toEqual([
      'error api/application.yml:3 api 10 instances x 20 = 200 > 150',
      'warning pgbouncer.ini:3 pgbouncer 1 instance x 40 + pgbouncer 1 instance x 70 = 110 > 97 (max_connections 100 - superuser_reserved_connections 3)',
    ])
  })

  it('compares them with its pools where it pools sessions', () => {
    expect(found(pgbouncer('session'), 'pool-oversized')[0]).toBe(
      'error api/application.yml:3 api 10 instances x 20 = 200 > 110 (pool shop 40 + pool log 70, pool_mode session: a client keeps its connection until it leaves)',
    )
  })
})

describe('idle connections of a whole folder', () => {
  const nginx = (upstream: string) => `upstream app { server api:8000; ${upstream} }
server {
  listen 80;
  location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://app; }
}
`
  const compose = (command: string) => `services:
  web:
    image: nginx:1.25.3
    volumes: ["./nginx.conf:/etc/nginx/conf.d/default.conf"]
  api:
    image: api
    command: ${command}
`

  it('knows that nginx reuses a connection longer than uvicorn and threaded gunicorn keep it', () => {
    const files = (command: string, upstream = 'keepalive 32;') => ({ 'compose.yaml': compose(command), 'nginx.conf': nginx(upstream) })
    expect(found(files('uvicorn app:app --port 8000'), 'keep-alive-order')).toEqual([
      'error compose.yaml:7 api idle 5 s <= web keepAlive 60 s',
    ])
    expect(found(files('gunicorn --threads 4 app:app'), 'keep-alive-order')).toEqual([
      'error compose.yaml:7 api idle 2 s <= web keepAlive 60 s',
    ])
    expect(found(files('gunicorn --threads 4 --keep-alive 65 app:app'), 'keep-alive-order')).toEqual([])
    expect(found(files('gunicorn --threads 4 app:app', 'keepalive 32; keepalive_timeout 1s;'), 'keep-alive-order')).toEqual([])
    expect(found(files('gunicorn app:app'), 'keep-alive-order')).toEqual([])
    expect(found(files('uvicorn app:app --port 8000', ''), 'keep-alive-order')).toEqual([])
  })

  it('knows that PgBouncer keeps a connection longer than PostgreSQL does', () => {
    const files = (idle: string) => ({
      'pgbouncer.ini': '[databases]\nshop = host=db\n[pgbouncer]\nserver_idle_timeout = 600\n',
      'postgresql.conf': `idle_session_timeout = ${idle}\n`,
    })
    expect(found(files('5min'), 'keep-alive-order')).toEqual(['error postgresql.conf:1 postgres idle 5m <= pgbouncer keepAlive 10m'])
    expect(found(files('11min'), 'keep-alive-order')).toEqual([])
    expect(found(files('0'), 'keep-alive-order')).toEqual([])
  })

  it('asks the pods behind ingress-nginx', () => {
    const files = (command: string) => ({
      'all.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  template:
    metadata: { labels: { app: api } }
    spec: { containers: [{ name: api, image: api, command: [${command}], ports: [{ containerPort: 8000 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: api }
spec: { selector: { app: api }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec:
  ingressClassName: nginx
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: api, port: { number: 80 } } } }] } }]
`,
    })
    expect(found(files('uvicorn, "app:app"'), 'keep-alive-order')).toEqual([
      'error all.yaml:7 api idle 5 s <= ingress-nginx keepAlive 60 s',
    ])
    expect(found(files('uvicorn, "app:app", --timeout-keep-alive, "75"'), 'keep-alive-order')).toEqual([])
  })
})

describe('probes of a whole folder', () => {
  const deployment = (probe: string, replicas = 4) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "nginx:1.25", ${probe} }] }
`
  const NGINX =
    'server { listen 80; location /health { proxy_read_timeout 5s; proxy_connect_timeout 1s; proxy_send_timeout 1s; proxy_pass http://api:8080; } location /static { root /srv; } }\n'
  const files = (probe: string) => ({ 'k8s/web.yaml': deployment(probe), 'web/nginx.conf': NGINX })

  it('reports a check that asks further and may take longer than its probe waits', () => {
    const text = files('readinessProbe: { httpGet: { path: /health/ready }, timeoutSeconds: 2, periodSeconds: 5, failureThreshold: 2 }')
    const named = {
      ...text,
      'compose.yaml': 'services:\n  web:\n    image: nginx:1.25\n    volumes: ["./web/nginx.conf:/etc/nginx/nginx.conf"]\n',
    }
    expect(found(named, 'probe-too-tight')).toEqual(['error k8s/web.yaml:8 check 7 s >= probe 2 s; 1 to 2 periods + 2 s = 7 to 12 s'])
  })
})

describe('the health check of Spring', () => {
  const deployment = (path: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: 12
  template: { metadata: { labels: { app: shop } }, spec: { containers: [{ name: shop, image: shop, readinessProbe: { httpGet: { path: ${path} } } }] } }
`
  const yaml = (more = '') =>
    `spring:\n  application.name: shop\n  datasource: { url: "jdbc:postgresql://db/shop?socketTimeout=4&connectTimeout=1", hikari: { connection-timeout: 250 } }\n${more}`
  const check = (path: string, more?: string) =>
    found({ 'k8s.yaml': deployment(path), 'shop/application.yml': yaml(more) }, 'probe-too-tight')
  const PROBE = 'error k8s.yaml:6 check 5.25 s >= probe 1 s; 2 to 3 periods + 1 s = 21 to 31 s'

  it('asks the database that all instances share (C029)', () => {
    expect(check('/actuator/health')).toEqual([PROBE])
    expect(check('/actuator/health?full=1')).toEqual([PROBE])
  })

  it('asks what its group includes, and nothing where it includes nothing', () => {
    expect(check('/actuator/health/readiness')).toEqual([])
    expect(check('/actuator/health/readiness', 'management.endpoint.health.group.readiness.include: readinessState,db\n')).toEqual([PROBE])
    expect(check('/actuator/health', 'management.health.db.enabled: false\n')).toEqual([])
    expect(check('/ready')).toEqual([])
  })

  it('stands below the base path and the context path', () => {
    expect(check('/shop/manage/health', 'management.endpoints.web.base-path: /manage\nserver.servlet.context-path: /shop\n')).toEqual([
      PROBE,
    ])
  })
})

describe('idle connections of pools', () => {
  const files = (wait: string, hikari = '') => ({
    'my.cnf': `[mysqld]\nwait_timeout = ${wait}\n`,
    'shop/application.yml': `spring:\n  application.name: shop\n  datasource:\n    url: jdbc:mysql://db:3306/shop\n${hikari}`,
  })

  it('live longer in Hikari than MySQL keeps them, unless they are asked', () => {
    expect(found(files('600'), 'keep-alive-order')).toEqual(['error my.cnf:2 mysql idle 10m <= shop keepAlive 30m'])
    expect(found(files('28800'), 'keep-alive-order')).toEqual([])
    expect(found(files('600', '    hikari: { max-lifetime: 540000 }\n'), 'keep-alive-order')).toEqual([])
    expect(found(files('600', '    hikari: { keepalive-time: 120000 }\n'), 'keep-alive-order')).toEqual([])
  })
})

describe('what stands in front of a database', () => {
  const shop = (host: string, port: number, url = '') =>
    `spring:\n  application.name: shop\n  datasource: { url: "jdbc:mysql://${host}:${port}/shop${url}", hikari: { maximum-pool-size: 5 } }\n`

  it('closes pooled connections after its silence: HAProxy', () => {
    const haproxy = (more: string) =>
      `defaults\n  timeout connect 5s\n  timeout client 1m\n  timeout server 2m\n${more}frontend web\n  mode http\n  bind :80\n  default_backend web\nbackend web\n  mode http\n  server w web:8080\nlisten db\n  mode tcp\n  bind :3306\n  server db mysql:3306\n`
    const files = (more: string) => ({ 'haproxy.cfg': haproxy(more), 'shop/application.yml': shop('haproxy', 3306) })
    expect(found(files(''), 'keep-alive-order')).toEqual(['error haproxy.cfg:3 haproxy idle 60 s <= shop keepAlive 30m'])
    expect(found(files('  timeout tunnel 1h\n'), 'keep-alive-order')).toEqual([])
  })

  it('closes pooled connections after its silence: a stream of nginx, after 10 minutes unless it is told', () => {
    const files = (more: string) => ({
      'nginx.conf': `stream { server { listen 3307; ${more} proxy_pass mysql:3306; } }`,
      'shop/application.yml': shop('nginx', 3307),
    })
    expect(found(files(''), 'keep-alive-order')).toEqual(['error nginx.conf:1 nginx idle 10m <= shop keepAlive 30m'])
    expect(found(files('proxy_timeout 1h;'), 'keep-alive-order')).toEqual([])
  })

  it('is MySQL itself, which lets a row lock be waited for longer than a request lasts', () => {
    const files = (wait: string) => ({
      'my.cnf': `[mysqld]\nmax_connections = 100\n${wait}`,
      'shop/application.yml': shop('db', 3306, '?socketTimeout=30000&connectTimeout=1000'),
    })
    expect(found(files(''), 'lock-outlives')).toEqual(['error my.cnf:2 lock 50 s > 30 s left'])
    expect(found(files('innodb_lock_wait_timeout = 10\n'), 'lock-outlives')).toEqual([])
  })
})
