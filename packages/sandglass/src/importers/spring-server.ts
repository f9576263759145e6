import type { Service } from '../model/chain.js'
import { declared } from '../model/sourced.js'
import type { HopFact, OperationFact, ServiceFact } from './facts.js'
import { limitFact, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'

/** The server of an application: how many requests it works on, and how long it keeps idle connections. */
export function serverFacts(application: SpringApplication): Pick<ServiceFact, 'concurrency' | 'keepAlive'> {
  const { settings } = application
  const threads = settings.get('server.tomcat.threads.max') ?? settings.get('server.tomcat.max-threads')
  const keepAlive = keepAliveOf(application)
  return {
    ...(threads && /^[1-9]\d{0,6}$/.test(threads.text) ? { concurrency: declared(Number(threads.text), threads.spot) } : {}),
    ...(keepAlive ? { keepAlive } : {}),
  }
}

/** Tomcat's keep-alive is its connection timeout unless it is told; -1 keeps without end. */
function keepAliveOf({ settings, draft, at }: SpringApplication): Service['keepAlive'] | undefined {
  const written =
    settings.get('server.tomcat.keep-alive-timeout') ??
    settings.get('server.tomcat.connection-timeout') ??
    settings.get('server.undertow.no-request-timeout') ??
    settings.get('server.jetty.connection-idle-timeout') ??
    settings.get('server.netty.idle-timeout')
  if (!written || /^-\d/.test(written.text)) return undefined
  const idle = limitFact(
    { draft, system: 'tomcat', version: null, key: 'keepAliveTimeout', shown: 'keep-alive-timeout', at },
    written,
    'spring',
  )
  return typeof idle?.value === 'number' ? { spot: written.spot, idleMs: idle } : undefined
}

/** What a health check of the actuator asks: `/actuator/health` every database and cache there is, a group what it includes. */
export function healthOperations({ settings, at }: SpringApplication, data: readonly HopFact[]): readonly OperationFact[] {
  const base = settings.get('management.endpoints.web.base-path')?.text ?? '/actuator'
  const context = settings.get('management.server.port') ? '' : (settings.get('server.servlet.context-path')?.text ?? '')
  const path = `${context}${base}/health`.replace(/\/{2,}/g, '/')
  const isOn = (indicator: string) =>
    (settings.get(`management.health.${indicator}.enabled`) ?? settings.get('management.health.defaults.enabled'))?.text !== 'false'
  const usable = data.filter(({ target }) => isOn(target.kind === 'cache' ? 'redis' : 'db'))
  const groups = settings.below('management.endpoint.health.group').map((group) => ({ group, names: includedIn(group, settings) }))
  const whole: OperationFact = { name: 'health', spot: at, path, hops: usable }
  const parts = groups.map(
    ({ group, names }): OperationFact => ({
      name: `health-${group}`,
      spot: names[0]?.spot ?? at,
      path: `${path}/${group}`,
      hops: usable.filter(({ target }) => names.some(({ text }) => text === '*' || text === (target.kind === 'cache' ? 'redis' : 'db'))),
    }),
  )
  return [whole, ...parts].filter(({ hops }) => hops.length > 0)
}

const MAX_INDICATORS = 50

function includedIn(group: string, settings: SpringApplication['settings']): readonly Written[] {
  const key = `management.endpoint.health.group.${group}.include`
  const one = settings.get(key)
  if (one) return one.text.split(',').map((text) => ({ text: text.trim(), spot: one.spot }))
  const found: Written[] = []
  for (let index = 0; index < MAX_INDICATORS; index++) {
    const item = settings.get(`${key}[${index}]`)
    if (!item) break
    found.push(item)
  }
  return found
}
