import type { Site } from './library-model.js'
import { dialectOf, type SqlDialect } from './sql-dialect.js'

/** What the schema nearest to a file says of the database; null where there is no schema among the sources. */
export function prismaProvider({ evaluator, at }: Site): SqlDialect | null {
  const from = at.module.source.file
  const schemas = evaluator.project.sources.filter(({ file }) => file.endsWith('.prisma'))
  const found = schemas.flatMap(({ file, text }) => {
    const provider = /^\s*datasource\s+\w+\s*\{[^}]*?\bprovider\s*=\s*"(\w+)"/m.exec(text)?.[1]
    return provider === undefined ? [] : [{ provider, near: sharedFolders(file, from) }]
  })
  const [nearest] = found.sort((a, b) => b.near - a.near)
  if (!nearest) return null
  return dialectOf({
    state: 'given',
    value: nearest.provider,
    spot: { source: at.module.source, start: 0, end: 0 },
    isAssumed: false,
    mayBeReplacedBy: [],
  })
}

function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const differs = left.findIndex((part, k) => part !== right[k])
  return differs < 0 ? left.length : differs
}
