import { METRICS, type MetricName, metricPoints } from '../metric-points.js'
import { observe, type SandglassRecord } from '../observe.js'

/** Attributes of OpenTelemetry. */
export type OtelAttributes = Record<string, string | number | boolean>

/** What is needed of an OpenTelemetry meter. */
export interface OtelMeter {
  createCounter(name: string, options: { description: string }): { add(value: number, attributes?: OtelAttributes): void }
  createHistogram(
    name: string,
    options: { description: string; unit: string },
  ): { record(value: number, attributes?: OtelAttributes): void }
}

/** What is needed of an OpenTelemetry span. */
export interface OtelSpan {
  setAttributes(attributes: OtelAttributes): unknown
  addEvent(name: string, attributes?: OtelAttributes): unknown
  setStatus(status: { code: 2; message?: string }): unknown
}

/** Where records go. */
export interface OtelSinkOptions {
  /** For metrics; left out, there are none. */
  readonly meter?: OtelMeter
  /** The span that is active, such as `trace.getActiveSpan`; it is asked in the context of the call or request. Left out, spans are left alone. */
  readonly activeSpan?: () => OtelSpan | undefined
  /** How many call and operation names are told apart in metrics; default 200. */
  readonly mostNames?: number
}

const STATUS_ERROR = 2

/**
 * Hands all records to OpenTelemetry: metrics (`sandglass.calls`, `sandglass.call.duration_ms`, …), attributes on the span of the request and an event for each call.
 * What was cancelled on purpose is no error; what ran out of time is one. Returns what ends it.
 */
export function otelSink({ meter, activeSpan, mostNames = 200 }: OtelSinkOptions): () => void {
  const write = meter === undefined ? () => undefined : metricWriter(meter, mostNames)
  return observe((record) => {
    write(record)
    const span = activeSpan?.()
    if (span !== undefined) writeSpan(span, record)
  })
}

function metricWriter(meter: OtelMeter, mostNames: number): (record: SandglassRecord) => void {
  const writers = new Map<MetricName, (value: number, attributes: OtelAttributes) => void>()
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { kind, help } = METRICS[name]
    const dotted = `sandglass.${name.replace('_', '.')}`
    if (kind === 'count') {
      const counter = meter.createCounter(dotted, { description: help })
      writers.set(name, (value, attributes) => counter.add(value, attributes))
    } else {
      const histogram = meter.createHistogram(`${dotted}_ms`, { description: help, unit: 'ms' })
      writers.set(name, (value, attributes) => histogram.record(value, attributes))
    }
  }
  const points = metricPoints(mostNames)
  return (record) => {
    for (const { name, labels, value } of points(record)) writers.get(name)?.(value, labels)
  }
}

function writeSpan(span: OtelSpan, record: SandglassRecord): void {
  if (record.kind === 'request') {
    span.setAttributes(
      attributesOf(record, [
        'outcome',
        'status',
        'budgetInMs',
        'budgetFrom',
        'transitMs',
        'queueMs',
        'loopDelayMs',
        'usedMs',
        'reserveMs',
        'hop',
        'whose',
      ]),
    )
    span.setAttributes({ 'sandglass.degraded': record.degraded.map(({ call }) => call).join(',') })
    if (record.outcome === 'expired') span.setStatus({ code: STATUS_ERROR, message: 'DEADLINE_EXCEEDED' })
  }
  if (record.kind === 'call') {
    const fields = [
      'call',
      'does',
      'execution',
      'usage',
      'code',
      'whose',
      'attempts',
      'stopped',
      'budgetInMs',
      'handedDownMs',
      'usedMs',
      'queueMs',
      'loopDelayMs',
      'wentOnMs',
    ] as const
    span.addEvent('sandglass.call', attributesOf(record, fields))
  }
}

function attributesOf<Record extends object>(record: Record, fields: readonly (keyof Record & string)[]): OtelAttributes {
  const attributes: OtelAttributes = {}
  for (const field of fields) {
    const value = record[field]
    // Infinity has no place in an attribute: no deadline is said by leaving the budget out.
    if (typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      attributes[`sandglass.${field}`] = value
  }
  return attributes
}
