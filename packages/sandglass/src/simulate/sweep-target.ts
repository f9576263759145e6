import { parseDuration } from '@sandglass/runtime/core'
import type { Call, Chain, Count, Journey, LimitMs, Scenario, Service } from '../model/chain.js'
import { didYouMean } from '../model/nearest.js'
import { declared, type Sourced, type Spot } from '../model/sourced.js'
import type { Adjustment } from './adjustment.js'

/** What a swept value is. */
export type SweepUnit = 'ms' | 'count' | 'perS' | 'share'

/** One thing that is set to one value after the other. */
export interface Sweep {
  /** As it was written, without the values. */
  readonly target: string
  readonly unit: SweepUnit
  /** In the order they are run. */
  readonly values: readonly number[]
  /** The scenario and what is different in the chain, for one value. */
  readonly at: (value: number) => { readonly scenario: Scenario; readonly adjustment: Adjustment }
}

/** A sweep, or the one line that says why it is none. */
export type ReadSweep = { readonly ok: true; readonly sweep: Sweep } | { readonly ok: false; readonly message: string }

/** Most points of one sweep. */
export const MOST_POINTS = 200

/** Points a range is cut into when it does not say its step. */
const USUAL_POINTS = 30

const EXPECTED =
  'expected a target and its values, as in "gateway.place-order>order.create.timeout=1s..30s", "order.concurrency=50..400", "load.place-order=100/s..3000/s" or "…=1s,3s,10s"'

const CALL_FIELDS: Readonly<
  Record<string, { readonly unit: SweepUnit; readonly apply: (call: Call, value: number, spot: Spot) => Partial<Call> }>
> = {
  timeout: { unit: 'ms', apply: (_, value, spot) => ({ timeoutMs: limit(value, spot) }) },
  attempt: { unit: 'ms', apply: (_, value, spot) => ({ attemptMs: limit(value, spot) }) },
  attempts: { unit: 'count', apply: (_, value, spot) => ({ attempts: count(value, spot) }) },
  queue: { unit: 'ms', apply: (_, value, spot) => ({ queue: { spot, totalMs: limit(value, spot) } }) },
  floor: { unit: 'ms', apply: (_, value, spot) => ({ floorMs: limit(value, spot) }) },
  reserve: { unit: 'ms', apply: (_, value, spot) => ({ reserveMs: limit(value, spot) }) },
  network: { unit: 'ms', apply: (_, value, spot) => ({ networkMs: limit(value, spot) }) },
  retryStartWithin: { unit: 'ms', apply: (_, value, spot) => ({ retryStartWithinMs: limit(value, spot) }) },
  bulkhead: { unit: 'count', apply: (_, value, spot) => ({ bulkhead: count(value, spot) }) },
  share: { unit: 'share', apply: (_, value, spot) => ({ share: declared(value, spot) }) },
  retryBudget: {
    unit: 'share',
    apply: (call, value, spot) => ({ retryBudget: declared({ kind: 'share', share: value, cap: capOf(call) }, spot) }),
  },
}

const SERVICE_FIELDS: readonly string[] = ['concurrency', 'instances']

/** Reads the text of `--sweep`: what to change, and the values it takes. */
export function readSweep(text: string, chain: Chain, scenario: Scenario): ReadSweep {
  const cut = text.lastIndexOf('=')
  if (cut < 1) return refuse(`--sweep "${text}": ${EXPECTED}`)
  const target = text.slice(0, cut).trim()
  const found = findTarget(target, chain, scenario)
  if ('message' in found) return refuse(`--sweep "${target}": ${found.message}`)
  const values = readValues(text.slice(cut + 1).trim(), found.unit)
  if (typeof values === 'string') return refuse(`--sweep "${text}": ${values}`)
  return { ok: true, sweep: { target, unit: found.unit, values, at: found.at } }
}

type Target = Pick<Sweep, 'unit' | 'at'> | { readonly message: string }

function findTarget(target: string, chain: Chain, scenario: Scenario): Target {
  const arrow = target.indexOf('>')
  const dot = target.lastIndexOf('.')
  if (dot < 1) return { message: EXPECTED }
  const field = target.slice(dot + 1)
  if (arrow > 0) return callTarget(target.slice(0, arrow).trim(), target.slice(arrow + 1, dot).trim(), field, chain, scenario)
  if (target.startsWith('load.') && !chain.services.has('load')) return loadTarget(target.slice(5), chain, scenario)
  return serviceTarget(target.slice(0, dot), field, chain, scenario)
}

function callTarget(from: string, to: string, field: string, chain: Chain, scenario: Scenario): Target {
  const known = CALL_FIELDS[field]
  const fields = Object.keys(CALL_FIELDS)
  if (!Object.hasOwn(CALL_FIELDS, field) || !known)
    return { message: `"${field}" of a call cannot be swept${didYouMean(field, fields)}; one can sweep ${fields.join(', ')}` }
  const calls = chain.calls.filter((call) => call.from.id === from && call.to.value === to)
  if (calls.length === 0) {
    const names = chain.calls.map((call) => `${call.from.id}>${call.to.value}`)
    return { message: `there is no call ${from}>${to}${didYouMean(`${from}>${to}`, names)}` }
  }
  const at = (value: number) => ({
    scenario,
    adjustment: { calls: new Map(calls.map((call) => [call, known.apply(call, value, call.spot)])) },
  })
  return { unit: known.unit, at }
}

