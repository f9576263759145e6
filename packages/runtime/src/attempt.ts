import type { Answer } from './call-options.js'
import type { CallPlan } from './call-plan.js'
import type { KeptContext } from './context.js'
import type { AttemptRun } from './core/attempts.js'
import type { AttemptEnd, ErrorCode, Outcome } from './core/outcome.js'
import { type Ending, type ExchangePhase, Scope, type ScopeOwner } from './scope.js'

const PHASES: readonly ExchangePhase[] = ['queue', 'connect', 'sent', 'headers', 'body']

/** One run of a call: what its attempts share. */
export interface CallRun {
  readonly plan: CallPlan
  readonly args: readonly unknown[]
  readonly parent: Scope | undefined
  readonly startedAt: number
  readonly attempts: AttemptRun
  readonly resolve: (answer: Answer<unknown>) => void
  readonly reject: (error: unknown) => void
  settled: boolean
  /** Copies under way: two while a read is hedged. */
  first: Attempt | undefined
  second: Attempt | undefined
  hedgeEntry: number
  hedged: boolean
  started: number
  grantedMs: number
  spentTokens: number
  queueMs: number
  /** What is known of all attempts that have ended: the gravest of them, for what may have happened once stays possible. */
  outcome: Outcome
  /** Last failure: what it was, and the callee's own error where there is one. */
  lastEnd: AttemptEnd | undefined
  lastSent: boolean
  lastError: unknown
  lastEnding: Ending | undefined
  lastPhase: ExchangePhase | undefined
  /** The failure is an answer (an HTTP response) and not an error. */
  lastIsAnswer: boolean
  wouldHave: ErrorCode[] | undefined
  /** Attempts that were given up and whose work had not stopped yet. */
  lingering: number
  wentOnMs: number | undefined
  publish: (() => void) | undefined
  /** The caller's own context (its span, its logger), where something of this run may come later: a retry, a slot, a hedge, a fallback, a record. */
  readonly here: KeptContext | undefined
  /** Whether what starts next starts later and elsewhere. */
  isLater: boolean
}

/** One try of a call: the scope its work runs in, and what the function of the call is given. */
export class Attempt extends Scope {
  readonly run: CallRun
  readonly ticket: number
  readonly isSecond: boolean
  holdsSlot: boolean
  /** Whether its work was begun: one whose caller had already gone never is. */
  begun = false
  /** Whether the call has been told how it ended. */
  done = false
  exchange: ExchangePhase | undefined = undefined
  lingerEntry = -1
  private readonly number: number
  private readonly noMore: boolean

  constructor(
    run: CallRun,
    number: number,
    isLast: boolean,
    ticket: number,
    holdsSlot: boolean,
    isSecond: boolean,
    startedAt: number,
    endsAt: number,
    owner: ScopeOwner,
  ) {
    // Under what has already come to its end it ends here and now, before it is an attempt: whoever makes one looks at `ending`.
    super(run.parent, run.plan.name, startedAt, endsAt)
    this.owner = owner
    this.run = run
    this.number = number
    this.noMore = isLast
    this.ticket = ticket
    this.holdsSlot = holdsSlot
    this.isSecond = isSecond
  }

  override get attempt(): number {
    return this.number
  }

  override get isLast(): boolean {
    return this.noMore
  }

  /** Only ever advances: a second exchange of the same attempt that still connects does not unsend the first. */
  override noteExchange(phase: ExchangePhase): void {
    if (this.exchange === undefined || PHASES.indexOf(phase) > PHASES.indexOf(this.exchange)) this.exchange = phase
  }

  /** Whether the callee may have seen any of it. */
  get sent(): boolean {
    return this.begun && this.exchange !== 'queue' && this.exchange !== 'connect'
  }

  /** Whether an exchange of it is known to have reached the callee: whatever a later one says of itself, something was sent. */
  get reached(): boolean {
    return this.exchange !== undefined && this.sent
  }
}
