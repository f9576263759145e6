import type { CheckSettings, Fault, Journey, RateStep, Scenario, SeveritySetting } from './chain.js'
import { asMap, described, type Field, type Fields, fieldsSchema, type Reading, readFields, refuse, spotOf } from './field.js'
import { record } from './policy-fields.js'
import { rateSchema } from './schema-defs.js'
import { declared, type Sourced, type Spot } from './sourced.js'
import { boolean, exactMs, limit, mapOf, positiveNumber, rate, readMs, readRate, share, target, wholeNumber, word } from './value-fields.js'
import type { YamlMap, YamlNode } from './yaml-tree.js'

/** What stands in a journey. */
export type JourneyFields = Pick<Journey, 'promiseMs' | 'ratePerS'> & { readonly starts?: Journey['starts'] }

export const journeyFields: Fields<JourneyFields> = {
  promiseMs: { key: 'promise', field: limit('How long the user may wait for an answer or a clear failure; `none` for a stream.') },
  starts: { key: 'starts', field: target('The operation it starts with, written service.operation.') },
  ratePerS: { key: 'rate', field: rate("Requests at the journey's peak, over all instances.") },
}

const SEVERITIES: readonly SeveritySetting[] = ['error', 'warning', 'info', 'off']
const severities = mapOf('Severity by rule: error, warning, info or off.', 'severities', word('', SEVERITIES))

type PathSettings = CheckSettings['paths']

const pathsField: Field<PathSettings> = {
  doc: 'Severities for findings whose path matches a pattern: { "order.*": { no-basis: off } }.',
  schema: { type: 'object', additionalProperties: severities.schema },
  read(node, reading) {
    const map = asMap(node, reading, 'paths')
    if (!map) return undefined
    const out: { pattern: string; severities: ReadonlyMap<string, Sourced<SeveritySetting>> }[] = []
    for (const entry of map.entries) {
      const read = severities.read(entry.value, reading)
      if (read) out.push({ pattern: entry.key.text, severities: read })
    }
    return out
  },
}

/** The rules that compare with a number of their own choice. */
const ruleLimits: Fields<{ readonly amplification?: Sourced<number> }> = {
  amplification: {
    key: 'amplification',
    field: positiveNumber('One request may become so many calls before it is an error; 10 unless written.'),
  },
}

const limitsField: Field<CheckSettings['limits']> = {
  doc: 'Limits of rules by name, such as amplification: 10.',
  schema: fieldsSchema(ruleLimits),
  read(node, reading) {
    const map = asMap(node, reading, 'limits')
    return map && new Map(Object.entries(readFields(map, ruleLimits, reading, 'check.limits')))
  },
}

/** Every field of `check:`. */
export const checkFields: Fields<CheckSettings> = {
  severities: { key: 'severities', field: severities },
  limits: { key: 'limits', field: limitsField },
  paths: { key: 'paths', field: pathsField },
}

interface StepParts {
  atMs: Sourced<number>
  rate: Sourced<number | 'unknown'>
}

const stepFields: Fields<StepParts> = {
  atMs: { key: 'at', field: exactMs('From this time on.') },
  rate: { key: 'rate', field: rate('The rate from then on.') },
}

/** A load: one rate, or steps. */
const loadField: Field<Sourced<readonly RateStep[]>> = {
  doc: 'A rate, or steps: [{ at: 0s, rate: 620/s }, { at: 60s, rate: 180/s }].',
  schema: { anyOf: [rateSchema, { type: 'array', minItems: 1, items: fieldsSchema(stepFields, ['at', 'rate']) }] },
  read(node, reading) {
    if (node.kind !== 'list') {
      const ratePerS = readRate(node, reading)
      return ratePerS === undefined ? undefined : declared([{ atMs: 0, ratePerS }], spotOf(node))
    }
    const steps: RateStep[] = []
    for (const item of node.items) {
      const step = readStep(item, reading, steps[steps.length - 1])
      if (!step) return undefined
      steps.push(step)
    }
    return steps.length > 0 ? declared(steps, spotOf(node)) : refuse(reading, node, 'a load has at least one step')
  },
}

function readStep(item: YamlNode, reading: Reading, before: RateStep | undefined): RateStep | undefined {
  const map = asMap(item, reading, 'a step of a load')
  const parts = map && readFields(map, stepFields, reading, 'a step of a load')
  if (!map || !parts) return undefined
  if (!parts.atMs || !parts.rate || parts.rate.value === 'unknown')
    return refuse(reading, map, 'a step of a load is { at: 60s, rate: 180/s }')
  if (before && parts.atMs.value <= before.atMs) return refuse(reading, map, 'the steps of a load come in order of time')
  return { atMs: parts.atMs.value, ratePerS: parts.rate.value }
}

