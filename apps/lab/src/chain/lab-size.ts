import { kindOf, type Plain, type PlainChain, plainCalls } from './plain-chain.js'

/** How much of the chain's load one machine plays. */
export interface LabSize {
  /** Requests per second. */
  readonly ratePerS: number
  /** How long one arm runs (ms), warm-up included. */
  readonly durationMs: number
  /** What one hop there and back costs here (ms), as the calibration measured it. */
  readonly networkMs: number
}

/**
 * Brings a chain to the size of this machine: one instance of each service, with as many slots for the lab's rate as all
 * instances have for the chain's; a scenario's instants shrink with its duration. Latencies and limits stay as they are.
 */
export function toLabSize(chain: PlainChain, scenarioName: string, size: LabSize): PlainChain {
  const small = structuredClone(chain)
  const factor = size.ratePerS / declaredRatePerS(chain)
  for (const [name, service] of Object.entries(small.services)) {
    const instances = numberOr(service['instances'], 1)
    for (const { call } of callsFrom(small, name)) {
      if (typeof call['bulkhead'] === 'number') call['bulkhead'] = scaled(call['bulkhead'] * instances, factor)
      delete call['network']
    }
    if (kindOf(service) === 'client') continue
    if (typeof service['concurrency'] === 'number') service['concurrency'] = scaled(service['concurrency'] * instances, factor)
    const queue = service['queue'] as { [key: string]: Plain } | undefined
    if (queue && typeof queue['limit'] === 'number') queue['limit'] = scaled(queue['limit'] * instances, factor)
    service['instances'] = 1
  }
  small.defaults = { ...small.defaults, network: `${Math.round(size.networkMs * 100) / 100}ms` }
  for (const journey of Object.values(small.journeys)) journey['rate'] = `${size.ratePerS}/s`
  small.scenarios = { lab: labScenario(small, scenarioName, factor, size) }
  return small
}

function callsFrom(chain: PlainChain, name: string): ReturnType<typeof plainCalls> {
  return plainCalls(chain).filter(({ serviceName }) => serviceName === name)
}

function declaredRatePerS(chain: PlainChain): number {
  return perS(Object.values(chain.journeys)[0]?.['rate'])
}

function textOf(value: Plain | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A rate of a chain file per second; 1 where there is none. */
function perS(rate: Plain | undefined): number {
  const [, number = '1', unit = 's'] = /^([\d.]+)\/(s|m)$/.exec(textOf(rate)) ?? []
  return Number(number) / (unit === 'm' ? 60 : 1)
}

/** A journey's load: its steps in the proportions they have in the chain, or the lab's rate throughout. */
function labLoad(load: Plain | undefined, journey: string, shrink: number, factor: number, ratePerS: number): Plain {
  const steps = load !== null && typeof load === 'object' && !Array.isArray(load) ? load[journey] : undefined
  if (!Array.isArray(steps)) return `${ratePerS}/s`
  return (steps as { [key: string]: Plain }[]).map(({ at = '0s', rate }) => ({
    at: ms(msOf(at) * shrink),
    rate: `${Math.round(perS(rate ?? '') * factor * 100) / 100}/s`,
  }))
}

function labScenario(chain: PlainChain, name: string, factor: number, { durationMs, ratePerS }: LabSize): { [key: string]: Plain } {
  const scenario = chain.scenarios?.[name]
  if (!scenario) throw new Error(`the chain has no scenario ${name}`)
  const shrink = durationMs / msOf(scenario['duration'])
  const faults = (scenario['faults'] ?? []) as { [key: string]: Plain }[]
  return {
    load: Object.fromEntries(
      Object.keys(chain.journeys).map((journey) => [journey, labLoad(scenario['load'], journey, shrink, factor, ratePerS)]),
    ),
    duration: ms(durationMs),
    warmup: ms(msOf(scenario['warmup'] ?? '0ms') * shrink),
    faults: faults.map((fault) => ({
      ...fault,
      at: ms(msOf(fault['at']) * shrink),
      ...(fault['for'] !== undefined && { for: ms(msOf(fault['for']) * shrink) }),
    })),
  }
}

/** Slots for a share of the load; at least one. */
function scaled(slots: number, factor: number): number {
  return Math.max(1, Math.round(slots * factor))
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A duration of a chain file in ms; NaN where it is none. */
export function msOf(value: Plain | undefined): number {
  const parts = [...textOf(value).matchAll(/([\d.]+)(ms|s|m|h)/g)]
  return parts.length === 0 ? Number.NaN : parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS_MS[unit ?? 'ms']!, 0)
}

/** A duration as a chain file has it, in whole ms. */
export function ms(value: number): string {
  return `${Math.round(value)}ms`
}
