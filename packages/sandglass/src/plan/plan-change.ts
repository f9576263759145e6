import { formatDuration } from '@sandglass/runtime/core'
import type { Count, LimitMs } from '../model/chain.js'
import type { Sourced } from '../model/sourced.js'
import type { PlannedCall } from './plan.js'

/** What a plan changes about one call: nothing, a limit where there was none, or other limits. */
export interface PlanChange {
  readonly kind: 'same' | 'added' | 'changed' | 'fixed'
  /** In words: `timeout 30 s -> 1.2 s, attempts 3 -> 1`. */
  readonly text: string
}

/** What becomes of a call's limits; a floor only where the call has one, a reserve never: they follow from the rest. */
export function planChange(planned: PlannedCall): PlanChange {
  const { call, fixedMs } = planned.planned
  const parts = [
    part('timeout', limitText(call.timeoutMs), formatDuration(planned.timeoutMs)),
    part('attempts', countText(call.attempts), String(planned.attempts)),
    part('attempt', limitText(call.attemptMs), planned.attemptMs === null ? null : formatDuration(planned.attemptMs)),
    part('floor', isOwnFloor(planned) ? limitText(call.floorMs) : null, isOwnFloor(planned) ? formatDuration(planned.floorMs) : null),
    part('silence', limitText(call.silenceMs), call.silenceMs?.fixed ? limitText(call.silenceMs) : null),
  ].filter((text) => text !== null)
  const now = `timeout ${formatDuration(planned.timeoutMs)}${planned.attempts > 1 ? `, attempts ${planned.attempts}` : ''}`
  if (parts.length === 0) return { kind: fixedMs === null ? 'same' : 'fixed', text: fixedMs === null ? now : `${now}, set by the platform` }
  const isAdded =
    typeof call.timeoutMs?.value !== 'number' && typeof call.attemptMs?.value !== 'number' && typeof call.silenceMs?.value !== 'number'
  return { kind: isAdded ? 'added' : 'changed', text: parts.join(', ') }
}

/** A floor of the defaults is nobody's decision about this call. */
function isOwnFloor({ planned: { call } }: PlannedCall): boolean {
  const { origin } = call.floorMs
  return (
    origin.kind === 'declared' &&
    origin.spot.source === call.spot.source &&
    origin.spot.start >= call.spot.start &&
    origin.spot.end <= call.spot.end
  )
}

function limitText(limit: Sourced<LimitMs> | undefined): string | null {
  if (!limit) return null
  return typeof limit.value === 'number' ? formatDuration(limit.value) : limit.value
}

function countText(count: Sourced<Count>): string {
  return String(count.value)
}

function part(name: string, before: string | null, after: string | null): string | null {
  if (before === after) return null
  if (before === null) return `${name} ${after}`
  return after === null ? `no ${name} (was ${before})` : `${name} ${before} -> ${after}`
}
