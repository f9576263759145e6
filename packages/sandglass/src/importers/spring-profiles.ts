import type { Spot } from '../model/sourced.js'
import type { Settings } from './spring-settings.js'
import { templateIn } from './templates.js'

/** Which profiles run, and how that is known. */
export interface ActiveProfiles {
  readonly names: readonly string[]
  /** Where it is written; null where the command line says it, or nobody. */
  readonly spot: Spot | null
  /** True where it is written in a way that cannot be read (a build's token, a variable). */
  readonly isUnknown: boolean
}

/** The profiles that are active: those asked for, else `spring.profiles.active`, else Spring's own `default`. */
export function activeProfiles(settings: Settings, asked: readonly string[]): ActiveProfiles {
  const written = settings.list('spring.profiles.active')
  const isUnknown = asked.length === 0 && written.some(({ text }) => isTemplate(text))
  const first = asked.length > 0 ? asked : written.map(({ text }) => text).filter((text) => !isTemplate(text))
  const included = settings.list('spring.profiles.include').map(({ text }) => text)
  const names = [...included, ...first].flatMap((name) => [name, ...settings.list(`spring.profiles.group.${name}`).map(({ text }) => text)])
  const unique = [...new Set(names)]
  const spot = asked.length > 0 ? null : (written[0]?.spot ?? null)
  return { names: unique.length === 0 && !isUnknown ? ['default'] : unique, spot, isUnknown }
}

function isTemplate(text: string): boolean {
  return templateIn(text) !== null || /^@.*@$/.test(text)
}

/** True where a condition holds: `prod`, `!prod`, `dev, test` (either), `prod & (eu | us)`. What cannot be read does not hold. */
export function holds(condition: string, active: readonly string[]): boolean {
  return condition.length <= MAX_CONDITION && alternativesOf(condition).some((each) => expressionHolds(each, active))
}

const MAX_CONDITION = 1_000

function alternativesOf(condition: string): readonly string[] {
  return condition.split(',').filter((text) => text.trim() !== '')
}

interface Parsing {
  readonly tokens: readonly string[]
  readonly active: readonly string[]
  at: number
}

function expressionHolds(text: string, active: readonly string[]): boolean {
  const parsing: Parsing = { tokens: text.match(/[()!&|]|[^()!&|\s]+/g) ?? [], active, at: 0 }
  const value = alternatives(parsing, 0)
  return value && parsing.at === parsing.tokens.length
}

const MAX_DEPTH = 50

function alternatives(parsing: Parsing, depth: number): boolean {
  let value = conjunction(parsing, depth)
  while (parsing.tokens[parsing.at] === '|') {
    parsing.at++
    value = conjunction(parsing, depth) || value
  }
  return value
}

function conjunction(parsing: Parsing, depth: number): boolean {
  let value = single(parsing, depth)
  while (parsing.tokens[parsing.at] === '&') {
    parsing.at++
    value = single(parsing, depth) && value
  }
  return value
}

function single(parsing: Parsing, depth: number): boolean {
  const token = parsing.tokens[parsing.at]
  if (token === undefined || depth > MAX_DEPTH) return unreadable(parsing)
  parsing.at++
  if (token === '!') return !single(parsing, depth + 1)
  if (token !== '(') return parsing.active.includes(token)
  const value = alternatives(parsing, depth + 1)
  if (parsing.tokens[parsing.at] !== ')') return unreadable(parsing)
  parsing.at++
  return value
}

function unreadable(parsing: Parsing): false {
  parsing.at = Number.POSITIVE_INFINITY
  return false
}
