import type { Defaults, Operation, Probe, ServerLimits, Service, ServiceQueue } from './chain.js'
import { type Field, type Fields, type Reading, refuse, spotOf } from './field.js'
import { latencyField } from './latency-field.js'
import { record } from './policy-fields.js'
import { boolean, count, limit, mapOf, share, text, wholeNumber, word } from './value-fields.js'
import { isNothing, type YamlNode } from './yaml-tree.js'

type KeepAlive = NonNullable<Service['keepAlive']>
type Stream = NonNullable<Operation['stream']>

const streamFields: Fields<Omit<Stream, 'spot'>> = {
  heartbeatMs: { key: 'heartbeat', field: limit('The stream shows life at least this often.') },
}

/** `stream: { heartbeat }`, or `stream: true`. */
const streamField: Field<Stream> = {
  doc: 'The answer is a stream: { heartbeat: 30s }, or true.',
  schema: { anyOf: [{ const: true }, record<Stream>('', 'stream', streamFields).schema] },
  read(node, reading) {
    if (node.kind === 'scalar' && node.plain && node.text === 'true') return { spot: spotOf(node) }
    return record<Stream>('', 'stream', streamFields).read(node, reading)
  },
}

const limitsFields: Fields<Omit<ServerLimits, 'spot'>> = {
  requestMs: { key: 'request', field: limit('The handler gives up after this time.') },
  statementMs: { key: 'statement', field: limit('The database ends a statement after this time.') },
  lockMs: { key: 'lock', field: limit('The database gives up waiting for a lock after this time.') },
  idleMs: { key: 'idle', field: limit('An idle connection is closed after this time.') },
}

/** What stands in an operation besides its calls. */
export interface OperationFields extends Pick<Operation, 'stream' | 'work' | 'latency' | 'limits' | 'floorMs' | 'errors' | 'hangs'> {
  readonly does?: Operation['does']
  /** Read apart, because calls need the operation they stand in. */
  readonly callsNode?: YamlNode
}

const callsField: Field<YamlNode> = {
  doc: 'The calls it makes, one after the other; `- parallel: […]` makes its calls together.',
  schema: {
    type: 'array',
    items: {
      anyOf: [
        { $ref: '#/$defs/call' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['parallel'],
          properties: { parallel: { type: 'array', minItems: 1, items: { $ref: '#/$defs/call' } } },
        },
      ],
    },
  },
  read: (node: YamlNode) => node,
}

/** Every field of an operation. */
export const operationFields: Fields<OperationFields> = {
  does: {
    key: 'does',
    field: word('What it does, which decides what may be done when it is slow; default write.', [
      'read',
      'idempotent-write',
      'write',
      'external-effect',
      'manual',
      'compensation',
    ]),
  },
  stream: { key: 'stream', field: streamField },
  work: { key: 'work', field: latencyField('Its own time, calls excluded.') },
  latency: { key: 'latency', field: latencyField("A leaf's whole time.") },
  limits: { key: 'limits', field: record<ServerLimits>("The server's own limits.", 'limits', limitsFields) },
  floorMs: { key: 'floor', field: limit('The least time with which it is worth starting.') },
  errors: { key: 'errors', field: share('The share of requests that fails at once.') },
  hangs: { key: 'hangs', field: share('The share of requests that is never answered.') },
  callsNode: { key: 'calls', field: callsField },
}

const queueFields: Fields<Omit<ServiceQueue, 'spot'>> = {
  limit: { key: 'limit', field: count('At most so many requests wait; default none (unlimited).') },
  timeoutMs: { key: 'timeout', field: limit('No request waits longer; default none.') },
  order: { key: 'order', field: word('Which waiting request is next; default fifo.', ['fifo', 'lifo', 'codel']) },
}

const keepAliveFields: Fields<Omit<KeepAlive, 'spot'>> = {
  idleMs: { key: 'idle', field: limit('As a server: an idle connection from a caller is closed after this time.') },
  upstreamIdleMs: { key: 'upstreamIdle', field: limit('As a caller: an idle connection to a callee is kept this long.') },
}

const probeFields: Fields<Omit<Probe, 'spot'>> = {
  operation: { key: 'operation', field: text('The operation of this service that the probe asks.') },
  timeoutMs: { key: 'timeout', field: limit('The probe waits this long.') },
  periodMs: { key: 'period', field: limit('Time from one probe to the next.') },
  failures: { key: 'failures', field: wholeNumber('So many failed probes in a row take the instance out.', 1) },
}

/** What stands in a service. */
export interface ServiceFields extends Pick<Service, 'concurrency' | 'queue' | 'keepAlive' | 'probe'> {
  readonly kind?: Service['kind']
  readonly instances?: Service['instances']
  readonly admission?: Service['admission']
  readonly deadline?: Service['deadline']
  readonly chainStop?: Service['chainStop']
  readonly pools?: Service['pools']
  readonly operationsNode?: YamlNode
}

const operationsField: Field<YamlNode> = {
  doc: 'What it can be asked to do, by name.',
  schema: { type: 'object', additionalProperties: { $ref: '#/$defs/operation' } },
  read: (node: YamlNode) => node,
}

/** Every field of a service. */
export const serviceFields: Fields<ServiceFields> = {
  kind: {
    key: 'kind',
    field: word('What it is; default service.', ['client', 'edge', 'proxy', 'service', 'database', 'cache', 'queue', 'third-party']),
  },
  concurrency: { key: 'concurrency', field: count('Slots of one instance; absent = unlimited.', 1) },
  instances: { key: 'instances', field: count('How many instances share the load; default 1.', 1) },
  queue: { key: 'queue', field: record<ServiceQueue>('What waits for a slot; default unlimited, no timeout, fifo.', 'queue', queueFields) },
  admission: {
    key: 'admission',
    field: word('`none`, `expired` (drops what is already late) or `can-finish` (refuses what cannot be done in time); default none.', [
      'none',
      'expired',
      'can-finish',
    ]),
  },
  deadline: {
    key: 'deadline',
    field: word('`propagate` honours an incoming budget and forwards it; default ignore.', ['propagate', 'ignore']),
  },
  chainStop: {
    key: 'chainStop',
    field: boolean('A request that is itself a retry is not retried below; default true where the deadline is propagated.'),
  },
  keepAlive: { key: 'keepAlive', field: record<KeepAlive>('How long idle connections are kept.', 'keepAlive', keepAliveFields) },
  pools: { key: 'pools', field: mapOf('Named pools and their sizes, in one instance.', 'pools', count('Slots of the pool.', 1)) },
  probe: { key: 'probe', field: record<Probe>('Its health check.', 'probe', probeFields) },
  operationsNode: { key: 'operations', field: operationsField },
}

/** A mapping that may be left empty (`operation:` with nothing after it). */
export function mapOrNothing(node: YamlNode, reading: Reading, what: string): (YamlNode & { kind: 'map' }) | null | undefined {
  if (node.kind === 'map') return node
  if (isNothing(node)) return null
  return refuse(reading, node, `${what} is a mapping`)
}

/** The `defaults` block. */
export const defaultsFields: Fields<Defaults> = {
  networkMs: { key: 'network', field: limit('One hop there and back, unless a call says otherwise.') },
  reserveMs: { key: 'reserve', field: limit('What each hop keeps of the remaining budget.') },
  floorMs: { key: 'floor', field: limit('Below this a call is not worth starting.') },
}
