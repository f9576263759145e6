import { callFields } from './call-fields.js'
import type { CallFields, CheckSettings, DeadSetting, Defaults } from './chain.js'
import type { Note, Problem } from './diagnostic.js'
import { asMap, asScalar, described, type Reading, readFields, refuse, spotOf } from './field.js'
import { didYouMean } from './nearest.js'
import { defaultsFields, mapOrNothing, type OperationFields, operationFields, type ServiceFields, serviceFields } from './service-fields.js'
import { declared, type Source, type Sourced, type Spot } from './sourced.js'
import { checkFields, type JourneyFields, journeyFields, namedParts, type ScenarioPart, scenarioField } from './top-fields.js'
import { readYaml, type YamlEntry, type YamlNode, type YamlScalar } from './yaml-tree.js'

/** A thing with a name and the spot of that name. */
export interface Named<T> {
  readonly name: string
  readonly spot: Spot
  readonly part: T
}

export type CallPart = Partial<CallFields> & { readonly spot: Spot }

/** One step as it stands in the file. */
export type StepPart = { readonly spot: Spot; readonly parallel: boolean; readonly calls: readonly CallPart[] }

export interface OperationPart {
  readonly fields: Partial<OperationFields>
  readonly steps: readonly StepPart[]
}

export interface ServicePart {
  readonly fields: Partial<ServiceFields>
  readonly operations: readonly Named<OperationPart>[]
}

/** One chain file, read but not yet linked with the others. */
export interface ChainFile {
  readonly source: Source
  readonly include: readonly Sourced<string>[]
  readonly defaults: Defaults
  readonly journeys: readonly Named<Partial<JourneyFields>>[]
  readonly services: readonly Named<ServicePart>[]
  readonly check: Partial<CheckSettings>
  readonly scenarios: readonly Named<ScenarioPart>[]
  readonly problems: readonly Problem[]
  readonly notes: readonly Note[]
  /** Only where the file was made by an importer. */
  readonly deadSettings?: readonly DeadSetting[]
}

interface Draft {
  include: Sourced<string>[]
  defaults: Defaults
  journeys: Named<Partial<JourneyFields>>[]
  services: Named<ServicePart>[]
  check: Partial<CheckSettings>
  scenarios: Named<ScenarioPart>[]
}

/** The keys of a chain file, in the order people write them. */
export const TOP_KEYS = ['sandglass', 'include', 'defaults', 'journeys', 'services', 'check', 'scenarios'] as const

/** Reads one chain file: problems are values, nothing throws. */
export function readChainFile(source: Source): ChainFile {
  const reading: Reading = { source, problems: [], notes: [] }
  const draft: Draft = { include: [], defaults: {}, journeys: [], services: [], check: {}, scenarios: [] }
  const taken: Taken = new Map()
  const yaml = readYaml(source, { section: 'services', take: (key, value) => takeService(key, value, source, taken) })
  if (!yaml.ok) reading.problems.push(yaml.problem)
  else readTop(yaml.root, reading, draft, taken)
  return { source, ...draft, problems: reading.problems, notes: reading.notes }
}

const FIRST_LINE = 'a chain file starts with "sandglass: 1"'

/** Services that were read as soon as they were complete, by their names' nodes, with what was said of each. */
type Taken = Map<YamlNode, { readonly part: ServicePart | undefined; readonly reading: Reading }>

/** Reads a service before the rest of the file; its name stands for it in the tree. */
function takeService(key: YamlScalar, value: YamlNode, source: Source, taken: Taken): YamlNode {
  const reading: Reading = { source, problems: [], notes: [] }
  taken.set(key, { part: readService(value, key.text, reading), reading })
  return key
}

/** What was read early, at its turn: problems are told in the order of the file. */
function serviceOf(node: YamlNode, name: string, reading: Reading, taken: Taken): ServicePart | undefined {
  const early = taken.get(node)
  if (!early) return readService(node, name, reading)
  for (const { spot, message } of early.reading.problems) if (spot) refuse(reading, spot, message)
  reading.notes.push(...early.reading.notes)
  return early.part
}

function readTop(root: YamlNode | null, reading: Reading, draft: Draft, taken: Taken): void {
  const whole = { start: 0, end: 1 }
  if (root === null || (root.kind === 'scalar' && root.text.trim() === '')) {
    refuse(reading, whole, `the file is empty; ${FIRST_LINE}`)
    return
  }
  if (root.kind !== 'map') {
    refuse(reading, root, `expected a mapping; found ${described(root)}; ${FIRST_LINE}`)
    return
  }
  if (!root.entries.some((entry) => entry.key.text === 'sandglass')) refuse(reading, whole, `"sandglass: 1" is missing; ${FIRST_LINE}`)
  for (const entry of root.entries) readTopEntry(entry, reading, draft, taken)
}

