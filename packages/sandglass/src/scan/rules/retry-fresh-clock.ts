import { type AttemptPlan, attemptPlanOf } from '../guards/attempt-plan.js'
import { attemptSum } from '../guards/attempt-text.js'
import type { Reading } from '../limits/reading.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import { secondsText } from '../seconds-text.js'

/** Attempts that each get a new clock, with nothing that ends them together. With a budget it is `over-budget` that says so. */
export const retryFreshClock: ScanRule = {
  id: 'retry-fresh-clock',
  severity: 'info',
  summary: 'each attempt gets a new full timeout, and nothing ends them together',
  *check({ calls, budgetMs }) {
    if (budgetMs !== null) return
    const byRetry = new Map<string, Found>()
    for (const seen of calls) {
      const plan = attemptPlanOf(seen)
      if (!plan) continue
      const key = JSON.stringify([plan.retry.spot.source.file, plan.retry.spot.start])
      const known = byRetry.get(key)
      if (!known || plan.attemptMs > known.plan.attemptMs) byRetry.set(key, { plan, reading: seen.reading })
    }
    for (const found of byRetry.values()) yield scanFinding(findingOf(found))
  },
}

interface Found {
  readonly plan: AttemptPlan
  readonly reading: Reading
}

function findingOf({ plan, reading }: Found): ScanFinding {
  const { retry, attemptMs, isMost, worstMs, leastWorstMs, clock } = plan
  const each = isMost ? `limit of up to ${secondsText(attemptMs)}` : secondsText(attemptMs)
  return {
    rule: 'retry-fresh-clock',
    severity: 'info',
    message: `each attempt gets a new ${each}: ${lasting(plan)}, and nothing ends them together`,
    arithmetic: attemptSum(plan),
    why: 'A retry has to live on what is left of the one deadline; a fresh clock goes on long after the caller has given up.',
    spot: retry.spot,
    label: labelOf(retry),
    related: clock ? [{ spot: clock, label: 'begins anew each time' }] : [],
    values: { attempts: retry.count, attemptMs, worstMs, leastWorstMs },
    suggestion: { text: takesSignal(reading) ? ONE_SIGNAL : ONE_RACE, edits: [] },
  }
}

const ONE_SIGNAL = 'make one signal before the first attempt, and give it to all of them: AbortSignal.timeout(…)'
const ONE_RACE = 'put one race with a timer around all attempts, or give each only what is left of one deadline: the call takes no signal'

/** A call whose library looks at no signal has none that could end it. */
function takesSignal({ overall, remedy }: Reading): boolean {
  return SIGNAL.test(remedy) || (overall !== null && SIGNAL.test(overall.name))
}

const SIGNAL = /signal|cancelToken|abort/i

function labelOf({ isEndless, isOverList, count }: AttemptPlan['retry']): string {
  if (isEndless) return 'tries for ever'
  return count === null && isOverList ? 'one after the other' : `${count ?? 'several'} attempts`
}

function lasting({ retry, worstMs, leastWorstMs }: AttemptPlan): string {
  if (retry.isEndless) return `${retry.name} tries for ever`
  if (retry.count === null && retry.isOverList) return `${retry.name} goes on to the next of a list, nobody can tell how many there are`
  if (retry.count === null) return `${retry.name} may try again, nobody can tell how often`
  const attempts = `with ${retry.count} attempts${retry.isDefault ? ' by default' : ''}`
  return worstMs === null
    ? `${attempts} it may take at least ${secondsText(leastWorstMs ?? 0)}`
    : `${attempts} it may take ${secondsText(worstMs)}`
}
