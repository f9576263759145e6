import { defaultOf } from '../../model/default-of.js'
import { settingIn } from '../limits/settings.js'
import { findProperty } from '../terms/property.js'
import type { Term } from '../terms/term.js'
import type { Guard } from './guard.js'
import { numberOf, type Span } from './reckon.js'
import { limitGuard, outsideName, type ReadWrapper, retryGuard, type Wrapping } from './wrapping.js'

/** `policy.execute(work)` of cockatiel. */
export const readCockatiel: ReadWrapper = (wrapping) => {
  const { callee } = wrapping
  if (callee.kind !== 'member' || callee.name !== 'execute' || wrapping.index !== 0) return null
  return ofPolicy(callee.object, wrapping, 0)
}

function ofPolicy(policy: Term, wrapping: Wrapping, depth: number): readonly Guard[] | null {
  if (policy.kind !== 'made' || depth > 4) return null
  switch (outsideName(policy.callee)) {
    case 'cockatiel:wrap':
      // The first one is the outermost.
      return policy.args.toReversed().flatMap((each) => ofPolicy(each, wrapping, depth + 1) ?? [])
    case 'cockatiel:timeout':
      return ofTimeout(policy.args, wrapping)
    case 'cockatiel:retry':
      return ofRetry(policy.args[1], wrapping)
    case 'cockatiel:bulkhead':
    case 'cockatiel:circuitBreaker':
    case 'cockatiel:fallback':
      return []
    default:
      return null
  }
}

/** An aggressive one gives up by itself; a cooperative one only tells the work, and waits for it. */
function ofTimeout([ms, strategy]: readonly Term[], wrapping: Wrapping): readonly Guard[] {
  const name = strategyOf(strategy)
  if (name === 'cooperative' && !wrapping.isTold) return []
  return [limitGuard(wrapping, 'cockatiel timeout', name === null ? null : numberOf(ms))]
}

function strategyOf(term: Term | undefined): 'aggressive' | 'cooperative' | null {
  if (term?.kind === 'object') return strategyOf(findProperty(term, 'strategy').value ?? undefined)
  const word = term?.kind === 'external' ? term.path.at(-1) : term?.kind === 'constant' ? String(term.value) : null
  if (word === 'Aggressive' || word === 'aggressive') return 'aggressive'
  return word === 'Cooperative' || word === 'optimistic' ? 'cooperative' : null
}

function ofRetry(options: Term | undefined, wrapping: Wrapping): readonly Guard[] {
  const { evaluator } = wrapping.reckoning
  const setting = settingIn(options, 'maxAttempts', evaluator)
  const isDefault = setting.state === 'absent'
  const retries = isDefault ? defaultRetries() : setting.state === 'given' && typeof setting.value === 'number' ? setting.value : null
  // What cockatiel calls attempts are those after the first.
  const count = retries === null ? null : retries + 1
  const backoff = options?.kind === 'object' ? findProperty(options, 'backoff').value : null
  const waits = count === null || count > 1000 ? null : waitsOf(backoff, count - 1)
  return [retryGuard(wrapping, { name: 'cockatiel retry', count, waits, isDefault })]
}

function defaultRetries(): number | null {
  const found = defaultOf('cockatiel', 'maxAttempts', null)
  return found.kind === 'known' && found.row.unbounded ? Number.POSITIVE_INFINITY : null
}

function waitsOf(backoff: Term | null, retries: number): readonly Span[] | null {
  if (!backoff) return Array.from({ length: retries }, (): Span => [0, 0])
  if (backoff.kind !== 'made' || outsideName(backoff.callee) !== 'cockatiel:ConstantBackoff') return null
  const ms = numberOf(backoff.args[0])
  return ms === null ? null : Array.from({ length: retries }, (): Span => [ms, ms])
}