function readTopEntry({ key, value }: YamlEntry, reading: Reading, draft: Draft, taken: Taken): void {
  switch (key.text) {
    case 'sandglass':
      if (value.kind !== 'scalar' || value.text !== '1')
        refuse(reading, value, `version 1 of the chain file is read here; found ${described(value)}`)
      return
    case 'include':
      draft.include = readInclude(value, reading)
      return
    case 'defaults': {
      const map = asMap(value, reading, 'defaults')
      if (map) draft.defaults = readFields(map, defaultsFields, reading, 'defaults')
      return
    }
    case 'journeys':
      draft.journeys = named(value, reading, 'journeys', (node) => readJourney(node, reading))
      return
    case 'services':
      draft.services = named(value, reading, 'services', (node, name) => serviceOf(node, name, reading, taken))
      return
    case 'check': {
      const map = asMap(value, reading, 'check')
      if (map) draft.check = readFields(map, checkFields, reading, 'check')
      return
    }
    case 'scenarios':
      draft.scenarios = named(value, reading, 'scenarios', (node) => scenarioField.read(node, reading))
      return
    default:
      if (!key.text.startsWith('x-'))
        refuse(
          reading,
          key,
          `a chain file has no section "${key.text.slice(0, 60)}"${didYouMean(key.text, TOP_KEYS)}; it has ${TOP_KEYS.join(', ')}`,
        )
  }
}

function named<T>(value: YamlNode, reading: Reading, what: string, read: (node: YamlNode, name: string) => T | undefined): Named<T>[] {
  const out: Named<T>[] = []
  for (const { key, value: node } of namedParts(value, reading, what)) {
    if (key.text === '' || /[\s]/.test(key.text) || key.text.length > 200) {
      refuse(reading, key, `a name in ${what} has 1 to 200 characters and no spaces; found ${described(key)}`)
      continue
    }
    const part = read(node, key.text)
    if (part !== undefined) out.push({ name: key.text, spot: spotOf(key), part })
  }
  return out
}

function readInclude(node: YamlNode, reading: Reading): Sourced<string>[] {
  const out: Sourced<string>[] = []
  for (const item of node.kind === 'list' ? node.items : [node]) {
    const scalar = asScalar(item, reading, 'a file name or pattern such as services/*/sandglass.yaml')
    if (scalar) out.push(declared(scalar.text, spotOf(scalar)))
  }
  return out
}

function readJourney(node: YamlNode, reading: Reading): Partial<JourneyFields> | undefined {
  const map = asMap(node, reading, 'a journey')
  if (!map) return undefined
  const parts = readFields(map, journeyFields, reading, 'a journey')
  if (!parts.starts) refuse(reading, map, 'a journey needs "starts", the operation it starts with, as in starts: app.place-order')
  return parts
}

function readService(node: YamlNode, name: string, reading: Reading): ServicePart | undefined {
  if (name.includes('.'))
    return refuse(reading, node, `a service's name has no dot, because calls are written service.operation; found "${name}"`)
  const map = mapOrNothing(node, reading, 'a service')
  if (map === undefined) return undefined
  if (map === null) return { fields: {}, operations: [] }
  const { operationsNode, ...fields } = readFields(map, serviceFields, reading, 'a service')
  const operations = operationsNode ? named(operationsNode, reading, 'operations', (child) => readOperation(child, reading)) : []
  return { fields, operations }
}

function readOperation(node: YamlNode, reading: Reading): OperationPart | undefined {
  const map = mapOrNothing(node, reading, 'an operation')
  if (map === undefined) return undefined
  if (map === null) return { fields: {}, steps: [] }
  const { callsNode, ...fields } = readFields(map, operationFields, reading, 'an operation')
  return { fields, steps: callsNode ? readSteps(callsNode, reading) : [] }
}

function readSteps(node: YamlNode, reading: Reading): StepPart[] {
  if (node.kind !== 'list') {
    refuse(reading, node, `calls is a list, as in calls: [{ to: order.create, timeout: 2s }]; found ${described(node)}`)
    return []
  }
  const steps: StepPart[] = []
  for (const item of node.items) {
    const step = readStep(item, reading)
    if (step) steps.push(step)
  }
  return steps
}

function readStep(item: YamlNode, reading: Reading): StepPart | undefined {
  const group = item.kind === 'map' ? item.entries.find((entry) => entry.key.text === 'parallel') : undefined
  if (!group || item.kind !== 'map') {
    const call = readCall(item, reading)
    return call && { spot: call.spot, parallel: false, calls: [call] }
  }
  if (item.entries.length > 1) return refuse(reading, item, 'a parallel group has no other fields beside "parallel"')
  if (group.value.kind !== 'list' || group.value.items.length === 0) return refuse(reading, group.value, 'parallel is a list of calls')
  const calls: CallPart[] = []
  for (const member of group.value.items) {
    const call = readCall(member, reading)
    if (call) calls.push(call)
  }
  return { spot: spotOf(item), parallel: true, calls }
}

function readCall(node: YamlNode, reading: Reading): CallPart | undefined {
  const map = asMap(node, reading, 'a call')
  if (!map) return undefined
  const parts = readFields(map, callFields, reading, 'a call')
  if (!parts.to) {
    const written = map.entries.some((entry) => entry.key.text === 'to')
    return written ? undefined : refuse(reading, map, 'a call needs "to", the operation it asks, as in to: order.create')
  }
  return Object.assign(parts, { spot: spotOf(map) })
}
