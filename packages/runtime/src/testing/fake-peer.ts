import type { CallContext } from '../call-options.js'
import { after, now } from '../clock.js'

/** One attempt that reached the peer. */
export interface PeerVisit<Args extends readonly unknown[]> {
  readonly args: Args
  readonly attempt: number
  readonly arrivedAt: number
  /** What the attempt had left when it arrived (ms). */
  readonly remainingMs: number
  /** When its signal aborted, undefined where it did not. */
  readonly abortedAt: number | undefined
}

/** What a peer does with one attempt. */
export type PeerBehaviour<Args extends readonly unknown[], T> =
  | { readonly does: 'answer'; readonly value: T; readonly afterMs?: number }
  | { readonly does: 'fail'; readonly error: unknown; readonly afterMs?: number }
  /** Never answers, and stops when its signal aborts. */
  | { readonly does: 'hang' }
  /** Never answers and does not stop either. */
  | { readonly does: 'ignore-cancel' }
  | { readonly does: 'run'; readonly fn: (context: CallContext, ...args: Args) => T | PromiseLike<T> }

/** A callee under a test's control: give `fn` to `call`. */
export interface FakePeer<Args extends readonly unknown[], T> {
  readonly fn: (context: CallContext, ...args: Args) => Promise<T>
  /** All attempts that arrived, in order. */
  readonly visits: readonly PeerVisit<Args>[]
  /** What it does from now on when nothing is queued. */
  always(behaviour: PeerBehaviour<Args, T>): void
  /** Queues what it does with the next attempts, one each. */
  next(...behaviours: readonly PeerBehaviour<Args, T>[]): void
}

/** Makes a peer that does `first` until told otherwise. It stops at once when its attempt is cancelled, as a good client does. */
export function fakePeer<T, Args extends readonly unknown[] = []>(first: PeerBehaviour<Args, T>): FakePeer<Args, T> {
  const visits: { -readonly [Field in keyof PeerVisit<Args>]: PeerVisit<Args>[Field] }[] = []
  const queued: PeerBehaviour<Args, T>[] = []
  let usual = first
  return {
    visits,
    always: (behaviour) => void (usual = behaviour),
    next: (...behaviours) => void queued.push(...behaviours),
    fn(context, ...args) {
      const visit = {
        args,
        attempt: context.attempt,
        arrivedAt: now(),
        remainingMs: context.remainingMs(),
        abortedAt: undefined as number | undefined,
      }
      visits.push(visit)
      context.signal.addEventListener('abort', () => void (visit.abortedAt = now()), { once: true })
      return behave(queued.shift() ?? usual, context, args)
    },
  }
}

async function behave<Args extends readonly unknown[], T>(behaviour: PeerBehaviour<Args, T>, context: CallContext, args: Args): Promise<T> {
  switch (behaviour.does) {
    case 'answer':
      await wait(behaviour.afterMs ?? 0, context.signal)
      return behaviour.value
    case 'fail':
      await wait(behaviour.afterMs ?? 0, context.signal)
      throw behaviour.error
    case 'hang':
      return wait(Infinity, context.signal) as Promise<never>
    case 'ignore-cancel':
      return new Promise<never>(() => undefined)
    case 'run':
      return behaviour.fn(context, ...args)
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = after(ms, resolve)
    const stop = (): void => {
      timer.stop()
      reject(signal.reason as Error)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