const faultLatency: Field<NonNullable<Fault['latency']>> = {
  doc: 'x20 multiplies every time, +2s adds to it.',
  schema: { type: 'string', pattern: '^(x[0-9]+(\\.[0-9]+)?|\\+.+)$', examples: ['x20', '+2s'] },
  read(node, reading) {
    const text = node.kind === 'scalar' ? node.text : ''
    const times = timesOf(text)
    if (times !== null) return declared({ times }, spotOf(node))
    if (node.kind === 'scalar' && text.startsWith('+')) {
      const ms = readMs({ ...node, text: text.slice(1).trim() }, reading)
      return ms === undefined ? undefined : declared({ addMs: ms }, spotOf(node))
    }
    return refuse(reading, node, `expected x20 (times) or +2s (more); found ${described(node)}`)
  },
}

function timesOf(text: string): number | null {
  const found = /^x(\d{1,9}(?:\.\d{1,9})?)$/.exec(text)
  return found ? Number(found[1]) : null
}

const capacity: Field<Sourced<number>> = {
  doc: 'Speed of every slot: x0.2 is five times slower.',
  schema: { type: 'string', pattern: '^x[0-9]+(\\.[0-9]+)?$' },
  read(node, reading) {
    const times = timesOf(node.kind === 'scalar' ? node.text : '')
    if (times === null || times === 0) return refuse(reading, node, `expected a speed such as x0.2; found ${described(node)}`)
    return declared(times, spotOf(node))
  },
}

type FaultParts = Partial<Omit<Fault, 'spot'>>

const faultFields: Fields<FaultParts> = {
  on: { key: 'on', field: target('The operation or service it strikes.') },
  atMs: { key: 'at', field: exactMs('From this time on.') },
  forMs: { key: 'for', field: exactMs('For so long; absent = until the end.') },
  latency: { key: 'latency', field: faultLatency },
  capacity: { key: 'capacity', field: capacity },
  slots: { key: 'slots', field: wholeNumber('So many slots are left.') },
  errors: { key: 'errors', field: share('This share fails at once.') },
  hang: { key: 'hang', field: share('This share is never answered.') },
  down: { key: 'down', field: boolean('Refuses every request.') },
}

const faultsField: Field<readonly Fault[]> = {
  doc: 'What goes wrong, and when.',
  schema: { type: 'array', items: fieldsSchema(faultFields, ['on', 'at']) },
  read(node, reading) {
    if (node.kind !== 'list') return refuse(reading, node, 'faults is a list')
    const out: Fault[] = []
    for (const item of node.items) {
      const map = asMap(item, reading, 'a fault')
      if (!map) return undefined
      const parts = readFields(map, faultFields, reading, 'a fault')
      if (!parts.on || !parts.atMs)
        return refuse(reading, map, 'a fault needs "on" and "at", as in { on: db.query, at: 20s, for: 40s, latency: x20 }')
      out.push({ spot: spotOf(map), ...parts } as Fault)
    }
    return out
  },
}

type ScenarioFields = Partial<Omit<Scenario, 'name' | 'spot'>>

const scenarioFields: Fields<ScenarioFields> = {
  load: { key: 'load', field: mapOf('Load by journey.', 'load', loadField) },
  arrivals: { key: 'arrivals', field: word('How requests arrive; default poisson.', ['poisson', 'constant']) },
  durationMs: { key: 'duration', field: exactMs('How long the run is.') },
  warmupMs: { key: 'warmup', field: exactMs('Nothing is counted before this time; default 0.') },
  faults: { key: 'faults', field: faultsField },
}

/** A scenario as it stands in the file. */
export interface ScenarioPart extends ScenarioFields {
  readonly spot: Spot
}

export const scenarioField: Field<ScenarioPart> = record<ScenarioPart>(
  'Load and faults for `simulate`.',
  'a scenario',
  scenarioFields as Fields<Omit<ScenarioPart, 'spot'>>,
)

/** Entries of a mapping of named parts, or nothing after a problem. */
export function namedParts(node: YamlNode, reading: Reading, what: string): YamlMap['entries'] {
  return asMap(node, reading, what)?.entries ?? []
}
