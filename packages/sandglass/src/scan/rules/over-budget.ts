import type { Spot } from '../../model/sourced.js'
import { type AttemptPlan, attemptPlanOf } from '../guards/attempt-plan.js'
import { attemptSum, attemptsWithin } from '../guards/attempt-text.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { listed } from './unbounded-call.js'

/** From here on `default-bound` says what is to be said of a default. */
const LONG_DEFAULT_MS = 15_000

interface Over {
  readonly seen: SeenCall
  readonly plan: AttemptPlan | null
  /** Null where it never ends. */
  readonly worstMs: number | null
  readonly spot: Spot
}

/** A call that may take longer than the budget that every request has. */
export const overBudget: ScanRule = {
  id: 'over-budget',
  severity: 'error',
  summary: 'a call that may take longer than the whole budget',
  *check({ calls, budgetMs }) {
    if (budgetMs === null) return
    const byCause = new Map<string, { first: Over; readonly nodes: Set<object> }>()
    for (const seen of calls) {
      const over = overOf(seen, budgetMs)
      if (!over) continue
      const key = JSON.stringify([over.spot.source.file, over.spot.start])
      const known = byCause.get(key) ?? { first: over, nodes: new Set() }
      if ((over.worstMs ?? Number.POSITIVE_INFINITY) > (known.first.worstMs ?? Number.POSITIVE_INFINITY)) known.first = over
      known.nodes.add(seen.site.node)
      byCause.set(key, known)
    }
    for (const { first, nodes } of byCause.values()) yield scanFinding(findingOf(first, nodes.size, budgetMs))
  },
}

function overOf(seen: SeenCall, budgetMs: number): Over | null {
  const { judged, isClient } = seen
  if (isClient || judged.outcome.state !== 'bounded') return null
  const plan = attemptPlanOf(seen)
  const worstMs = plan ? (plan.worstMs ?? plan.leastWorstMs) : (judged.worstMs?.[1] ?? null)
  const isEndless = plan?.retry.isEndless === true
  if (!isEndless && (worstMs === null || worstMs <= budgetMs)) return null
  if (!plan && judged.isDefault && judged.outcome.ms >= LONG_DEFAULT_MS) return null
  return { seen, plan, worstMs: isEndless ? null : worstMs, spot: causeOf(seen, plan) }
}

/** What makes it so long: the retry around it, the limit around it, or its own limit, which other calls may share. */
function causeOf({ guards, judged, own, site }: SeenCall, plan: AttemptPlan | null): Spot {
  if (plan) return plan.retry.spot
  const limit = guards.findLast((guard) => guard.kind === 'limit' && guard.ms !== null)
  const isByGuard = limit?.kind === 'limit' && judged.outcome.state === 'bounded' && judged.outcome.ms === limit.ms && judged !== own
  if (isByGuard) return limit.spot
  return judged.limits[0]?.origin.spot ?? site.spot
}

function findingOf({ seen, plan, worstMs, spot }: Over, calls: number, budgetMs: number): ScanFinding {
  const name = libraryName(seen.site)
  const many = calls > 1 ? ` (${calls} calls)` : ''
  const within = plan ? attemptsWithin(plan, budgetMs) : ''
  const overMs = worstMs === null ? null : worstMs - budgetMs
  // The waits between the attempts are not known.
  const isLeast = plan !== null && plan.worstMs === null
  const takes =
    worstMs === null || overMs === null
      ? `tries for ever, the budget is ${secondsText(budgetMs)}`
      : `may take ${isLeast ? 'at least ' : ''}${secondsText(worstMs)}, the budget is ${secondsText(budgetMs)}: over by ${secondsText(overMs)}`
  return {
    rule: 'over-budget',
    severity: 'error',
    message: `${name}${many} ${takes}${within ? `; ${within}` : ''}`,
    arithmetic: sumOf(seen, plan, worstMs, budgetMs),
    why: 'Who asked is gone by then: the rest is work for nobody.',
    spot,
    label: worstMs === null ? 'never gives up' : `up to ${secondsText(worstMs)}`,
    related: plan?.clock ? [{ spot: plan.clock, label: 'begins anew for each attempt' }] : [],
    values: { worstMs, budgetMs, overMs, calls },
    suggestion: {
      text: plan ? `one signal for all attempts: AbortSignal.timeout(${budgetMs}) made before the first` : lessOf(seen, budgetMs),
      edits: [],
    },
  }
}

/** Where several written limits decide they are what to lower; else what to write. */
function lessOf({ judged, reading }: SeenCall, budgetMs: number): string {
  const names = judged.limits.map(({ name }) => name)
  return names.length > 1 && judged.limits.every(({ state }) => state === 'written')
    ? `at most ${secondsText(budgetMs)} together: ${listed(names)}`
    : `a limit of at most ${secondsText(budgetMs)}: ${reading.remedy}`
}

function sumOf({ reading, judged }: SeenCall, plan: AttemptPlan | null, worstMs: number | null, budgetMs: number): string {
  const more = ` > ${secondsText(budgetMs)}`
  if (plan) return attemptSum(plan) && `${attemptSum(plan)}${more}`
  if (worstMs === null) return ''
  const { attempts } = reading
  const parts = judged.limits.map(({ name, ms }) => `${name} ${secondsText(ms)}`)
  const [sum] = [parts.length > 1 ? `(${parts.join(' + ')})` : (parts[0] ?? '')]
  const times = attempts?.count && attempts.count > 1 ? `${attempts.count} attempts x ${sum}` : sum
  const waits = attempts && attempts.waitMs[1] > 0 ? ` + waits ${secondsText(attempts.waitMs[1])}` : ''
  const isOfCall = judged.outcome.state === 'bounded' && judged.limits.length > 0
  return isOfCall ? `${times}${waits} = ${secondsText(worstMs)}${more}` : `${secondsText(worstMs)}${more}`
}
