import type { CheckSettings, SeveritySetting } from '../model/chain.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Spot } from '../model/sourced.js'
import { wildcardMatches } from './wildcard.js'

/**
 * Gives each finding the severity that the chain's `check:` section sets for its rule, and drops what is `off`. A setting for a path wins
 * over one for the whole chain; of two paths the later one wins.
 */
export function applySeverities(diagnostics: readonly Diagnostic[], settings: CheckSettings): readonly Diagnostic[] {
  const paths = settings.paths.map(({ pattern, severities }) => ({ matches: pathMatcher(pattern), severities }))
  return diagnostics.flatMap((one) => {
    let setting: SeveritySetting | undefined = settings.severities.get(one.rule)?.value
    for (const { matches, severities } of paths) {
      const here = severities.get(one.rule)?.value
      if (here !== undefined && matches(one.path)) setting = here
    }
    if (setting === 'off') return []
    return [setting === undefined || setting === one.severity ? one : { ...one, severity: setting }]
  })
}

/** A rule that a `check:` section names, and where. */
export interface NamedRule {
  readonly rule: string
  readonly spot: Spot
}

/** The rules that a `check:` section names. */
export function rulesNamed(settings: CheckSettings): readonly NamedRule[] {
  const maps = [settings.severities, ...settings.paths.map((path) => path.severities)]
  return maps.flatMap((map) => [...map].map(([rule, { origin }]) => ({ rule, spot: origin.spot })))
}

/**
 * Whether a path ends with what a pattern says: `order.*` is every finding about a call into order, `gateway.* > order.create` about that
 * one call, and `order.* > **` about everything below order. `*` stands for any letters of one operation, `**` for any number of operations.
 */
export function pathMatcher(pattern: string): (path: readonly string[]) => boolean {
  const parts = ['**', ...pattern.split('>').map((part) => part.trim())].filter((part) => part !== '')
  const tests = parts.map((part) => (part === '**' ? null : operationTest(part)))
  return (path) => matchesFrom(tests, path)
}

/** Which prefixes of the pattern match the path so far: linear in both, whatever the pattern. */
function matchesFrom(tests: readonly (((operation: string) => boolean) | null)[], path: readonly string[]): boolean {
  let reached = throughStars(tests, new Set([0]))
  for (const operation of path) {
    const next = new Set<number>()
    for (const at of reached) {
      const test = tests[at]
      if (test === null) next.add(at)
      else if (test?.(operation)) next.add(at + 1)
    }
    reached = throughStars(tests, next)
  }
  return reached.has(tests.length)
}

function throughStars(tests: readonly (((operation: string) => boolean) | null)[], reached: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(reached)
  for (let at = 0; at < tests.length; at++) if (all.has(at) && tests[at] === null) all.add(at + 1)
  return all
}

/** A service's name alone stands for all its operations. */
function operationTest(part: string): (operation: string) => boolean {
  const pattern = /[.*?]/.test(part) ? part : `${part}.*`
  return (operation) => wildcardMatches(pattern, operation)
}
