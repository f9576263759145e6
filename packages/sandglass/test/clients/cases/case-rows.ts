import type { Bound } from '@sandglass/runtime/core'
import type { ClientCase } from '../client-case.js'

/** Cases of one library that differ by what is set. */
export interface CaseRow {
  readonly library: string
  readonly at: string
  /** What its code imports besides. */
  readonly besides?: readonly string[]
  readonly code: (options: string) => string
  readonly cases: readonly {
    readonly set: string
    readonly expected: Bound
    readonly seen: ClientCase['seen']
    /** What the table says of it, where that is not `set`. */
    readonly as?: string
    readonly more?: Partial<ClientCase>
  }[]
}

/** The cases of rows. */
export function casesOf(rows: readonly CaseRow[]): readonly ClientCase[] {
  return rows.flatMap(({ library, at, besides = [], code, cases }) =>
    cases.map(({ set, as = set || 'nothing', expected, seen, more }) => ({
      library,
      packages: [at, ...besides],
      name: `${library}: ${as}`,
      setting: as,
      code: code(set),
      expected,
      seen,
      ...more,
    })),
  )
}
