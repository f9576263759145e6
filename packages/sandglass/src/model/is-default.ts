import { type DefaultRow, defaultMs, defaultOf } from './default-of.js'
import type { Sourced } from './sourced.js'

/** What a chain file made of code or configs says beside a value that nobody wrote. */
const DEFAULT = /^[ \t]*# origin: default of (\S.*)/

/** True for a value that is only a product's default: nobody wrote it, or the comment beside it in an imported chain file says so. */
export function isDefault({ value, origin }: Sourced<unknown>): boolean {
  if (origin.kind !== 'declared') return origin.kind === 'default'
  const { source, end } = origin.spot
  const newline = source.text.indexOf('\n', end)
  const told = DEFAULT.exec(source.text.slice(end, newline < 0 ? undefined : newline))?.[1]
  return told !== undefined && !isAnother(value, told)
}

/** A value that was changed, beside a comment that was not: the product has another default. What is not in the table is believed. */
function isAnother(value: unknown, told: string): boolean {
  const rows = rowsOf(told)
  return rows.length > 0 && rows.every((row) => defaultMs(row) !== value)
}

/** The defaults that `nginx 1.27 (proxy_read_timeout)` may mean; names of settings may have brackets, and versions stand behind names. */
function rowsOf(told: string): readonly DefaultRow[] {
  const open = told.indexOf(' (')
  if (open < 0) return []
  const product = told.slice(0, open)
  const systems = [product, product.replace(/ \S+$/, '')]
  const rest = told.slice(open + 2)
  const settings = [...rest.matchAll(/\)/g)].slice(0, MAX_BRACKETS).map(({ index }) => rest.slice(0, index))
  for (const system of systems)
    for (const setting of settings) {
      const found = defaultOf(system, setting, null)
      if (found.kind !== 'none') return found.kind === 'known' ? [found.row] : found.rows
    }
  return []
}

const MAX_BRACKETS = 5
