import { arm, blockedMs, disarm, now } from './clock.js'
import { createController, runIn } from './context.js'
import { type Deadline, noDeadline } from './core/deadline.js'
import type { Outcome, Whose } from './core/outcome.js'
import { SandglassError } from './errors.js'
import type { RequestFacts } from './request-facts.js'
import type { SignalLink } from './signal-link.js'
import type { Due } from './wheel.js'

/** How a scope came to its end before its work did. */
export interface Ending {
  readonly kind: 'expired' | 'cancelled'
  /** Whose limit it was, seen from the scope that carries this. */
  readonly whose: Whose
  /** The name of the deadline that ran out or of what was cancelled. */
  readonly level: string
  /** The budget of that deadline (ms), `Infinity` without one. */
  readonly budgetMs: number
  readonly endedAt: number
  /** How long the event loop was blocked while the scope lived (ms). */
  readonly loopDelayMs: number
  readonly cause: unknown
}

/** How far an exchange with a callee had come: before `sent` nothing had left, so a repetition is harmless. */
export type ExchangePhase = 'queue' | 'connect' | 'sent' | 'headers' | 'body'

/** Who wants to be told, once, that a scope ended early; it is told before any signal fires. */
export interface ScopeOwner {
  onScopeEnd(scope: Scope, ending: Ending): void
}

const OPEN = 0
const ENDED = 1
const CLOSED = 2

/**
 * A stretch of work under one deadline: a request, a call's attempt, a group. It ends early when its time is up, when it is
 * cancelled, or when its parent ends; otherwise it is closed, which never aborts its signal. It costs no AbortController
 * until somebody asks for `signal`, and no timer where its parent ends at the same instant.
 */
export class Scope implements Due {
  readonly name: string
  readonly startedAt: number
  /** The instant it ends (monotonic ms), `Infinity` without a deadline. */
  endsAt: number
  /** What is known about the request this work belongs to; shared by all scopes below it. */
  readonly facts: RequestFacts | undefined
  owner: ScopeOwner | undefined
  parent: Scope | undefined
  /** How it ended early, if it did. */
  ending: Ending | undefined = undefined
  private phase: typeof OPEN | typeof ENDED | typeof CLOSED = OPEN
  private entry = -1
  private readonly blockedAtStartMs: number
  private controller: AbortController | undefined = undefined
  private link: SignalLink | undefined = undefined
  private firstChild: Scope | undefined = undefined
  private next: Scope | undefined = undefined
  private previous: Scope | undefined = undefined

  /** Opens a scope that ends at `endsAt` (`Infinity`: none of its own), or with its parent if that ends earlier. A parent that already ended ends it at once. */
  constructor(parent: Scope | undefined, name: string, startedAt: number, endsAt: number, owner?: ScopeOwner, facts?: RequestFacts) {
    this.name = name
    this.startedAt = startedAt
    this.owner = owner
    this.facts = facts ?? parent?.facts
    this.blockedAtStartMs = blockedMs()
    this.endsAt = parent === undefined || endsAt < parent.endsAt ? endsAt : parent.endsAt
    // A finished request is no parent any more, but its deadline still holds for what it left running.
    this.parent = parent === undefined || parent.isOpen ? parent : parent.heir()
    this.settleUnder(this.parent)
  }

  /** The signal that aborts when this scope ends early; made when it is first asked for. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = createController()
      if (this.ending !== undefined) this.controller.abort(endingError(this.ending, this))
    }
    return this.controller.signal
  }

  /** A function that says how many ms are left, never negative, `Infinity` without a deadline; safe to take off the object. */
  get remainingMs(): () => number {
    return () => this.remainingAt(now())
  }

  /** What is left at `nowAt` (ms), never negative, `Infinity` without a deadline. */
  remainingAt(nowAt: number): number {
    return this.phase === ENDED ? 0 : Math.max(0, this.endsAt - nowAt)
  }

  /** Number of the attempt this scope is, 0 where it is none. */
  get attempt(): number {
    return 0
  }

  /** Whether no further attempt follows this one. */
  get isLast(): boolean {
    return true
  }

  /** With `endsAt` and `name` a scope is its own deadline, at no cost. */
  get state(): 'set' {
    return 'set'
  }

  /** See `state`. */
  get setAt(): number {
    return this.startedAt
  }

  /** Tells the attempt this work belongs to how far its exchange has come. */
  noteExchange(phase: ExchangePhase): void {
    this.parent?.noteExchange(phase)
  }

  /** Whether the work of this scope is still wanted. */
  get isOpen(): boolean {
    return this.phase === OPEN
  }

  /** Whether somebody asked for the signal. */
  get hasSignal(): boolean {
    return this.controller !== undefined
  }

  /** The deadline as a value: the one of the nearest scope upwards that set it. */
  get deadline(): Deadline {
    if (this.endsAt === Infinity) return noDeadline
    let setter: Scope = this
    while (setter.parent !== undefined && setter.parent.endsAt === setter.endsAt) setter = setter.parent
    return { state: 'set', setAt: setter.startedAt, endsAt: setter.endsAt, name: setter.name }
  }

