import { compareVersions } from '../model/default-of.js'
import { addDead } from './facts.js'
import type { SpringApplication } from './spring.js'

/** From this version of spring-cloud-openfeign on (release train 2020.0) there is neither Hystrix nor Ribbon. */
const GONE_SINCE = '3.0'
/** From here on Spring Boot reads `spring.data.redis` alone. */
const NEW_REDIS_SINCE = '3.0'

/** True where Hystrix and Ribbon are not there any more; false where the version is not known. */
export function isWithoutNetflix({ cloud }: SpringApplication): boolean {
  return cloud !== null && compareVersions(cloud, GONE_SINCE) >= 0
}

/** Of all clients, or one of a client's own; `shop.ribbon.isolation.enabled` is somebody else's. */
const RIBBON = /^(ribbon\.|[\w-]+\.ribbon\.[\w-]+(\[\d+\])?$)/

/** Settings of Hystrix and Ribbon under a release train that has neither. */
export function sayGone(application: SpringApplication): void {
  if (!isWithoutNetflix(application)) return
  const { settings, draft, cloud } = application
  for (const { key, written } of settings.entries) {
    const product = /^(hystrix\.|feign\.hystrix\.)/.test(key) ? 'Hystrix' : RIBBON.test(key) ? 'Ribbon' : null
    if (product !== null)
      addDead(draft, {
        setting: key,
        written: written.text,
        spot: written.spot,
        because: `Spring Cloud with openfeign ${cloud ?? ''} has no ${product}`,
        effective: product === 'Ribbon' ? 'the limits of the client itself' : 'no limit around the tries',
      })
  }
}

/** Limits of Ribbon for a client that brings its own: those hold. */
export function sayOutranked(
  { settings, draft }: SpringApplication,
  name: string,
  own: { readonly connect: boolean; readonly read: boolean },
): void {
  for (const [isSet, ribbon, feign] of [
    [own.connect, 'ConnectTimeout', 'connectTimeout'],
    [own.read, 'ReadTimeout', 'readTimeout'],
  ] as const) {
    const entry = settings.entries.find(({ key }) => key.toLowerCase() === `${name}.ribbon.${ribbon}`.toLowerCase())
    if (isSet && entry)
      addDead(draft, {
        setting: entry.key,
        written: entry.written.text,
        spot: entry.written.spot,
        because: `Feign's own ${feign} of this client holds`,
        effective: feign,
      })
  }
}

/** The prefix of Redis that the installed version reads; settings below the other one are dead. */
export function redisPrefix({ settings, draft, boot }: SpringApplication): string | undefined {
  const [now, before] = ['spring.data.redis', 'spring.redis'] as const
  if (boot === null) return [now, before].find((key) => settings.has(key))
  const [live, dead] = compareVersions(boot, NEW_REDIS_SINCE) >= 0 ? [now, before] : [before, now]
  for (const { key, written } of settings.entries)
    if (key.toLowerCase().startsWith(`${dead}.`) && /\.(timeout|connect-?timeout|host|url)$/i.test(key))
      addDead(draft, {
        setting: key,
        written: written.text,
        spot: written.spot,
        because: `Spring Boot ${boot} does not read this prefix, but ${live}`,
        effective: settings.has(live) ? `what stands below ${live}` : 'the default',
      })
  return settings.has(live) ? live : undefined
}
