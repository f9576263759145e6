import type { CallPart, ChainFile, Named, ServicePart } from '../model/chain-file.js'
import type { JoinedFile } from './join.js'
import { nameOf } from './target.js'

/** What came of one system, and the folder that it fills. */
export interface JoinedSystem {
  readonly folder: string
  readonly file: JoinedFile
}

/** Puts chains that know nothing of each other into one; of services with the same name each later one gets its folder's before it. */
export function joinSystems(systems: readonly JoinedSystem[]): JoinedFile | undefined {
  const taken = { services: new Set<string>(), journeys: new Set<string>() }
  const remarks = new Map<CallPart, readonly string[]>()
  const files = systems.map((system) => renamed(system, taken, remarks))
  const [first] = files
  return (
    first && {
      ...first,
      journeys: files.flatMap(({ journeys }) => journeys),
      services: files.flatMap(({ services }) => services),
      problems: files.flatMap(({ problems }) => problems),
      notes: files.flatMap(({ notes }) => notes),
      deadSettings: files.flatMap(({ deadSettings }) => deadSettings ?? []),
      remarks,
    }
  )
}

interface Taken {
  readonly services: Set<string>
  readonly journeys: Set<string>
}

function renamed({ folder, file }: JoinedSystem, taken: Taken, remarks: Map<CallPart, readonly string[]>): ChainFile {
  const prefix = nameOf(folder.split('/').at(-2) ?? 'system')
  const own = new Set(file.services.map(({ name }) => name))
  const names = new Map(file.services.map(({ name }) => [name, freeName(name, prefix, taken.services, own)]))
  for (const name of names.values()) taken.services.add(name)
  const isSame = [...names].every(([before, after]) => before === after)
  for (const [call, text] of file.remarks) if (isSame) remarks.set(call, text)
  const journeys = file.journeys.map((journey) => {
    const name = freeName(journey.name, prefix, taken.journeys, new Set())
    taken.journeys.add(name)
    const { starts } = journey.part
    return {
      ...journey,
      name,
      part: { ...journey.part, ...(starts ? { starts: { ...starts, value: otherName(starts.value, names) } } : {}) },
    }
  })
  if (isSame) return { ...file, journeys }
  return { ...file, journeys, services: file.services.map((service) => otherService(service, names, file, remarks)) }
}

function otherService(
  service: Named<ServicePart>,
  names: ReadonlyMap<string, string>,
  file: JoinedFile,
  remarks: Map<CallPart, readonly string[]>,
): Named<ServicePart> {
  const otherCall = (call: CallPart): CallPart => {
    const other = call.to ? { ...call, to: { ...call.to, value: otherName(call.to.value, names) } } : call
    const text = file.remarks.get(call)
    if (text) remarks.set(other, text)
    return other
  }
  const operations = service.part.operations.map((operation) => ({
    ...operation,
    part: { ...operation.part, steps: operation.part.steps.map((step) => ({ ...step, calls: step.calls.map(otherCall) })) },
  }))
  return { ...service, name: names.get(service.name) ?? service.name, part: { ...service.part, operations } }
}

/** `order.request` under the service's other name. */
function otherName(target: string, names: ReadonlyMap<string, string>): string {
  const dot = target.indexOf('.')
  const name = dot < 0 ? target : target.slice(0, dot)
  return `${names.get(name) ?? name}${dot < 0 ? '' : target.slice(dot)}`
}

function freeName(name: string, prefix: string, taken: ReadonlySet<string>, own: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const base = name.startsWith(prefix) ? name : `${prefix}-${name}`
  let free = base
  for (let number = 2; taken.has(free) || (own.has(free) && free !== name); number++) free = `${base}-${number}`
  return free
}
