import type { ServiceKind } from '../model/chain.js'
import { printable } from '../report/printable.js'

/** A call that was seen in a file, and the limits that stand there. */
export interface SeenCall {
  readonly to: string
  /** `compose.yaml:14 depends_on`. */
  readonly why: string
  readonly connect?: string
  readonly silence?: string
}

/** A service that was seen in a file. */
export interface SeenService {
  readonly name: string
  readonly kind: ServiceKind
  /** `compose.yaml:3, image postgres:16`. */
  readonly why: string
  readonly instances?: number
  readonly calls: readonly SeenCall[]
}

const FIRST_KINDS: readonly ServiceKind[] = ['client', 'edge', 'proxy', 'service']

/** The operation that stands for all a service can be asked, until somebody knows better. */
const operationOf: Readonly<Record<ServiceKind, string>> = {
  client: 'request',
  edge: 'request',
  proxy: 'request',
  service: 'request',
  database: 'query',
  cache: 'get',
  queue: 'publish',
  'third-party': 'request',
}

/** Merges what several files say of the same service. */
export function mergeSeen(seen: readonly SeenService[]): readonly SeenService[] {
  const merged = new Map<string, SeenService>()
  for (const service of seen) {
    const known = merged.get(service.name)
    merged.set(service.name, known ? join(known, service) : service)
  }
  for (const service of [...merged.values()]) {
    for (const { to, why } of service.calls) {
      if (!merged.has(to)) merged.set(to, { name: to, kind: 'service', why: `named in ${why}`, calls: [] })
    }
  }
  return [...merged.values()]
}

/** An nginx.conf belongs to the one proxy that a compose file runs nginx as. */
export function nameNginx(seen: readonly SeenService[]): readonly SeenService[] {
  const proxies = seen.filter(({ kind, why }) => kind === 'proxy' && why.includes('image nginx'))
  const only = proxies.length === 1 ? proxies[0] : undefined
  return only ? seen.map((service) => (service.name === 'nginx' ? { ...service, name: only.name } : service)) : seen
}

function join(a: SeenService, b: SeenService): SeenService {
  const calls = [...a.calls]
  for (const call of b.calls) {
    const at = calls.findIndex(({ to }) => to === call.to)
    const known = calls[at]
    if (known) calls[at] = { ...known, ...call, why: `${known.why}, ${call.why}` }
    else calls.push(call)
  }
  return { ...b, ...a, kind: a.kind === 'service' ? b.kind : a.kind, why: `${a.why}; ${b.why}`, calls }
}

/** A first chain file: what was seen, with where, and `unknown` for what was not. */
export function firstChain(services: readonly SeenService[], files: readonly string[], schema: string): string {
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    'sandglass: 1',
    '',
    `# Written by "sandglass init" from ${printable(files.join(', '))}.`,
    '# What could not be seen is written "unknown": put in what holds today, then run "sandglass check".',
    '',
    'journeys:',
    ...startsOf(services).flatMap(({ name, kind }) => [
      `  ${name}:`,
      '    promise: unknown # how long a user may wait for an answer or a clear failure',
      `    starts: ${name}.${operationOf[kind]}`,
    ]),
    '',
    'services:',
    ...services.flatMap((service) => serviceLines(service, services)),
  ]
  return `${lines.join('\n')}\n`
}

/** Where requests come in: services that no other one calls. */
function startsOf(services: readonly SeenService[]): readonly SeenService[] {
  const called = new Set(services.flatMap(({ calls }) => calls.map(({ to }) => to)))
  const able = services.filter(({ kind }) => FIRST_KINDS.includes(kind))
  const starts = able.filter(({ name }) => !called.has(name))
  return starts.length > 0 ? starts : (able.length > 0 ? able : services).slice(0, 1)
}

function serviceLines(service: SeenService, all: readonly SeenService[]): readonly string[] {
  const { name, kind, instances, calls } = service
  return [
    `  ${name}: # ${printable(service.why)}`,
    ...(kind === 'service' ? [] : [`    kind: ${kind}`]),
    ...(instances === undefined ? [] : [`    instances: ${instances}`]),
    '    operations:',
    `      ${operationOf[kind]}:${calls.length === 0 ? ' {}' : ''}`,
    ...(calls.length === 0 ? [] : ['        calls:', ...calls.flatMap((call) => callLines(call, all))]),
  ]
}

function callLines(call: SeenCall, all: readonly SeenService[]): readonly string[] {
  const kind = all.find(({ name }) => name === call.to)?.kind ?? 'service'
  const limits = [
    ...(call.connect === undefined ? [] : [`            connect: ${call.connect}`]),
    ...(call.silence === undefined ? [] : [`            silence: ${call.silence} # between two reads: not a limit of the whole call`]),
  ]
  return [
    `          - to: ${call.to}.${operationOf[kind]} # ${printable(call.why)}`,
    ...(limits.length > 0 ? limits : ['            timeout: unknown']),
    ...(kind === 'queue' ? ['            async: true'] : []),
  ]
}

/** A name as a chain file takes it: no dots or spaces, never empty. */
export function plainName(text: string): string {
  const plain = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
  return plain === '' ? 'service' : plain
}
