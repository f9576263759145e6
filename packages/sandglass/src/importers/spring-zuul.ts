import type { HopFact, OperationFact } from './facts.js'
import { limitFact, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'
import { ribbonLimits, ribbonRemarks, ribbonRetries } from './spring-clients.js'
import { hystrixLimit } from './spring-hystrix.js'
import { nameOf, targetOf } from './target.js'

/** The routes of Zuul: `url` has Zuul's own limits, a service id those of Ribbon and Hystrix. */
export function zuulOperations(application: SpringApplication): readonly OperationFact[] {
  const { settings } = application
  return settings.below('zuul.routes').flatMap((route) => {
    const key = `zuul.routes.${route}`
    const path = settings.get(`${key}.path`) ?? settings.get(key)
    const url = settings.get(`${key}.url`)
    const service = settings.get(`${key}.service-id`)
    const to = url ?? service ?? (path && { text: route, spot: path.spot })
    if (!to) return []
    const hop = url ? urlHop(application, url) : serviceHop(application, to, key)
    return [{ name: nameOf(route), spot: to.spot, path: path?.text.replace(/\/?\*.*$/, '') || null, hops: [hop] }]
  })
}

function urlHop({ settings, draft }: SpringApplication, url: Written): HopFact {
  const limit = (key: string) =>
    limitFact(
      { draft, system: 'zuul (spring-cloud-netflix)', version: null, key: `zuul.host.${key}`, shown: key, at: url.spot },
      settings.get(`zuul.host.${key}`),
      'int-ms',
    )
  const [connectMs, silenceMs] = [limit('connect-timeout-millis'), limit('socket-timeout-millis')]
  return {
    spot: url.spot,
    target: targetOf(url.text, url.spot),
    fields: { ...(connectMs ? { connectMs } : {}), ...(silenceMs ? { silenceMs } : {}) },
    remarks: [],
  }
}

function serviceHop(application: SpringApplication, to: Written, key: string): HopFact {
  const { fields, readsOnly } = ribbonRetries(application, to.text, to.spot)
  const retries = isRetryable(application, key) ? fields : {}
  const hystrix = hystrixLimit(application, to.text, false, to.spot)
  return {
    spot: to.spot,
    target: targetOf(to.text, to.spot),
    fields: { ...ribbonLimits(application, to.text, to.spot), ...retries, ...(hystrix ? { timeoutMs: hystrix } : {}) },
    repeatsReadsOnly: readsOnly,
    instances: [to.text],
    remarks: 'attempts' in retries ? ribbonRemarks(application) : [],
  }
}

/** Zuul asks a second time only where it is told that it may, for all routes or for one. */
function isRetryable({ settings }: SpringApplication, key: string): boolean {
  return (settings.get(`${key}.retryable`) ?? settings.get('zuul.retryable'))?.text === 'true'
}
