import type { CallFields, LimitMs } from './chain.js'
import { asMap, type Field, type Fields, fieldsSchema, readFields, refuse } from './field.js'
import { backoffField, breakerField, fallbackField, queueWaitField, retryBudgetField, retryOnField } from './policy-fields.js'
import type { Sourced } from './sourced.js'
import { boolean, count, limit, share, target, text, word } from './value-fields.js'

interface HedgeParts {
  afterMs: Sourced<LimitMs>
}

const hedgeFields: Fields<HedgeParts> = { afterMs: { key: 'after', field: limit('A second try starts after this wait.') } }

const hedgeField: Field<Sourced<LimitMs>> = {
  doc: 'A second try beside the first after `after`; reads only.',
  schema: fieldsSchema(hedgeFields, ['after']),
  read(node, reading) {
    const map = asMap(node, reading, 'hedge')
    if (!map) return undefined
    return readFields(map, hedgeFields, reading, 'hedge').afterMs ?? refuse(reading, map, 'hedge needs "after", as in { after: 50ms }')
  },
}

/** Every field of a call. */
export const callFields: Fields<CallFields> = {
  to: { key: 'to', field: target('The operation that is asked, written service.operation.') },
  timeoutMs: { key: 'timeout', field: limit('The bound of the whole call: all tries, back-off and queueing included.') },
  attemptMs: { key: 'attempt', field: limit('The bound of one try.') },
  attempts: { key: 'attempts', field: count('All tries, the first included; default 1.', 1) },
  connectMs: { key: 'connect', field: limit('The bound of opening a connection.') },
  writeMs: { key: 'write', field: limit('The bound of writing the request.') },
  silenceMs: { key: 'silence', field: limit('The longest gap between two bytes of the answer.') },
  keepAliveMs: {
    key: 'keepAlive',
    field: limit("An idle connection to the callee is kept this long; default: the service's `keepAlive.upstreamIdle`."),
  },
  queue: { key: 'queue', field: queueWaitField },
  backoff: { key: 'backoff', field: backoffField },
  retryOn: { key: 'retryOn', field: retryOnField },
  retryStartWithinMs: { key: 'retryStartWithin', field: limit('No new try starts after this time.') },
  retryBudget: { key: 'retryBudget', field: retryBudgetField },
  breaker: { key: 'breaker', field: breakerField },
  bulkhead: { key: 'bulkhead', field: count('Slots of its own for this call, in one instance of the caller.', 1) },
  pool: { key: 'pool', field: text("The caller's pool that this call draws on.") },
  fallback: { key: 'fallback', field: fallbackField },
  hedgeAfterMs: { key: 'hedge', field: hedgeField },
  optional: { key: 'optional', field: boolean('The caller answers without it; default false.') },
  share: { key: 'share', field: share('The part of requests that make this call; default 100%.') },
  async: { key: 'async', field: boolean('Through a queue: the caller does not wait; default false.') },
  deadline: { key: 'deadline', field: word("Overrides the service's `deadline` for this call.", ['propagate', 'ignore']) },
  cancel: {
    key: 'cancel',
    field: word("Whether giving up stops the callee's work: `reaches` or `stops-here`.", ['reaches', 'stops-here']),
  },
  idempotencyKey: { key: 'idempotencyKey', field: boolean('Every try carries the same key, and the callee honours it; default false.') },
  reserveMs: { key: 'reserve', field: limit('What the caller keeps of the remaining budget.') },
  floorMs: { key: 'floor', field: limit('The least time with which this call is worth starting.') },
  networkMs: { key: 'network', field: limit('One hop there and back.') },
  basis: { key: 'basis', field: text('Why this value was chosen.') },
}