function serviceTarget(name: string, field: string, chain: Chain, scenario: Scenario): Target {
  const service = chain.services.get(name)
  if (!service)
    return {
      message: `there is no service "${name}"${didYouMean(name, [...chain.services.keys()])}; a call is written caller.operation>callee.operation`,
    }
  if (!SERVICE_FIELDS.includes(field))
    return {
      message: `"${field}" of a service cannot be swept${didYouMean(field, SERVICE_FIELDS)}; one can sweep ${SERVICE_FIELDS.join(', ')}`,
    }
  const at = (value: number) => ({
    scenario,
    adjustment: { services: new Map<Service, Partial<Service>>([[service, { [field]: count(value, service.spot) }]]) },
  })
  return { unit: 'count', at }
}

function loadTarget(name: string, chain: Chain, scenario: Scenario): Target {
  const journey = chain.journeys.find((candidate: Journey) => candidate.name === name)
  if (!journey)
    return {
      message: `there is no journey "${name}"${didYouMean(
        name,
        chain.journeys.map((candidate) => candidate.name),
      )}`,
    }
  const at = (value: number) => {
    const others = scenario.load.size > 0 ? scenario.load : new Map()
    return {
      scenario: { ...scenario, load: new Map(others).set(name, declared([{ atMs: 0, ratePerS: value }], journey.spot)) },
      adjustment: {},
    }
  }
  return { unit: 'perS', at }
}

function readValues(text: string, unit: SweepUnit): readonly number[] | string {
  const range = /^(.+?)\.\.([^/]+(?:\/(?:s|m|h|min|sec))?)(?:\/(.+))?$/.exec(text)
  const parts = range ? [range[1] ?? '', range[2] ?? ''] : text.split(',')
  const values: number[] = []
  for (const part of parts) {
    const value = readValue(part.trim(), unit)
    if (typeof value === 'string') return value
    values.push(value)
  }
  if (values.length > MOST_POINTS) return `at most ${MOST_POINTS} values are run; found ${values.length}`
  if (!range) return values
  const [from = 0, to = 0] = values
  if (to <= from) return `a range rises; found ${parts[0]} to ${parts[1]}`
  if (range[3] === undefined) return usualValues(from, to, unit)
  const step = readValue(range[3].trim(), unit)
  if (typeof step === 'string') return step
  if (!(step > 0) || (to - from) / step > MOST_POINTS)
    return `a step above 0 with at most ${MOST_POINTS} points was expected; found ${range[3]}`
  return stepped(from, to, step)
}

function readValue(text: string, unit: SweepUnit): number | string {
  if (unit === 'ms') {
    const read = parseDuration(text)
    return read.ok ? read.ms : read.message
  }
  if (unit === 'share') {
    const found = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text)
    const share = found ? Number(found[1]) / (found[2] === '%' ? 100 : 1) : Number.NaN
    return share <= 1 ? share : `expected a share such as 8% or 0.08; found "${text}"`
  }
  if (unit === 'perS') {
    const found = /^(\d+(?:\.\d+)?)\s*\/\s*(s|sec|m|min|h)$/.exec(text)
    if (!found) return `expected a rate such as 3000/s; found "${text}"`
    return Number(found[1]) / (found[2] === 'h' ? 3600 : found[2]?.startsWith('m') ? 60 : 1)
  }
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : `expected a whole number of 1 or more; found "${text}"`
}

/** Even steps of a round length; where the ends are far apart, 1, 2, 3, 5, 7, 10 … times a power of ten. */
function usualValues(from: number, to: number, unit: SweepUnit): readonly number[] {
  if (from > 0 && to / from > 50) return roundValues(from, to)
  const rough = (to - from) / USUAL_POINTS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * (1 - 1e-9)) ?? rough
  return stepped(from, to, unit === 'count' ? Math.max(1, Math.round(step)) : step)
}

function roundValues(from: number, to: number): readonly number[] {
  const values = [from]
  for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) {
    for (const factor of [1, 2, 3, 5, 7]) if (factor * power > from && factor * power < to) values.push(tidy(factor * power))
  }
  return [...values, to]
}

function stepped(from: number, to: number, step: number): readonly number[] {
  const values: number[] = []
  for (let i = 0; from + i * step < to - step * 1e-6; i++) values.push(tidy(from + i * step))
  return [...values, to]
}

function tidy(value: number): number {
  return Number(value.toPrecision(12))
}

function limit(value: number, spot: Spot): Sourced<LimitMs> {
  return declared<LimitMs>(value, spot)
}

function count(value: number, spot: Spot): Sourced<Count> {
  return declared<Count>(value, spot)
}

function capOf(call: Call): number | 'none' {
  return call.retryBudget?.value.kind === 'share' ? call.retryBudget.value.cap : 10
}

function refuse(message: string): ReadSweep {
  return { ok: false, message }
}
