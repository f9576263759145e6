import type { ServiceKind } from '../model/chain.js'
import type { Spot } from '../model/sourced.js'
import type { Target } from './facts.js'
import { templateIn } from './templates.js'

const kindsByName: readonly (readonly [RegExp, ServiceKind])[] = [
  [/pgbouncer|pgcat|pgpool|odyssey|proxysql|maxscale|twemproxy/, 'proxy'],
  [/postgres|mysql|mariadb|mongo|cockroach|mssql|sqlserver|oracle|clickhouse|elasticsearch|opensearch|cassandra/, 'database'],
  [/redis|memcached|valkey|dragonfly/, 'cache'],
  [/rabbitmq|amqp|kafka|redpanda|nats|activemq|pulsar|mosquitto|rocketmq/, 'queue'],
  [/nginx|openresty|traefik|envoy|haproxy|caddy|kong|apisix/, 'proxy'],
]

const kindsByPort: ReadonlyMap<string, ServiceKind> = new Map([
  ['5432', 'database'],
  ['3306', 'database'],
  ['1433', 'database'],
  ['1521', 'database'],
  ['27017', 'database'],
  ['9200', 'database'],
  ['6379', 'cache'],
  ['11211', 'cache'],
  ['5672', 'queue'],
  ['9092', 'queue'],
])

const portsByScheme: readonly (readonly [RegExp, string])[] = [
  [/^postgres/, '5432'],
  [/^(mysql|mariadb)/, '3306'],
  [/^redis/, '6379'],
  [/^mongodb/, '27017'],
  [/^amqps?$/, '5672'],
]

/** The port of a protocol of databases and queues where none is written. */
function portOfScheme(scheme: string): number | null {
  const port = portsByScheme.find(([pattern]) => pattern.test(scheme))?.[1]
  return port === undefined ? null : Number(port)
}

/** The kind of what an image, a scheme or a product's name says. */
export function kindOfName(text: string): ServiceKind | null {
  return kindsByName.find(([pattern]) => pattern.test(text.toLowerCase()))?.[1] ?? null
}

/** A socket in the file system as a host: `unix:/run/app.sock`. `/var/run` is `/run` on every Linux of today. */
export function socketHost(path: string): string {
  return `unix:${path.replace(/^\/var\/run\//, '/run/')}`.toLowerCase()
}

/** Reads `scheme://user@host:port/path`, `host:port`, `host` or `unix:/path`; a template in the host makes it unknown. */
export function targetOf(text: string, spot: Spot): Target {
  const socket = /^(?:[a-z]+:\/\/)?unix:(?:\/\/)?(\/[^:\s;,]{1,200})/.exec(text.trim())?.[1]
  if (socket !== undefined && templateIn(socket) === null)
    return { text, spot, host: socketHost(socket), port: null, path: null, kind: kindOfName(socket) }
  const found =
    /^(?:(?:jdbc:)?([a-z][a-z0-9+.:-]{0,40}?):\/\/)?(?:([^@/\s]{0,200})@)?(\[[^\]\s]{1,60}\]|[^:/?#,;\s]{1,255})(?::(\d{1,5}|[^/?#,;\s]{1,80}))?(\/[^?#\s]{0,500})?/.exec(
      text.trim(),
    )
  const [, scheme = '', login = '', host = '', portText, path] = found ?? []
  const user = login.split(':')[0] ?? ''
  const port = portText !== undefined && /^\d+$/.test(portText) ? Number(portText) : portOfScheme(scheme)
  const kind = kindOfName(scheme) ?? (portText === undefined ? null : (kindsByPort.get(portText) ?? null))
  const isKnown = host !== '' && templateIn(host) === null && !host.startsWith('unix')
  return {
    text,
    spot,
    host: isKnown ? host.toLowerCase() : null,
    port,
    path: path !== undefined && templateIn(path) === null ? path : null,
    kind,
    ...(user !== '' && templateIn(user) === null ? { user } : {}),
  }
}

/** A name as a chain file takes it: no dots or spaces, never empty. */
export function nameOf(text: string): string {
  const plain = text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return plain === '' ? 'unnamed' : plain
}