  /** Time is up. Called by the wheel, one loop turn after the instant. */
  onDue(nowAt: number): void {
    this.entry = -1
    this.end({
      kind: 'expired',
      whose: 'own',
      level: this.name,
      budgetMs: this.endsAt - this.startedAt,
      endedAt: nowAt,
      loopDelayMs: blockedMs() - this.blockedAtStartMs,
      cause: undefined,
    })
  }

  /** Ends it early: nobody wants the answer any more. `whose` is `caller` where the caller went away. */
  cancel(whose: Whose, cause?: unknown): void {
    if (this.phase !== OPEN) return
    const loopDelayMs = blockedMs() - this.blockedAtStartMs
    this.end({ kind: 'cancelled', whose, level: this.name, budgetMs: this.endsAt - this.startedAt, endedAt: now(), loopDelayMs, cause })
  }

  /** Ends with an outer signal as well; it is let go of when this scope ends or is closed. */
  follow(link: SignalLink): void {
    if (this.phase !== OPEN) return
    this.link = link
    link.add(this)
  }

  /** The work is done: nothing is aborted, the timer is gone, and what still runs below belongs to the parent from now on. */
  close(): void {
    if (this.phase !== OPEN) return
    this.phase = CLOSED
    this.release()
    let child = this.firstChild
    this.firstChild = undefined
    while (child !== undefined) {
      const following: Scope | undefined = child.next
      child.moveTo(this.parent)
      child = following
    }
  }

  /** Moves its end to `endsAt`, still not beyond the parent's: what remains of a call may outlast one attempt of it. */
  extend(endsAt: number): void {
    if (this.phase !== OPEN) return
    disarm(this.entry)
    this.entry = -1
    this.endsAt = Math.min(endsAt, this.parent?.endsAt ?? Infinity)
    if (this.parent === undefined || this.endsAt < this.parent.endsAt) this.entry = arm(this.endsAt, this)
  }

  private end(ending: Ending): void {
    if (this.phase !== OPEN) return
    this.phase = ENDED
    this.ending = ending
    this.release()
    this.owner?.onScopeEnd(this, ending)
    // Time runs out in the clock's context: listeners of the signal are to find themselves in this one.
    if (this.controller !== undefined) runIn(this, abort, this.controller, endingError(ending, this))
    while (this.firstChild !== undefined) this.firstChild.end(inheritedEnding(ending, this.firstChild))
  }

  private release(): void {
    if (this.entry !== -1) {
      disarm(this.entry)
      this.entry = -1
    }
    if (this.link !== undefined) {
      this.link.remove(this)
      this.link = undefined
    }
    if (this.parent !== undefined) this.parent.drop(this)
  }

  private adopt(child: Scope): void {
    child.next = this.firstChild
    child.previous = undefined
    if (this.firstChild !== undefined) this.firstChild.previous = child
    this.firstChild = child
  }

  private drop(child: Scope): void {
    if (child.previous !== undefined) child.previous.next = child.next
    else if (this.firstChild === child) this.firstChild = child.next
    if (child.next !== undefined) child.next.previous = child.previous
    child.next = undefined
    child.previous = undefined
  }

  // Its deadline stays what it was: where the closed parent's timer would have ended it, it now needs one of its own.
  private moveTo(parent: Scope | undefined): void {
    this.parent = parent === undefined || parent.isOpen ? parent : parent.heir()
    this.next = undefined
    this.previous = undefined
    this.settleUnder(this.parent)
  }

  private settleUnder(parent: Scope | undefined): void {
    if (parent === undefined) {
      if (this.entry === -1) this.entry = arm(this.endsAt, this)
      return
    }
    if (this.entry === -1 && this.endsAt < parent.endsAt) this.entry = arm(this.endsAt, this)
    if (parent.ending === undefined) parent.adopt(this)
    else this.end(inheritedEnding(parent.ending, this))
  }

  // The nearest scope upwards that is open or came to an early end: what is closed has nothing to say any more.
  heir(): Scope | undefined {
    let scope: Scope | undefined = this
    while (scope !== undefined && scope.phase === CLOSED) scope = scope.parent
    return scope
  }
}

function abort(controller: AbortController, reason: SandglassError): void {
  controller.abort(reason)
}

function inheritedEnding(ending: Ending, scope: Scope): Ending {
  return {
    kind: ending.kind,
    whose: ending.kind === 'expired' && ending.whose === 'own' ? 'inherited' : ending.whose,
    level: ending.level,
    budgetMs: ending.budgetMs,
    endedAt: ending.endedAt,
    loopDelayMs: Math.min(ending.loopDelayMs, ending.endedAt - scope.startedAt),
    cause: ending.cause,
  }
}

/** The error an early end is told with: `TimeoutError` when time ran out, `AbortError` when it was cancelled. `outcome` is `not-sent` for work that was never begun. */
export function endingError(ending: Ending, scope: Scope, outcome: Outcome = 'unknown'): SandglassError {
  return new SandglassError({
    code: ending.kind === 'expired' ? 'DEADLINE_EXCEEDED' : 'CANCELLED',
    whose: ending.whose,
    outcome,
    retryable: false,
    budgetMs: ending.budgetMs,
    elapsedMs: ending.endedAt - scope.startedAt,
    call: scope.name,
    level: ending.level,
    loopDelayMs: ending.loopDelayMs,
    cause: ending.cause,
  })
}
