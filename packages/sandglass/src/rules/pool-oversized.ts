import type { Call, Chain, Count, Service } from '../model/chain.js'
import { advice, anyOf, type Change, changeCount } from '../model/change.js'
import type { Diagnostic, Factor } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { type Finding, findingAt, findingBeside, type Rule } from '../model/rule.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'

/** One pool of connections to a callee, in each instance of its caller. */
interface Pool {
  readonly call: Call
  readonly caller: Service
  readonly name: string
  readonly size: Sourced<number>
  readonly instances: Sourced<number>
  readonly connections: number
}

/** What all pools in front of a callee may open together, against what it takes. */
interface Sum {
  readonly callee: Service
  readonly pools: readonly Pool[]
  readonly connections: number
  readonly slots: Sourced<number>
  readonly taken: number
}

function isNumber(count: Sourced<Count>): count is Sourced<number> {
  return typeof count.value === 'number'
}

const CONNECTED = new Set(['database', 'cache', 'queue'])

/** Where a slot is a connection: databases and their like, and what only stands in front of them (a connection pooler). */
function takesConnections({ kind, operations }: Service): boolean {
  if (CONNECTED.has(kind.value)) return true
  const calls = [...operations.values()].flatMap((operation) => operation.calls)
  return kind.value === 'proxy' && calls.length > 0 && calls.every(({ callee }) => callee && CONNECTED.has(callee.service.kind.value))
}

function poolOf(call: Call): Pool | null {
  const caller = call.from.service
  const size = call.pool && caller.pools.get(call.pool.value)
  const { instances } = caller
  if (!call.pool || !size || !isNumber(size) || !isNumber(instances)) return null
  return { call, caller, name: call.pool.value, size, instances, connections: size.value * instances.value }
}

/** The sums by callee; a pool that several calls draw on counts once for each callee. What is not known is left out: the sum is at least that. */
function sumsOf(chain: Chain): readonly Sum[] {
  const pools = new Map<Service, Map<string, Pool>>()
  for (const call of chain.calls) {
    const callee = call.callee?.service
    const pool = callee && poolOf(call)
    if (!callee || !pool) continue
    const known = pools.get(callee) ?? new Map<string, Pool>()
    known.set(`${pool.caller.name} ${pool.name}`, known.get(`${pool.caller.name} ${pool.name}`) ?? pool)
    pools.set(callee, known)
  }
  return [...pools].flatMap(([callee, known]) => sumOf(callee, [...known.values()]) ?? [])
}

function sumOf(callee: Service, pools: readonly Pool[]): Sum | null {
  const { concurrency, instances } = callee
  if (!concurrency || !isNumber(concurrency) || !isNumber(instances) || !takesConnections(callee)) return null
  const connections = pools.reduce((sum, pool) => sum + pool.connections, 0)
  return { callee, pools, connections, slots: concurrency, taken: concurrency.value * instances.value }
}

function sumText({ caller, instances, size }: Pool): string {
  const each = size.worked === undefined ? `${size.value}` : `${size.worked}`
  return `${caller.name} ${instances.value} ${instances.value === 1 ? 'instance' : 'instances'} x ${each}`
}

function takenText({ callee, slots, taken }: Sum): string {
  const one = slots.worked === undefined ? '' : ` (${slots.worked})`
  return callee.instances.value === 1 ? `${taken}${one}` : `${callee.instances.value} instances x ${slots.value}${one} = ${taken}`
}

/** What the largest pool may have when the others stay; none where nothing would be left for it. */
function smaller(sum: Sum, largest: Pool): Change | null {
  const others = sum.connections - largest.connections
  const size = Math.floor((sum.taken - others) / largest.instances.value)
  if (size < 1) return advice('fewer or smaller pools: each of them takes its part even when the largest is gone')
  const name = `pool ${largest.name} of ${largest.caller.name}`
  return largest.size.worked === undefined ? changeCount(name, largest.size, size) : advice(`${name} ${largest.size.value} -> ${size}`)
}

function factorsOf({ callee, pools, slots }: Sum): Factor[] {
  return [
    ...pools.flatMap(({ caller, name, size, instances }) => [
      factor(`${caller.name} pools.${name}${size.worked === undefined ? '' : ` = ${size.worked}`}`, size, 'count'),
      factor(`${caller.name} instances`, instances, 'count'),
    ]),
    factor(`${callee.name} concurrency${slots.worked === undefined ? '' : ` = ${slots.worked}`}`, slots, 'count'),
    ...(callee.instances.value === 1 ? [] : [factor(`${callee.name} instances`, callee.instances, 'count')]),
  ]
}

function findingOf(view: View, sum: Sum): Diagnostic {
  const { callee, pools, connections, slots, taken } = sum
  const largest = pools.reduce((most, pool) => (pool.connections > most.connections ? pool : most))
  const isAssumed = [slots, ...pools.map(({ size }) => size)].some(({ origin }) => origin.kind === 'default')
  const who = pools.length === 1 ? `the pool of ${largest.caller.name}` : `${pools.length} pools`
  const finding: Finding = {
    rule: 'pool-oversized',
    severity: isAssumed ? 'warning' : 'error',
    message: `${who} may open ${connections} connections to ${callee.name}, which takes ${taken}`,
    arithmetic: `${pools.map(sumText).join(' + ')} = ${connections} > ${takenText(sum)}`,
    why: 'Under load the last connections are refused, so what fails is whatever grows or starts next: a deployment, a new instance, the person who wants to look.',
    spot: largest.size.origin.spot,
    label: `${largest.size.value} in each instance`,
    related: [{ spot: slots.origin.spot, label: `${callee.name} takes ${slots.value}` }],
    values: { connections, slots: taken, overBy: connections - taken },
    factors: factorsOf(sum),
    suggestion: anyOf([
      smaller(sum, largest),
      slots.fixed ? null : advice(`${callee.name} takes ${taken} -> at least ${connections}`),
      CONNECTED.has(callee.kind.value) && largest.caller.kind.value !== 'proxy' ? advice('a connection pooler in front of it') : null,
    ]),
  }
  const visit = view.perCall.find(({ call }) => call === largest.call)
  return visit ? findingAt(visit, finding) : findingBeside(finding)
}

function* check(view: View): Iterable<Diagnostic> {
  for (const sum of sumsOf(view.chain)) if (sum.connections > sum.taken) yield findingOf(view, sum)
}

/** The pools of all instances together are larger than what they draw on. */
export const poolOversized: Rule = {
  id: 'pool-oversized',
  severity: 'error',
  summary: 'the pools of all instances together open more connections than the callee takes',
  check,
}
