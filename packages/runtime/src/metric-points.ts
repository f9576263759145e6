import { boundedNames } from './bounded-names.js'
import type { SandglassRecord } from './observe.js'

/** One thing to count or measure, whatever the metrics library is. Its name is without prefix and unit; durations are in ms. */
export interface MetricPoint {
  readonly kind: 'count' | 'durationMs'
  readonly name: MetricName
  readonly value: number
  readonly labels: Readonly<Record<string, string>>
}

/** The name of a metric. */
export type MetricName =
  | 'calls'
  | 'call_attempts'
  | 'call_duration'
  | 'call_queue'
  | 'call_late_work'
  | 'requests'
  | 'request_duration'
  | 'request_transit'
  | 'loop_delay'
  | 'detached'
  | 'would_have'
  | 'limits_changes'

/** What a metric says. */
export interface Metric {
  readonly kind: MetricPoint['kind']
  readonly help: string
  readonly labels: readonly string[]
}

/** All metrics by name. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  calls: { kind: 'count', help: 'Calls that ended', labels: ['call', 'execution', 'usage', 'code'] },
  call_attempts: { kind: 'count', help: 'Attempts of calls', labels: ['call'] },
  call_duration: { kind: 'durationMs', help: 'Time from a call to its end', labels: ['call', 'usage'] },
  call_queue: { kind: 'durationMs', help: 'Time calls waited for a slot', labels: ['call'] },
  call_late_work: { kind: 'durationMs', help: 'Time work went on after its call had given it up', labels: ['call'] },
  requests: { kind: 'count', help: 'Requests that ended', labels: ['operation', 'outcome', 'budget_from'] },
  request_duration: { kind: 'durationMs', help: 'Time from a request to its end', labels: ['operation', 'outcome'] },
  request_transit: { kind: 'durationMs', help: 'Time requests lost on their way here', labels: ['operation'] },
  loop_delay: { kind: 'durationMs', help: 'Event-loop delay within what expired', labels: ['where'] },
  detached: { kind: 'count', help: 'Detached work that ended', labels: ['outcome'] },
  would_have: { kind: 'count', help: 'What observe-only mode let pass', labels: ['where', 'code'] },
  limits_changes: { kind: 'count', help: 'Changes of a limits file', labels: ['accepted'] },
}

/** Turns records into metric points. At most `mostNames` (default 200) call and operation names are told apart, the rest is `other`. */
export function metricPoints(mostNames = 200): (record: SandglassRecord) => readonly MetricPoint[] {
  const callName = boundedNames(mostNames)
  const operationName = boundedNames(mostNames)
  return (record) => {
    switch (record.kind) {
      case 'call':
        return callPoints(record, callName(record.call))
      case 'request':
        return requestPoints(record, operationName(record.operation))
      case 'detached':
        return [count('detached', { outcome: record.outcome })]
      case 'limits':
        return [count('limits_changes', { accepted: String(record.accepted) })]
    }
  }
}

function callPoints(record: Extract<SandglassRecord, { kind: 'call' }>, call: string): readonly MetricPoint[] {
  const { execution, usage, code = 'none', attempts, usedMs, queueMs, wentOnMs, loopDelayMs, wouldHave } = record
  return [
    count('calls', { call, execution, usage, code }),
    count('call_attempts', { call }, attempts),
    took('call_duration', { call, usage }, usedMs),
    ...(queueMs > 0 ? [took('call_queue', { call }, queueMs)] : []),
    ...(wentOnMs !== undefined && wentOnMs > 0 ? [took('call_late_work', { call }, wentOnMs)] : []),
    ...(loopDelayMs > 0 ? [took('loop_delay', { where: 'call' }, loopDelayMs)] : []),
    ...wouldHave.map((refused) => count('would_have', { where: 'call', code: refused })),
  ]
}

function requestPoints(record: Extract<SandglassRecord, { kind: 'request' }>, operation: string): readonly MetricPoint[] {
  const { outcome, budgetFrom, usedMs, transitMs, loopDelayMs, wouldHave } = record
  return [
    count('requests', { operation, outcome, budget_from: budgetFrom }),
    took('request_duration', { operation, outcome }, usedMs),
    ...(transitMs > 0 ? [took('request_transit', { operation }, transitMs)] : []),
    ...(loopDelayMs > 0 ? [took('loop_delay', { where: 'request' }, loopDelayMs)] : []),
    ...wouldHave.map((refused) => count('would_have', { where: 'request', code: refused })),
  ]
}

function count(name: MetricName, labels: MetricPoint['labels'], value = 1): MetricPoint {
  return { kind: 'count', name, value, labels }
}

function took(name: MetricName, labels: MetricPoint['labels'], value: number): MetricPoint {
  return { kind: 'durationMs', name, value, labels }
}
