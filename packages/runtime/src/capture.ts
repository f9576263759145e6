import { epochNow, now, sharedNow } from './clock.js'
import { currentScope, runIn } from './context.js'
import { ConfigError } from './errors.js'
import type { RequestFacts } from './request-facts.js'
import { Scope } from './scope.js'
import { isThenable } from './settle-in.js'

/** A deadline to take along to where the context does not follow: plain data that survives `postMessage` and JSON. */
export interface Captured {
  readonly sandglass: 1
  /** What was left when it was captured (ms); -1 for no deadline. */
  readonly budgetMs: number
  /** When that was: monotonic ms of this machine, which all its threads and processes share. */
  readonly sharedAt: number
  /** When that was on the wall clock, for another machine. */
  readonly epochAt: number
  readonly machine: string
  readonly name: string
  readonly hop: number
  readonly attempt: number
}

const scopes = new WeakMap<object, Scope>()

/** Ties `fn` to the present scope: wherever it is called from (a pool, an emitter, a queue), it runs in this one. */
export function bind<This, Args extends readonly unknown[], T>(fn: (this: This, ...args: Args) => T): (this: This, ...args: Args) => T {
  const scope = currentScope()
  return function bound(this: This, ...args: Args): T {
    return runIn(scope, () => fn.apply(this, args as unknown as Args & unknown[]))
  }
}

/** Takes the present deadline along. In this thread `run` finds the very scope again, with its signal; elsewhere what is left of the time. */
export function capture(): Captured {
  const scope = currentScope()
  const leftMs = scope?.remainingAt(now()) ?? Infinity
  const token: Captured = {
    sandglass: 1,
    budgetMs: leftMs === Infinity ? -1 : leftMs,
    sharedAt: sharedNow(),
    epochAt: epochNow(),
    machine: machineName(),
    name: scope?.name ?? '',
    hop: scope?.facts?.hop ?? 0,
    attempt: Math.max(scope?.attempt ?? 1, scope?.facts?.inboundAttempt ?? 1, 1),
  }
  if (scope !== undefined) scopes.set(token, scope)
  return token
}

/**
 * Runs `fn(...args)` under a captured deadline. The time spent on the way counts; a deadline that has passed leaves 0 and the signal aborted.
 * Throws `ConfigError` for anything that is not a captured deadline.
 */
export function run<Args extends readonly unknown[], T>(token: Captured, fn: (...args: Args) => T, ...args: Args): T {
  const known = typeof token === 'object' && token !== null ? scopes.get(token) : undefined
  if (known !== undefined) return runIn(known, fn, ...args)
  checkToken(token)
  if (token.budgetMs < 0) return runIn(undefined, fn, ...args)
  const nowAt = now()
  const leftMs = Math.min(token.budgetMs, Math.max(0, token.budgetMs - awayMs(token)))
  const facts: RequestFacts = {
    request: 0,
    enteredAt: nowAt,
    hop: token.hop,
    inboundAttempt: token.attempt,
    reserveMs: undefined,
    degraded: [],
  }
  const scope = new Scope(undefined, token.name, nowAt, nowAt + leftMs, undefined, facts)
  if (leftMs === 0) scope.onDue(nowAt)
  const value = runIn(scope, fn, ...args)
  closeAfter(scope, value)
  return value
}

// The timer must not outlive the work, whether that is a promise or not.
function closeAfter(scope: Scope, value: unknown): void {
  const close = (): void => scope.close()
  if (value instanceof Promise) value.then(close, close)
  // To ask a query builder when it is done would run its query once more: its timer stays until the deadline.
  else if (!isThenable(value)) close()
}

// On another machine only the wall clocks can tell; they may disagree, so time is only ever taken away, never added.
function awayMs(token: Captured): number {
  return Math.max(0, token.machine === machineName() ? sharedNow() - token.sharedAt : epochNow() - token.epochAt)
}

// Two containers on one host share the clock but not the name: they are told apart needlessly, which costs only exactness.
function machineName(): string {
  return `${process.platform}/${process.env['HOSTNAME'] ?? process.ppid.toString()}/${bootMinute()}`
}

// The instant the shared clock started, in whole minutes of the wall clock: equal on one machine unless its clock was stepped.
function bootMinute(): number {
  return Math.round((epochNow() - sharedNow()) / 60_000)
}

function checkToken(token: unknown): asserts token is Captured {
  const { sandglass, budgetMs, sharedAt, epochAt } = (token ?? {}) as Partial<Captured>
  const numbers = [budgetMs, sharedAt, epochAt].every((value) => typeof value === 'number' && Number.isFinite(value))
  if (sandglass !== 1 || !numbers) throw new ConfigError('run: this is not what capture() returned')
}
