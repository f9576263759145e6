import { isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve as resolvePath, sep } from 'node:path'
import type { Source } from '../model/sourced.js'
import type { Resolved } from '../scan/files/project.js'
import { builtFrom, declaredTargets } from './built-from.js'
import { foldersAbove } from './folders-above.js'
import { packageJsonOf } from './json-at.js'
import type { System } from './system.js'
import { tsconfigPaths } from './tsconfig-paths.js'

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.json']

/** Tells what imports lead to. */
export interface ImportResolver {
  /** Files that are scanned, packages, or nothing. */
  readonly resolve: (request: string, from: string) => Resolved
  /** Source files that imports asked for led to, and that are not among those that are scanned: their paths from the current folder. */
  readonly outside: ReadonlySet<string>
}

/** A source file that somebody wrote, and no declaration of one. */
const CODE = /(?<!\.d)\.([cm]?[jt]sx?|vue)$/

/** Finds what imports lead to; `tsconfig` paths and workspaces are honoured. */
export async function importResolver(sources: readonly Source[], system: System): Promise<ImportResolver> {
  const { ResolverFactory } = await import('oxc-resolver')
  const common = {
    extensions: EXTENSIONS,
    extensionAlias: { '.js': ['.ts', '.tsx', '.js', '.jsx'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'], '.jsx': ['.tsx', '.jsx'] },
    conditionNames: ['source', 'import', 'require', 'node', 'default'],
    mainFields: ['source', 'module', 'main'],
  }
  const resolver = new ResolverFactory({ ...common, tsconfig: 'auto' })
  const plain = new ResolverFactory(common)
  const pathsOf = tsconfigPaths(system)
  const base = system.folders.identity('.')
  /** Where a path of the scan leads: it may be written from the root, and a link may stand on its way. */
  const placeOf = (path: string) => resolvePath(base, path)
  const files = new Set(sources.map(({ file }) => file))
  const named = new Map(sources.flatMap(({ file }) => placesOf(file).map((place) => [place, file] as const)))
  const workspaces = workspacesOf(sources, system)
  const known = new Map<string, Resolved>()
  const outside = new Set<string>()

  function placesOf(file: string): readonly string[] {
    return isAbsolute(file) ? [placeOf(file), system.folders.identity(file)] : []
  }

  function resolve(request: string, from: string): Resolved {
    if (isBuiltin(request)) return { kind: 'package', name: `node:${request.replace(/^node:/, '')}`, subpath: '' }
    const isPath = /^(\.{1,2}(\/|$)|\/)/.test(request)
    const path = resolver.resolveFileSync(placeOf(from), request).path
    const found = fileOf(path) ?? (path === undefined ? withoutExtends(request, from) : null)
    if (found !== null) return { kind: 'file', file: found }
    if (isPath) return notBuilt(from, request)
    const own = inWorkspace(request)
    if (own !== null) return { kind: 'file', file: own }
    return packageOf(request)
  }

  /** `../dist/utils.js` where nothing is built. */
  function notBuilt(from: string, request: string): Resolved {
    const source = builtFrom(nameOf(resolvePath(dirname(placeOf(from)), request)), files)
    return source === null ? { kind: 'nothing' } : { kind: 'file', file: source }
  }

  /** A `tsconfig` that extends one of a package that is not installed resolves nothing at all: its own `paths` do. */
  function withoutExtends(request: string, from: string): string | null {
    for (const candidate of [request, ...pathsOf(request, from).map(placeOf)]) {
      const found = fileOf(plain.resolveFileSync(placeOf(from), candidate).path)
      if (found !== null) return found
    }
    return null
  }

  function fileOf(path: string | undefined): string | null {
    if (path === undefined || path.includes(`${sep}node_modules${sep}`)) return null
    const file = nameOf(path)
    const source = builtFrom(file, files)
    if (source !== null) return source
    if (files.has(file)) return file
    if (CODE.test(file)) outside.add(file)
    return null
  }

  /** A path as the sources have it. */
  function nameOf(path: string): string {
    return named.get(path) ?? relative(base, path).split(sep).join('/')
  }

  /** What its manifest says where it is not linked into `node_modules`: `exports` as seen from inside of it, else `main`. */
  function asDeclared(request: string, folder: string, subpath: string): string | null {
    const home = placeOf(folder)
    return (
      fileOf(plain.resolveFileSync(join(home, 'index.js'), request).path) ??
      fileOf(plain.resolveFileSync(join(home, 'index.js'), join(home, subpath)).path)
    )
  }

  /** A package of the same repository whose manifest leads to what is not built here: its sources stand in a usual place. */
  function inWorkspace(request: string): string | null {
    const { name, subpath } = splitRequest(request)
    const folder = workspaces.get(name)
    if (folder === undefined) return null
    const declared = asDeclared(request, folder, subpath)
    if (declared !== null) return declared
    return sourceOfBuilt(folder, subpath) ?? inUsualPlace(folder, subpath)
  }

  function sourceOfBuilt(folder: string, subpath: string): string | null {
    const targets = declaredTargets(packageJsonOf(folder, system.folders) ?? {}, subpath)
    return targets.map((target) => builtFrom(below(folder, target), files, true)).find((source) => source !== null) ?? null
  }

  function inUsualPlace(folder: string, subpath: string): string | null {
    const stems =
      subpath === ''
        ? ['src/index', 'index', 'src/main', 'lib/index']
        : [subpath, `src/${subpath}`, `${subpath}/index`, `src/${subpath}/index`]
    for (const stem of stems) {
      for (const extension of EXTENSIONS) {
        const file = below(folder, `${stem}${extension}`)
        if (files.has(file)) return file
      }
    }
    return null
  }

  function remembered(request: string, from: string): Resolved {
    const key = `${dirname(from)}\0${request}`
    const before = known.get(key)
    if (before) return before
    const resolved = resolve(request, from)
    known.set(key, resolved)
    return resolved
  }

  return { resolve: remembered, outside }
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

function packageOf(request: string): Resolved {
  const { name, subpath } = splitRequest(request)
  return name === '' || /^[#~@]?\//.test(request) || name.startsWith('#') ? { kind: 'nothing' } : { kind: 'package', name, subpath }
}

function splitRequest(request: string): { readonly name: string; readonly subpath: string } {
  const parts = request.split('/')
  const name = request.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
  return { name, subpath: request.slice(name.length + 1) }
}

/** The packages of the repository by name, from the manifests above the sources. */
function workspacesOf(sources: readonly Source[], { folders }: System): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const folder of foldersAbove(sources)) {
    const name = packageJsonOf(folder, folders)?.['name']
    if (typeof name === 'string' && !found.has(name)) found.set(name, folder)
  }
  return found
}
