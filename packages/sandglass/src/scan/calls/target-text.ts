import type { Term } from '../terms/term.js'

/** The text that a term is or starts with, as an address would: null where nothing of it is written. */
export function firstText(term: Term | undefined): string | null {
  if (!term) return null
  if (term.kind === 'constant') return typeof term.value === 'string' ? term.value : null
  if (term.kind === 'either') return firstText(term.of.at(-1))
  if (term.kind !== 'made' || term.callee.kind !== 'external') return null
  const name = `${term.callee.package}:${term.callee.path.join('.')}`
  if (name === 'global:URL') return joined(firstText(term.args[0]), firstText(term.args[1]))
  if (name === 'operator:template' || name === 'operator:+' || name === 'global:Request') return firstText(term.args[0]) || null
  return null
}

/** An address made of a path and what it is relative to. */
export function joined(path: string | null, base: string | null): string | null {
  if (path === null || base === null) return path ?? base
  return /^[a-z]+:\/\//i.test(path) ? path : `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`
}
