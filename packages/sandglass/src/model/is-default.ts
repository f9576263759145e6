import type { Sourced } from './sourced.js'

/** What a chain file made of code or configs says beside a value that nobody wrote. */
const DEFAULT = /^[ \t]*# origin: default of \S/

/** True for a value that is only a product's default: nobody wrote it, or the comment beside it in an imported chain file says so. */
export function isDefault({ origin }: Sourced<unknown>): boolean {
  if (origin.kind !== 'declared') return origin.kind === 'default'
  const { source, end } = origin.spot
  const newline = source.text.indexOf('\n', end)
  return DEFAULT.test(source.text.slice(end, newline < 0 ? undefined : newline))
}
