import type { Factor } from '../../model/diagnostic.js'
import type { Limit } from '../limits/limit-state.js'
import type { SeenCall } from '../scan-view.js'
import { limitsOfCall } from './call-limits.js'
import type { ScannedCall } from './scanned-call.js'

/** A seen call as reports have it. */
export function scannedCall({ site, own, judged, reading, guards }: SeenCall): ScannedCall {
  const { attempts } = reading
  const limits = judged.limits.map(limitFactor)
  const tries: readonly Factor[] = attempts
    ? [{ name: attempts.name, value: attempts.count, unit: 'count', origin: { kind: 'declared', spot: attempts.spot } }]
    : []
  const { packageName } = site
  return {
    spot: site.spot,
    library: site.model.id,
    version: site.version,
    ...(packageName === null || packageName === 'node' || packageName === site.model.id ? {} : { packageName }),
    outcome: judged.outcome,
    worstMs: judged.worstMs?.[1] ?? null,
    factors: [...limits, ...tries],
    isShallow: false,
    target: site.model.targetOf?.(site) ?? null,
    limits: limitsOfCall({ reading, own, guards }, site),
  }
}

function limitFactor({ name, ms, origin }: Limit): Factor {
  return { name, value: ms, unit: 'ms', origin }
}
