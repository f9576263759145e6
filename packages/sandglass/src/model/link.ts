import type { Call, Chain, CheckSettings, Defaults, Journey, Latency, Operation, Scenario, Service, Step } from './chain.js'
import type { CallPart, ChainFile, Named, OperationPart, ServicePart } from './chain-file.js'
import type { Note, Problem } from './diagnostic.js'
import { readHistogram } from './histogram.js'
import { byDefault, defaultsAt, placeOf, type Sourced, type Spot } from './sourced.js'
import type { JourneyFields, ScenarioPart } from './top-fields.js'

/** A chain, or why there is none; notes say what was assumed. */
export interface Linked {
  readonly chain: Chain
  readonly problems: readonly Problem[]
  readonly notes: readonly Note[]
}

/** The text of a histogram file named in `source`, or null when it could not be read. */
export type HistogramText = (file: string, from: string) => string | null

type Mutable<T> = { -readonly [P in keyof T]: T[P] }

/** Merges files into one chain: names are linked, what is absent gets a default that says so. */
export function linkChain(files: readonly ChainFile[], histogramText: HistogramText = () => null): Linked {
  return new Linker(files, histogramText).link()
}

class Linker {
  private readonly problems: Problem[] = []
  private readonly notes: Note[] = []
  private readonly services = new Map<string, Mutable<Service>>()
  private readonly operations = new Map<string, Mutable<Operation>>()
  private readonly calls: Mutable<Call>[] = []
  private readonly defaults: Mutable<Defaults> = {}

  constructor(
    private readonly files: readonly ChainFile[],
    private readonly histogramText: HistogramText,
  ) {}

  link(): Linked {
    for (const file of this.files) {
      this.problems.push(...file.problems)
      this.notes.push(...file.notes)
      this.mergeDefaults(file.defaults)
    }
    const written = this.unique(
      this.files.flatMap((file) => file.services),
      'service',
    )
    for (const service of written) this.addService(service)
    for (const service of written) this.addCalls(service)
    for (const call of this.calls) this.settleCall(call)
    const journeys = this.unique(
      this.files.flatMap((file) => file.journeys),
      'journey',
    ).map((journey) => this.journey(journey))
    const scenarios = this.unique(
      this.files.flatMap((file) => file.scenarios),
      'scenario',
    ).map(scenarioOf)
    const deadSettings = this.files.flatMap((file) => file.deadSettings ?? [])
    const chain: Chain = {
      ...(this.files.some((file) => file.deadSettings) ? { deadSettings } : {}),
      journeys,
      services: this.services,
      operations: this.operations,
      calls: this.calls,
      defaults: this.defaults,
      check: this.check(),
      scenarios,
    }
    return { chain, problems: this.problems, notes: this.notes }
  }

  private refuse(spot: Spot, message: string): void {
    this.problems.push({ file: spot.source.file, spot, message })
  }

  private unique<T>(parts: readonly Named<T>[], what: string): Named<T>[] {
    const seen = new Map<string, Spot>()
    return parts.filter(({ name, spot }) => {
      const first = seen.get(name)
      if (!first) {
        seen.set(name, spot)
        return true
      }
      const place = placeOf(first)
      this.refuse(spot, `${what} "${name}" is defined twice; the first is at ${place.file}:${place.line}`)
      return false
    })
  }

  private mergeDefaults(from: Defaults): void {
    for (const key of ['networkMs', 'reserveMs', 'floorMs'] as const) {
      const value = from[key]
      if (!value) continue
      if (this.defaults[key]) this.refuse(value.origin.spot, `defaults.${key.slice(0, -2)} is set in two files; one place was expected`)
      else this.defaults[key] = value
    }
  }

  private check(): CheckSettings {
    const parts = this.files.map((file) => file.check)
    return {
      severities: new Map(parts.flatMap((part) => [...(part.severities ?? [])])),
      limits: new Map(parts.flatMap((part) => [...(part.limits ?? [])])),
      paths: parts.flatMap((part) => part.paths ?? []),
    }
  }

  private addService({ name, spot, part }: Named<ServicePart>): void {
    const { fields } = part
    const deadline = fields.deadline ?? byDefault('ignore' as const, spot)
    const operations = new Map<string, Operation>()
    const service: Mutable<Service> = {
      ...fields,
      name,
      spot,
      kind: fields.kind ?? byDefault('service' as const, spot),
      instances: fields.instances ?? byDefault(1, spot),
      admission: fields.admission ?? byDefault('none' as const, spot),
      deadline,
      chainStop: fields.chainStop ?? byDefault(deadline.value === 'propagate', spot),
      pools: fields.pools ?? new Map(),
      operations,
    }
    this.services.set(name, service)
    for (const operation of part.operations) {
      const made = this.operation(service, operation)
      operations.set(operation.name, made)
      this.operations.set(made.id, made)
    }
  }

