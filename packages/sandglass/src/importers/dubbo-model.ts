import type { Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'
import type { Settings } from './spring-settings.js'

/** Looks up an attribute as it is called in XML: `timeout`, `retries`, `cluster` … */
export type Get = (attribute: string) => Written | undefined

/** One end of calls by Dubbo: what a service offers, or what it calls. */
export interface DubboEnd {
  readonly kind: 'reference' | 'service'
  readonly spot: Spot
  /** The full name of the interface where it is known, else its simple one. */
  readonly interface: string
  /** Its bean's name, by which settings may mean it. */
  readonly id: string | null
  readonly get: Get
  /** By the name of a method. */
  readonly methods: ReadonlyMap<string, Get>
  /** The `consumer` or `provider` element around it. */
  readonly around: Get
}

/** A service that takes part in Dubbo, with all that its files say. */
export interface Participant {
  /** As the chain names it. */
  readonly name: string
  /** Under which names rules may mean it: of Spring, of Dubbo, of the chain. */
  readonly names: readonly string[]
  readonly spot: Spot
  /** `dubbo.*` of Spring, which win over what stands beside the ends; null where there are none. */
  readonly settings: Settings | null
  /** dubbo.properties, which hold where nothing else does. */
  readonly properties: Settings | null
  readonly ends: readonly DubboEnd[]
  readonly consumer: Get
  readonly provider: Get
  readonly protocol: Get
}

const NOTHING: Get = () => undefined

/** An attribute that is nowhere. */
export function nowhere(): Get {
  return NOTHING
}

/** The first that has an attribute. */
export function firstOf(gets: readonly Get[]): Get {
  return (attribute) => {
    for (const get of gets) {
      const written = get(attribute)
      if (written) return written
    }
    return undefined
  }
}

/** Where a value stands, from a method to all of a side: each with what wins first. */
export interface Levels {
  readonly method: Get
  readonly own: Get
  readonly side: Get
}

/** What an end says of a method (null: of all), settings first, dubbo.properties last. */
export function levelsOf({ settings, properties, consumer, provider }: Participant, end: DubboEnd, method: string | null): Levels {
  const in_ =
    (from: Settings | null, key: string): Get =>
    (attribute) =>
      from?.get(`${key}.${attribute}`)
  const keys = [end.interface, ...(end.id === null ? [] : [end.id])].flatMap((name) => [
    `dubbo.${end.kind}.${name}`,
    `dubbo.${end.kind}s.${name}`,
  ])
  const side = end.kind === 'reference' ? 'consumer' : 'provider'
  const named = method === null ? [] : keys.map((key) => `${key}.${method}`)
  return {
    method: firstOf([
      ...named.map((key) => in_(settings, key)),
      (method !== null && end.methods.get(method)) || NOTHING,
      ...named.map((key) => in_(properties, key)),
    ]),
    own: firstOf([...keys.map((key) => in_(settings, key)), end.get, ...keys.map((key) => in_(properties, key))]),
    side: firstOf([
      in_(settings, `dubbo.${side}`),
      end.around,
      side === 'consumer' ? consumer : provider,
      in_(properties, `dubbo.${side}`),
    ]),
  }
}

/** True where a consumer's group and version mean a provider's; `*` means any. */
export function isOffered(reference: Levels, service: Levels): boolean {
  const text = (levels: Levels, attribute: string) => firstOf([levels.own, levels.side])(attribute)?.text.trim() ?? ''
  return ['group', 'version'].every((attribute) => {
    const wanted = text(reference, attribute)
    return wanted === '*' || wanted.split(',').includes(text(service, attribute))
  })
}

/** True where two names may be one interface: equal, or one of them without its package. */
export function isSameInterface(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return !short.includes('.') && long.endsWith(`.${short}`)
}
