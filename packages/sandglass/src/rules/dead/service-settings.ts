import { formatDuration } from '@sandglass/runtime/core'
import { isLeaf } from '../../model/arithmetic.js'
import type { Operation, Service } from '../../model/chain.js'
import { limitText } from '../../model/change.js'
import { factor, limitFactor } from '../../model/factors.js'
import { quantileMs } from '../../model/latency.js'
import type { Sourced } from '../../model/sourced.js'
import type { Dead } from './dead.js'

/** Slots that are not limited make nobody wait. */
function withoutSlots(service: Service): Dead[] {
  const { concurrency, queue, admission } = service
  if (concurrency && concurrency.value !== 'none') return []
  const dead = (setting: string, written: string, at: Sourced<unknown>): Dead => ({
    setting,
    written,
    spot: at.origin.spot,
    because: `${service.name} has no limit of requests at once (concurrency), so nothing ever waits`,
    effective: 'no queue',
    factors: concurrency
      ? [factor('concurrency', concurrency, 'count')]
      : [
          {
            name: 'concurrency',
            value: null,
            unit: 'count',
            origin: { kind: 'default', product: 'sandglass', version: '1', spot: service.spot },
          },
        ],
    ...(concurrency ? { instead: concurrency } : {}),
  })
  return [
    ...(queue?.limit && queue.limit.value !== 'none' ? [dead('queue.limit', String(queue.limit.value), queue.limit)] : []),
    ...(queue?.timeoutMs && queue.timeoutMs.value !== 'none'
      ? [dead('queue.timeout', limitText(queue.timeoutMs.value), queue.timeoutMs)]
      : []),
    ...(queue?.order ? [dead('queue.order', queue.order.value, queue.order)] : []),
    ...(admission.value === 'expired' ? [dead('admission', 'expired', admission)] : []),
  ]
}

function poolsNobodyUses(service: Service): Dead[] {
  if (service.pools.size === 0) return []
  const used = new Set<string | undefined>()
  for (const operation of service.operations.values()) for (const call of operation.calls) used.add(call.pool?.value)
  return [...service.pools]
    .filter(([name]) => !used.has(name))
    .map(([name, size]) => ({
      setting: `pools.${name}`,
      written: `${size.value}`,
      spot: size.origin.spot,
      because: `no call of ${service.name} draws on it`,
      effective: 'its calls share the slots of the service',
      factors: [factor(`pools.${name}`, size, 'count')],
    }))
}

/** What is written in a service, its operations left out, and has no effect. */
export function serviceSettings(service: Service): Dead[] {
  return [...withoutSlots(service), ...poolsNobodyUses(service)]
}

/** What is written in an operation, its calls left out, and has no effect. */
export function operationSettings(operation: Operation): Dead[] {
  const { latency, work } = operation
  if (!latency || isLeaf(operation)) return []
  const p99 = formatDuration(Math.round(quantileMs(latency.value, 0.99)))
  return [
    {
      setting: 'latency',
      written: `p99 ${p99}`,
      spot: latency.origin.spot,
      because: `${operation.id} makes calls, so in every sum its time is its own work and theirs; only the limits of calls to it are held against it`,
      effective: work ? `work p99 ${formatDuration(Math.round(quantileMs(work.value, 0.99)))} and its calls` : 'its calls, and no own work',
      factors: [
        { name: `${operation.id} latency p99`, value: quantileMs(latency.value, 0.99), unit: 'ms', origin: latency.origin },
        ...limitFactor('limits.request', operation.limits?.requestMs),
      ],
      ...(work ? { instead: work } : {}),
    },
  ]
}