  private operation(service: Service, { name, spot, part }: Named<OperationPart>): Mutable<Operation> {
    const { fields } = part
    if (!fields.does && service.kind.value !== 'client') {
      this.notes.push({ spot, message: `${service.name}.${name} does not say what it does; taken for a write, the careful guess` })
    }
    const work = this.measured(fields.work)
    const latency = this.measured(fields.latency)
    return {
      ...fields,
      ...(work ? { work } : {}),
      ...(latency ? { latency } : {}),
      id: `${service.name}.${name}`,
      name,
      spot,
      service,
      does: fields.does ?? byDefault('write' as const, spot),
      steps: [],
      calls: [],
    }
  }

  private measured(latency: Sourced<Latency> | undefined): Sourced<Latency> | undefined {
    if (latency?.value.kind !== 'histogram') return latency
    const { spot } = latency.origin
    const { file } = latency.value
    const text = this.histogramText(file, spot.source.file)
    const read = text === null ? { ok: false as const, message: `histogram ${file} could not be read` } : readHistogram(text, file)
    if (read.ok) return { ...latency, value: read.latency }
    this.refuse(spot, read.message)
    return latency
  }

  private addCalls({ name, part }: Named<ServicePart>): void {
    for (const written of part.operations) {
      const operation = this.operations.get(`${name}.${written.name}`)
      if (!operation) continue
      const steps: Step[] = []
      for (const step of written.part.steps) {
        const calls = step.calls.map((call) => this.call(operation, call))
        if (step.parallel) steps.push({ kind: 'parallel', calls, spot: step.spot })
        else steps.push(...calls.map((call): Step => ({ kind: 'call', call })))
      }
      operation.steps = steps
      operation.calls = steps.flatMap((step) => (step.kind === 'call' ? [step.call] : step.calls))
    }
  }

  private call(from: Operation, part: CallPart): Call {
    const origin = defaultsAt(part.spot)
    const one = { value: 1, origin }
    const no = { value: false, origin }
    const zero = { value: 0, origin }
    // One literal with every field, present or not: 50,000 calls of one shape are built and read several times faster.
    const call = {
      index: this.calls.length,
      spot: part.spot,
      from,
      to: part.to,
      callee: this.operations.get(part.to?.value ?? '') ?? null,
      timeoutMs: part.timeoutMs,
      attemptMs: part.attemptMs,
      attempts: part.attempts ?? one,
      connectMs: part.connectMs,
      writeMs: part.writeMs,
      silenceMs: part.silenceMs,
      keepAliveMs: part.keepAliveMs,
      queue: part.queue,
      backoff: part.backoff,
      retryOn: part.retryOn,
      retryStartWithinMs: part.retryStartWithinMs,
      retryBudget: part.retryBudget,
      breaker: part.breaker,
      bulkhead: part.bulkhead,
      pool: part.pool,
      fallback: part.fallback,
      hedgeAfterMs: part.hedgeAfterMs,
      optional: part.optional ?? no,
      share: part.share ?? one,
      async: part.async ?? no,
      deadline: part.deadline ?? from.service.deadline,
      cancel: part.cancel ?? { value: 'stops-here', origin },
      idempotencyKey: part.idempotencyKey ?? no,
      reserveMs: part.reserveMs ?? this.defaults.reserveMs ?? zero,
      floorMs: part.floorMs ?? this.defaults.floorMs ?? zero,
      networkMs: part.networkMs ?? this.defaults.networkMs ?? zero,
      basis: part.basis,
      derived: undefined,
    } as Mutable<Call>
    this.calls.push(call)
    return call
  }

  /** What depends on both ends: cancellation reaches where a deadline is handed over, and pools must exist. */
  private settleCall(call: Mutable<Call>): void {
    const handedOver = call.deadline.value === 'propagate' && call.callee?.service.deadline.value === 'propagate'
    if (handedOver && call.cancel.origin.kind === 'default') call.cancel = byDefault('reaches' as const, call.spot)
    if (call.pool && !call.from.service.pools.has(call.pool.value)) {
      const known = [...call.from.service.pools.keys()]
      this.refuse(
        call.pool.origin.spot,
        `service "${call.from.service.name}" has no pool "${call.pool.value}"${known.length > 0 ? `; it has ${known.join(', ')}` : '; it declares no pools'}`,
      )
    }
  }

  private journey({ name, spot, part }: Named<Partial<JourneyFields>>): Journey {
    const starts = part.starts ?? byDefault('', spot)
    return { ...part, name, spot, starts, start: this.operations.get(starts.value) ?? null }
  }
}

function scenarioOf({ name, spot, part }: Named<ScenarioPart>): Scenario {
  return {
    name,
    spot,
    load: part.load ?? new Map(),
    arrivals: part.arrivals ?? byDefault('poisson' as const, spot),
    durationMs: part.durationMs ?? byDefault(60_000, spot),
    warmupMs: part.warmupMs ?? byDefault(0, spot),
    faults: part.faults ?? [],
  }
}
