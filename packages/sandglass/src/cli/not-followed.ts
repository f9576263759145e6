import type { NotRead } from '../report/check-report.js'
import { isTestPath } from '../scan/files/is-test-path.js'
import { isBuilt } from './source-files.js'

const MOST = 10
const WHY = 'imported, of another package of this repository, and not among what is scanned; name its folder too'

/** Files of other packages that imports lead to and that nobody named: what calls there do is not known. One line for each package. */
export function notFollowed(
  outside: ReadonlySet<string>,
  scanned: readonly { readonly file: string }[],
  packageOf: (file: string) => string,
): readonly NotRead[] {
  const known = new Set(scanned.map(({ file }) => packageOf(file)))
  const byPackage = new Map<string, string>()
  for (const file of [...outside].sort()) {
    const home = packageOf(file)
    if (!known.has(home) && !byPackage.has(home) && !isTestPath(file) && !isBuilt(file)) byPackage.set(home, file)
  }
  const files = [...byPackage.values()]
  const shown = files.slice(0, MOST).map((file) => ({ file, why: WHY }))
  return files.length > MOST ? [...shown, { file: `and ${files.length - MOST} more`, why: WHY }] : shown
}
