/** Folders that only a build writes into. */
const BUILT: ReadonlySet<string> = new Set(['dist', 'out', 'output', 'cjs', 'esm', 'dist-cjs', 'dist-esm', 'dist-node'])
/** Folders that hold code by hand as well; what a manifest gives to others from there is built. */
const OFTEN_WRITTEN: ReadonlySet<string> = new Set(['lib', 'es', 'build'])

const TYPED = ['.ts', '.tsx', '.mts', '.cts']
const PLAIN = ['.js', '.jsx', '.mjs', '.cjs', '.vue']
const WRITTEN_END = /\.([cm]?tsx?|vue|json)$/
const BUILT_END = /(\.d\.[cm]?ts|\.[cm]?jsx?)$/

/**
 * The source that a built file is made from, by the usual places: `x.ts` or `src/x.ts` for `dist/x.js`. Null where none is among the files.
 * A file that is there may be what it is: only a typed source of the same stem takes its place.
 */
export function builtFrom(path: string, files: ReadonlySet<string>, isDeclared = false): string | null {
  const hasEnd = BUILT_END.test(path)
  const isThere = files.has(path)
  if (!hasEnd && (isThere || WRITTEN_END.test(path))) return null
  const ends = isThere ? TYPED : [...TYPED, ...PLAIN]
  const stems = stemsOf(path.replace(BUILT_END, '').split('/'), isDeclared)
  const names = hasEnd ? stems : stems.flatMap((stem) => [stem, `${stem}/index`])
  return names.flatMap((name) => ends.map((end) => name + end)).find((file) => files.has(file) && file !== path) ?? null
}

/** The path without the folders that the build put in it, once with the usual one in their place. */
function stemsOf(parts: readonly string[], isDeclared: boolean): readonly string[] {
  const isBuilt = (part: string) => BUILT.has(part) || (isDeclared && OFTEN_WRITTEN.has(part))
  const first = parts.findIndex(isBuilt)
  if (first < 0) return []
  const [home, rest] = [parts.slice(0, first), parts.slice(first)]
  const next = rest.findIndex((part) => !isBuilt(part))
  const after = next < 0 ? [] : rest.slice(next)
  return [['src'], []].map((middle) => [...home, ...middle, ...after].join('/')).filter((stem) => stem !== '')
}

/** The files that a manifest names for what is imported of its package, in any condition; `subpath` is empty for the package itself. */
export function declaredTargets(manifest: Readonly<Record<string, unknown>>, subpath: string): readonly string[] {
  const { exports, source, module, main } = manifest
  const mains = subpath === '' ? [source, module, main] : []
  return [...targetsIn(exports, subpath), ...mains].flatMap((each) => (typeof each === 'string' ? [each.replace(/^\.\//, '')] : []))
}

function targetsIn(exports: unknown, subpath: string): readonly string[] {
  const wanted = subpath === '' ? '.' : `./${subpath}`
  const isByPath = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
  if (!isByPath) return subpath === '' ? leavesOf(exports) : []
  const exact = exports[wanted]
  if (exact !== undefined) return leavesOf(exact)
  for (const [key, target] of Object.entries(exports)) {
    const [before = '', after] = key.split('*')
    if (after === undefined || !wanted.startsWith(before) || !wanted.endsWith(after)) continue
    const star = wanted.slice(before.length, wanted.length - after.length)
    return leavesOf(target).map((each) => each.replaceAll('*', star))
  }
  return []
}

function leavesOf(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target]
  return isRecord(target) ? Object.values(target).flatMap(leavesOf) : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
