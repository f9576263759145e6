import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import type { LimitState } from '../limits/limit-state.js'
import { settingOf } from '../limits/settings.js'
import { spotOf } from '../syntax/module.js'
import { functionAround } from '../terms/evaluator.js'
import { type At, isGlobal, type Term } from '../terms/term.js'

/** A deadline as the code has it. */
export interface GrpcDeadline {
  readonly limit: LimitState
  /** Where the present was asked for, if that is certain. */
  readonly now: At | null
  /** It is made of the deadline that came in. */
  readonly isInherited: boolean
}

/** An instant of 1973: smaller numbers were meant as a duration. */
const LONG_AGO = 1e11

const UNKNOWN: LimitState = { state: 'unknown', name: 'deadline', why: 'it is only known at run time' }

/** Reads an absolute deadline: `Date.now() + 2000`, `new Date(Date.now() + 2000)`, the earlier of that and the incoming one. */
export function grpcDeadline(term: Term, at: At): GrpcDeadline {
  if (term.kind === 'either' && term.isFallback) return grpcDeadline(term.of.at(-1) ?? term, at)
  const setting = settingOf(term)
  if (setting.state === 'absent') return { limit: none(at), now: null, isInherited: false }
  if (setting.state === 'given' && setting.value === Number.POSITIVE_INFINITY)
    return { limit: { ...none(at), spot: setting.spot, isOff: true }, now: null, isInherited: false }
  if (setting.state === 'given' && typeof setting.value === 'number' && setting.value < LONG_AGO)
    return { limit: writtenLimit(0, setting.spot, false), now: null, isInherited: false }
  if (term.kind !== 'made') return { limit: UNKNOWN, now: null, isInherited: mentionsIncoming(term) }
  if (isGlobal(term.callee, 'Date') && term.isNew && term.args[0]) return grpcDeadline(term.args[0], at)
  if (isGlobal(term.callee, 'Math.min')) return earliest(term.args.map((each) => grpcDeadline(each, at)))
  return ofSum(term)
}

function none({ node, module }: At): Extract<LimitState, { state: 'none' }> {
  return { state: 'none', name: 'deadline', spot: spotOf(node, module), isOff: false }
}

function earliest(all: readonly GrpcDeadline[]): GrpcDeadline {
  const known = all.find(({ limit }) => limit.state === 'written')
  return { limit: known?.limit ?? UNKNOWN, now: known?.now ?? null, isInherited: all.some(({ isInherited }) => isInherited) }
}

function ofSum(term: Extract<Term, { kind: 'made' }>): GrpcDeadline {
  const isSum = term.callee.kind === 'external' && term.callee.package === 'operator' && term.callee.path[0] === '+'
  const isInherited = mentionsIncoming(term)
  const now = isSum ? term.args.find(isNow) : undefined
  const added = isSum ? term.args.map((arg) => settingOf(arg)).find(({ state }) => state === 'given') : undefined
  if (now?.kind !== 'made' || added?.state !== 'given' || typeof added.value !== 'number') return { limit: UNKNOWN, now: null, isInherited }
  const limit = writtenLimit(Math.max(0, added.value), spotOf(term.at.node, term.at.module), added.isAssumed)
  return { limit, now: now.at, isInherited }
}

function writtenLimit(ms: number, spot: Spot, isAssumed: boolean): LimitState {
  return { state: 'written', name: 'deadline', kind: 'total', ms, origin: { kind: 'declared', spot }, cancels: true, isAssumed }
}

/** `Date.now()`, `new Date().getTime()`, `+new Date()`. */
function isNow(term: Term): boolean {
  if (term.kind !== 'made') return false
  if (isGlobal(term.callee, 'Date.now') || isGlobal(term.callee, 'performance.now')) return true
  if (term.callee.kind === 'member' && /^(getTime|valueOf)$/.test(term.callee.name)) return isNewDate(term.callee.object)
  return term.callee.kind === 'external' && term.callee.package === 'operator' && term.args.length === 1 && term.args.some(isNewDate)
}

function isNewDate(term: Term): boolean {
  return term.kind === 'made' && term.isNew && isGlobal(term.callee, 'Date') && term.args.length === 0
}

/** `call.getDeadline()`. */
function mentionsIncoming(term: Term): boolean {
  if (term.kind === 'member') return term.name === 'getDeadline' || mentionsIncoming(term.object)
  return term.kind === 'made' && (mentionsIncoming(term.callee) || term.args.some(mentionsIncoming))
}

/** True where the present was asked for once, when an object was made, and the call comes later; the top of a module is the rule's. */
export function isStale(now: At, call: At): boolean {
  const around = functionAround(now.node)
  return around !== null && isConstructor(around) && functionAround(call.node) !== around
}

function isConstructor(node: Node): boolean {
  return node.parent?.type === 'MethodDefinition' && node.parent.kind === 'constructor'
}

/** The functions a node stands in, from the inside out. */
export function functionsAround(node: Node): readonly NonNullable<ReturnType<typeof functionAround>>[] {
  const found: NonNullable<ReturnType<typeof functionAround>>[] = []
  for (let here = functionAround(node); here; here = functionAround(here)) found.push(here)
  return found
}
