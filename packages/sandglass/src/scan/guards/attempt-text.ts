import { secondsText } from '../seconds-text.js'
import { type AttemptPlan, attemptTimes } from './attempt-plan.js'

/** The sum of a retry: `4 attempts x 300 ms + waits 300 ms = 1.5 s`; empty where it has no end. */
export function attemptSum({ retry, attemptMs, worstMs, leastWorstMs }: AttemptPlan): string {
  if (leastWorstMs === null || retry.count === null) return ''
  const attempts = `${retry.count} attempts x ${secondsText(attemptMs)}`
  if (worstMs === null || retry.waitMs === null) return `${attempts} + waits = at least ${secondsText(leastWorstMs)}`
  const [, waitMs] = retry.waitMs
  return `${attempts}${waitMs > 0 ? ` + waits ${secondsText(waitMs)}` : ''} = ${secondsText(worstMs)}`
}

/** Which attempts a budget has room for: `2 attempts fit (0-300, 400-700 ms), the next would start at 800 ms with 0 ms left`, or none. */
export function attemptsWithin(plan: AttemptPlan, budgetMs: number): string {
  const times = attemptTimes(plan)
  if (times.length === 0) return ''
  const complete = times.filter(({ endMs }) => endMs <= budgetMs)
  if (complete.length === 0) return 'not one attempt fits'
  const spans = complete.map(({ startMs, endMs }) => `${startMs}-${endMs}`)
  const shown = spans.length > 6 ? [...spans.slice(0, 5), '…', ...spans.slice(-1)] : spans
  const fit = complete.length === 1 ? '1 attempt fits' : `${complete.length} attempts fit`
  const next = times[complete.length]
  const left = next && Math.max(0, budgetMs - next.startMs)
  const further = next ? `, the next would start at ${secondsText(next.startMs)} with ${secondsText(left ?? 0)} left` : ''
  return `${fit}${shown.length > 0 ? ` (${shown.join(', ')} ms)` : ''}${further}`
}
