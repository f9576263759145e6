import { mayRetry } from '@sandglass/runtime/core'
import { isLeaf } from '../model/arithmetic.js'
import type { Call, Chain, Operation, Scenario } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import { orderChain } from '../model/order.js'
import { MOST_ATTEMPTS } from './build-world.js'
import { faultEndsAt } from './faults.js'
import { loadOf } from './scenario-load.js'

/** What a run assumes that the file does not say, one note each; only what the load reaches is looked at. */
export function assumptionsOf(chain: Chain, scenario: Scenario): readonly Note[] {
  const reached = reachedBy(loadOf(chain, scenario).map(({ journey }) => journey.start!))
  const operations = [...reached]
  const calls = operations.flatMap((operation) => operation.calls)
  return [
    ...slotNotes(operations),
    ...lawNotes(operations),
    ...reserveNotes(calls),
    ...calls.flatMap(callNotes),
    ...admissionNotes(operations),
    ...cycleNotes(chain, reached),
    ...faultNotes(scenario),
  ]
}

function reachedBy(starts: readonly Operation[]): ReadonlySet<Operation> {
  const reached = new Set(starts)
  for (const operation of reached) for (const { callee } of operation.calls) if (callee) reached.add(callee)
  return reached
}

function listed(names: readonly string[]): string {
  const all = [...new Set(names)]
  return all.length > 5 ? `${all.slice(0, 4).join(', ')} and ${all.length - 4} more` : all.join(', ')
}

/** One note for all services without a known number of slots. */
function slotNotes(operations: readonly Operation[]): Note[] {
  const services = [...new Set(operations.map(({ service }) => service))].filter(({ kind }) => kind.value !== 'client')
  const unlimited = services.filter(({ concurrency }) => typeof concurrency?.value !== 'number')
  return unlimited[0]
    ? [
        {
          spot: unlimited[0].spot,
          message: `no number of slots is known for ${listed(unlimited.map(({ name }) => name))}: taken as unlimited`,
        },
      ]
    : []
}

function lawNotes(operations: readonly Operation[]): Note[] {
  const notes: Note[] = []
  const silent = operations.filter(
    (operation) => isLeaf(operation) && !operation.latency && !operation.work && operation.service.kind.value !== 'client',
  )
  if (silent[0])
    notes.push({ spot: silent[0].spot, message: `no latency is known for ${listed(silent.map(({ id }) => id))}: they answer at once` })
  for (const operation of operations) {
    if (!isLeaf(operation) && operation.latency && !operation.work)
      notes.push({
        spot: operation.latency.origin.spot,
        message: `${operation.id} makes calls, so its "latency" is not used; its own time is "work"`,
      })
  }
  return notes
}

function reserveNotes(calls: readonly Call[]): Note[] {
  const silent = calls.filter((call) => call.reserveMs.origin.kind === 'default' && call.deadline.value === 'propagate')
  return silent[0]
    ? [
        {
          spot: silent[0].spot,
          message: `no reserve is given for ${listed(silent.map(({ from, to }) => `${from.id} > ${to.value}`))}: taken as 0 (the runtime keeps max(5 ms, 5 %))`,
        },
      ]
    : []
}

function callNotes(call: Call): Note[] {
  const name = `${call.from.id} > ${call.to.value}`
  const out: string[] = []
  const attempts = call.attempts.value
  if (!call.callee) out.push(`${name}: there is no such operation; the call is left out`)
  else if (attempts !== 1 && attempts !== 'unknown' && !mayRetry(call.callee.does.value, { idempotencyKey: call.idempotencyKey.value })) {
    out.push(`${name} repeats ${articled(call.callee.does.value)} as the file says; the runtime would not`)
  }
  if (attempts === 'none') out.push(`${name} tries without limit: taken as ${MOST_ATTEMPTS} attempts`)
  if (attempts === 'unknown') out.push(`${name}: its number of attempts is unknown; taken as 1`)
  if (call.timeoutMs?.value === 'unknown' || call.attemptMs?.value === 'unknown') out.push(`${name}: its limit is unknown; taken as none`)
  if (call.hedgeAfterMs) out.push(`${name}: its hedge is not simulated`)
  return out.map((message) => ({ spot: call.spot, message }))
}

/** Admission compares with a deadline: a service that does not honour one drops nothing. */
function admissionNotes(operations: readonly Operation[]): Note[] {
  const services = [...new Set(operations.map(({ service }) => service))]
  return services
    .filter(({ admission, deadline }) => admission.value !== 'none' && deadline.value === 'ignore')
    .map(({ name, admission }) => ({
      spot: admission.origin.spot,
      message: `${name} ignores deadlines, so its "admission: ${admission.value}" drops nothing; it needs "deadline: propagate"`,
    }))
}

function cycleNotes(chain: Chain, reached: ReadonlySet<Operation>): Note[] {
  const closing = [...orderChain(chain).closing].filter(({ from }) => reached.has(from))
  return closing.map((call) => ({ spot: call.spot, message: `${call.from.id} > ${call.to.value} closes a cycle; the call is left out` }))
}

function faultNotes({ faults, durationMs }: Scenario): Note[] {
  const open = faults.filter((fault) => faultEndsAt(fault) >= durationMs.value)
  return open.map((fault) => ({
    spot: fault.spot,
    message: `the fault on ${fault.on.value} lasts until the end of the run, so nothing can recover from it`,
  }))
}

function articled(word: string): string {
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}
