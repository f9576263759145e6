import type { ServiceKind } from '../model/chain.js'
import type { Spot } from '../model/sourced.js'
import type { Target } from './facts.js'
import { templateIn } from './templates.js'

const kindsByName: readonly (readonly [RegExp, ServiceKind])[] = [
  [/postgres|mysql|mariadb|mongo|cockroach|mssql|sqlserver|oracle|clickhouse|elasticsearch|opensearch|cassandra/, 'database'],
  [/redis|memcached|valkey|dragonfly/, 'cache'],
  [/rabbitmq|amqp|kafka|redpanda|nats|activemq|pulsar|mosquitto|rocketmq/, 'queue'],
  [/nginx|openresty|traefik|envoy|haproxy|caddy|kong|apisix/, 'proxy'],
]

const kindsByPort: Readonly<Record<string, ServiceKind>> = {
  '5432': 'database',
  '3306': 'database',
  '1433': 'database',
  '1521': 'database',
  '27017': 'database',
  '9200': 'database',
  '6379': 'cache',
  '11211': 'cache',
  '5672': 'queue',
  '9092': 'queue',
}

/** The kind of what an image, a scheme or a product's name says. */
export function kindOfName(text: string): ServiceKind | null {
  return kindsByName.find(([pattern]) => pattern.test(text.toLowerCase()))?.[1] ?? null
}

/** Reads `scheme://user@host:port/path`, `host:port` or `host`; a template in the host makes it unknown. */
export function targetOf(text: string, spot: Spot): Target {
  const found =
    /^(?:(?:jdbc:)?([a-z][a-z0-9+.:-]{0,40}?):\/\/)?(?:[^@/\s]{0,200}@)?(\[[^\]\s]{1,60}\]|[^:/?#,;\s]{1,255})(?::(\d{1,5}|[^/?#,;\s]{1,80}))?(\/[^?#\s]{0,500})?/.exec(
      text.trim(),
    )
  const [, scheme = '', host = '', portText, path] = found ?? []
  const port = portText !== undefined && /^\d+$/.test(portText) ? Number(portText) : null
  const kind = kindOfName(scheme) ?? (portText === undefined ? null : (kindsByPort[portText] ?? null))
  const isKnown = host !== '' && templateIn(host) === null && !host.startsWith('unix')
  return {
    text,
    spot,
    host: isKnown ? host.toLowerCase() : null,
    port,
    path: path !== undefined && templateIn(path) === null ? path : null,
    kind,
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
