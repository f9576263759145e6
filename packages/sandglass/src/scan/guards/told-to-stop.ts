import type { Site } from '../models/library-model.js'
import type { Term } from '../terms/term.js'

const WAYS_TO_STOP: ReadonlySet<string> = new Set(['signal', 'abortSignal', 'cancelToken', 'abortController'])

/** True where a call is given something that may stop it, or where nobody can tell whether it is. */
export function isToldToStop({ args, client }: Pick<Site, 'args' | 'client'>): boolean {
  return args.some((arg, k) => mayStop(arg, k > 0, 0)) || (client?.options !== undefined && mayStop(client.options, false, 0))
}

function mayStop(term: Term, isOptions: boolean, depth: number): boolean {
  if (depth > 4) return false
  switch (term.kind) {
    case 'object':
      return term.parts.some((part) =>
        'name' in part
          ? WAYS_TO_STOP.has(part.name)
            ? !isAbsent(part.value)
            : mayStop(part.value, false, depth + 1)
          : mayStop(part.spread, isOptions, depth + 1),
      )
    case 'either':
      return term.of.some((each) => mayStop(each, isOptions, depth + 1))
    case 'parameter':
    case 'member':
    case 'unknown':
      return isOptions
    case 'made':
      return term.args.some((arg) => mayStop(arg, false, depth + 1))
    default:
      return false
  }
}

function isAbsent(term: Term): boolean {
  return term.kind === 'constant' && (term.value === undefined || term.value === null)
}
