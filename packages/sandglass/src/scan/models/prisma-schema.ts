import type { Source } from '../../model/sourced.js'
import type { Site } from './library-model.js'
import { dialectOf, type SqlDialect } from './sql-dialect.js'

interface Provider {
  readonly file: string
  readonly provider: string
}

/** What the schemas among some sources say: read once, not at each of thousands of queries. */
const providers = new WeakMap<readonly Source[], readonly Provider[]>()

function providersAmong(sources: readonly Source[]): readonly Provider[] {
  const known = providers.get(sources)
  if (known) return known
  const found = sources.flatMap(({ file, text }) => {
    const provider = file.endsWith('.prisma') ? /^\s*datasource\s+\w+\s*\{[^}]*?\bprovider\s*=\s*"(\w+)"/m.exec(text)?.[1] : undefined
    return provider === undefined ? [] : [{ file, provider }]
  })
  providers.set(sources, found)
  return found
}

/** What the schema nearest to a file says of the database; null where there is no schema among the sources. */
export function prismaProvider({ evaluator, at }: Site): SqlDialect | null {
  const from = at.module.source.file
  const near = ({ file }: Provider) => sharedFolders(file, from)
  const [nearest] = providersAmong(evaluator.project.sources).toSorted((a, b) => near(b) - near(a))
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
