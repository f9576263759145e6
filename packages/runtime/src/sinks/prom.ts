import { METRICS, type MetricName, metricPoints } from '../metric-points.js'
import { observe } from '../observe.js'

/** What is needed of the module `prom-client`. */
export interface PromClient {
  readonly Counter: new (options: PromOptions) => { inc(labels: Readonly<Record<string, string>>, value: number): void }
  readonly Histogram: new (
    options: PromOptions & { buckets: number[] },
  ) => { observe(labels: Readonly<Record<string, string>>, value: number): void }
}

/** What a metric of `prom-client` is made with. */
export interface PromOptions {
  name: string
  help: string
  labelNames: string[]
  registers?: never[]
}

/** How metrics are kept. */
export interface PromSinkOptions {
  /** Registries to register with; default the global one. */
  readonly registers?: readonly unknown[]
  /** Bounds of the histograms (seconds); default 1 ms to 30 s. */
  readonly buckets?: readonly number[]
  /** How many call and operation names are told apart; default 200. */
  readonly mostNames?: number
}

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Keeps Prometheus metrics of all records (`sandglass_calls_total`, `sandglass_call_duration_seconds`, …) with the `prom-client` you have.
 * Returns what ends it.
 */
export function promSink(client: PromClient, { registers, buckets = BUCKETS_S, mostNames = 200 }: PromSinkOptions = {}): () => void {
  const writers = new Map<MetricName, (labels: Readonly<Record<string, string>>, value: number) => void>()
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { kind, help, labels } = METRICS[name]
    const shared = { help, labelNames: [...labels], ...(registers !== undefined && { registers: [...registers] as never[] }) }
    if (kind === 'count') {
      const counter = new client.Counter({ name: `sandglass_${name}_total`, ...shared })
      writers.set(name, (of, value) => counter.inc(of, value))
    } else {
      const histogram = new client.Histogram({ name: `sandglass_${name}_seconds`, buckets: [...buckets], ...shared })
      writers.set(name, (of, value) => histogram.observe(of, value / 1000))
    }
  }
  const points = metricPoints(mostNames)
  return observe((record) => {
    for (const { name, labels, value } of points(record)) writers.get(name)?.(labels, value)
  })
}
