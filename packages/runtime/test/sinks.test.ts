import { trace } from '@opentelemetry/api'
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import prom from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { boundedNames } from '../src/bounded-names.js'
import { call, constant, createInbound, detach, type OpenRequest, observe } from '../src/index.js'
import { jsonLineSink } from '../src/sinks/json-line.js'
import { otelSink } from '../src/sinks/otel.js'
import { promSink } from '../src/sinks/prom.js'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function work(): Promise<void> {
  const ask = call('inventory.available', { does: 'read', timeoutMs: 30, fallback: constant(0) }, (_, mode: 'well' | 'hang') =>
    mode === 'well' ? 5 : new Promise<number>(() => undefined),
  )
  await ask('well')
  await ask('hang')
  await call('orders.insert', { does: 'write', timeoutMs: 100, breaker: { consecutive: 1 } }, () =>
    Promise.reject(new Error('down')),
  )().catch(() => undefined)
  await detach({ budgetMs: 100, reason: 'audit' }, () => 1)
  createInbound({ budgetMs: 100 }).open(
    { operation: 'create', headers: { 'request-budget-ms': 'nonsense' } },
    (opened) => void (opened.state === 'open' && opened.request.answered(200)),
  )
  // The record of a call whose work did not stop comes when it is no longer watched.
  await new Promise((wake) => setTimeout(wake, 1080))
}

test('prom-client has counters and histograms in seconds, by call', async () => {
  const registry = new prom.Registry()
  stops.push(promSink(prom, { registers: [registry] }))
  await work()
  const text = await registry.metrics()
  expect(text).toContain('sandglass_calls_total{call="inventory.available",execution="succeeded",usage="used",code="none"} 1')
  expect(text).toContain('sandglass_calls_total{call="inventory.available",execution="failed",usage="degraded",code="DEADLINE_EXCEEDED"} 1')
  const seconds = Number(/sandglass_call_duration_seconds_sum\{call="inventory\.available",usage="degraded"\} ([\d.]+)/.exec(text)?.[1])
  expect(seconds).toBeGreaterThanOrEqual(0.03)
  expect(seconds).toBeLessThan(5)
  expect(text).toContain('sandglass_requests_total{operation="create",outcome="answered",budget_from="malformed"} 1')
  expect(text).toContain('sandglass_detached_total{outcome="succeeded"} 1')
})

test('a sink that is given to observe, which it is not meant for, is refused instead of ended by the first record', () => {
  const stop = promSink(prom, { registers: [new prom.Registry()] })
  stops.push(stop)
  expect(() => observe(stop)).toThrow(/a sink observes by itself/)
})

test('OpenTelemetry has the same metrics in ms', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const provider = new MeterProvider({ readers: [reader] })
  stops.push(otelSink({ meter: provider.getMeter('test') }))
  await work()
  await reader.forceFlush()
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const names = metrics.map(({ descriptor }) => `${descriptor.name} ${descriptor.unit}`)
  expect(names).toContain('sandglass.calls ')
  expect(names).toContain('sandglass.call.duration_ms ms')
  await provider.shutdown()
})

test('a span is told about the request and its calls; an expiry is an error, a deliberate cancel is not', async () => {
  const exporter = new InMemorySpanExporter()
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test')
  let span = tracer.startSpan('left')
  stops.push(otelSink({ activeSpan: () => span }))
  const inbound = createInbound({ budgetMs: 30 })
  const open = (): OpenRequest => {
    let request: OpenRequest | undefined
    inbound.open({ operation: 'create', headers: {} }, (opened) => void (request = opened.state === 'open' ? opened.request : undefined))
    return request as OpenRequest
  }
  const left = open()
  await left.run(() => call('a.b', { does: 'read', timeoutMs: 20 }, () => 1)())
  left.left()
  await Promise.resolve()
  span.end()
  span = tracer.startSpan('expired')
  const expired = open()
  await new Promise((wake) => expired.context.signal.addEventListener('abort', wake))
  expired.answered(504)
  await Promise.resolve()
  span.end()
  const [first, second] = exporter.getFinishedSpans()
  expect(first).toMatchObject({
    status: { code: 0 },
    attributes: { 'sandglass.outcome': 'caller-left' },
    events: [{ name: 'sandglass.call', attributes: { 'sandglass.call': 'a.b' } }],
  })
  expect(second).toMatchObject({ status: { code: 2 }, attributes: { 'sandglass.outcome': 'expired', 'sandglass.whose': 'own' } })
  expect(trace.getActiveSpan()).toBeUndefined()
})

test('a JSON line is one line, whose infinite budget is null', async () => {
  const lines: string[] = []
  stops.push(jsonLineSink({ write: (line) => void lines.push(line), filter: ({ kind }) => kind === 'call' }))
  await call('a.b', { does: 'read', timeoutMs: 100 }, () => 1)()
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith('\n')).toBe(true)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    schemaVersion: 1,
    kind: 'call',
    call: 'a.b',
    budgetInMs: null,
    execution: 'succeeded',
    usage: 'used',
  })
})

test('names from outside are bounded', () => {
  const bounded = boundedNames(3)
  expect(['a', 'b', 'c', 'd', 'a', 'e'].map(bounded)).toEqual(['a', 'b', 'c', 'other', 'a', 'other'])
})
