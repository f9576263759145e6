import type { Term } from './term.js'

/** What packages give to be spread into options, and that has no limit in it: names of columns, or what holds anyway. */
const OF_PACKAGES: ReadonlySet<string> = new Set(['objection:knexSnakeCaseMappers', 'objection:knexIdentifierMapping', 'axios:defaults'])

/** True for `...knexSnakeCaseMappers()`, `...axios.defaults`. */
export function bringsNoLimit(spread: Term): boolean {
  const of = spread.kind === 'made' && !spread.isNew ? spread.callee : spread
  if (of.kind === 'external') return OF_PACKAGES.has(`${of.package}:${of.path.filter((name) => name !== 'default').join('.')}`)
  return of.kind === 'member' && of.object.kind === 'external' && OF_PACKAGES.has(`${of.object.package}:${of.name}`)
}
