import type { Source } from '../../model/sourced.js'
import { folderOf, pathBelow } from '../lockfile/folder-path.js'
import type { Module } from '../syntax/module.js'
import { filePatternsIn } from './file-patterns.js'
import { isStartedByHand } from './path-severity.js'
import { placesOf } from './places-of.js'
import type { Project } from './project.js'

/** What lists a folder. */
const LISTS = /\breaddir/
/** What loads a file whose name it makes or finds. */
const LOADS_FOUND =
  /\b(require|import)(\.resolve)?\s*\(\s*(?!\s|['")]|\/\*)(?!`[^`$]*`)|\bglob(by|Sync)?(\.\w+)?\(|['"](fast-glob|globby|tinyglobby)['"]|\brequire\.context|import\.meta\.glob/
/** What starts a file that was found. */
const STARTS_FOUND = /\b(fork|new Worker)\(|\b(execPath|piscina|workerpool|jiti|import-fresh|tsImport)\b|\bBun\.spawn/
/** What stands before the path of an import that is followed. */
const IMPORTS = /(\bfrom|\bimport|\brequire\s*\()\s*['"`][^'"`]*$/
/** What stands before the name of a file that is the path of a route: `app.post('/tracks', …)`. */
const ROUTES = /\.(get|post|put|patch|delete|head|options|all|route)\(\s*['"`]\/$/
/** A line that makes a path, or gives one to what loads. */
const SPEAKS_OF_FOLDERS =
  /__dirname|import\.meta|\b(join|resolve|cwd|require|import)\(|\b(dir|path|folder|root|glob|load|readdir)\w*\s*[(:=]|(Dir|Path|Folder|Root)\w*\s*[(:=]/
/** What looks beside itself. */
const HERE = /__dirname|import\.meta\.\w+|['"`]\.\/?['"`]\s*[+,)]|`\.\/\$\{/
/** Configurations of what checks, tests or builds, and loads nothing that is served. */
const OF_TOOLS =
  /(^|\/)\.?(eslint|jest|vitest|prettier|tailwind|postcss|babel|stylelint|knip|tsup|rollup|lint-staged|playwright|cypress|karma|metro|wdio|stryker|commitlint)[\w.-]*\.\w+$/
/** Folders whose names say nothing of what is in them. */
const GENERAL = /^(src|lib|server|app|apps|packages|services|dist)$/

/** Tells whether the sources, but those of tests, name the file of a module in a text, or load what they find in its folder. */
export function namedFiles(project: Project, isOfTests: (file: string) => boolean): (module: Module) => boolean {
  const sources = project.sources.filter(({ file }) => !OF_TOOLS.test(file) && !isStartedByHand(file) && !isOfTests(file))
  const isFound = foundFiles(sources, project)
  return ({ source: { file } }) => isFound(file) || sources.some((source) => source.file !== file && isNamedBy(source, file, project))
}

function isNamedBy(source: Source, file: string, project: Project): boolean {
  const { stem, folder } = partsOf(file)
  if (!source.text.includes(stem)) return false
  const isNear = project.packageOf(source.file) === project.packageOf(file)
  return placesOf(stem, source).some((place) => {
    const before = source.text.slice(Math.max(0, place - 200), place)
    const after = source.text.slice(place + stem.length, place + stem.length + 60)
    if (!/^(\.[\w.]*)?(\?[\w&=]*)?['"`#:]/.test(after)) return false
    const opened = /(['"`])([^'"`\n]*)$/.exec(before)
    if (!opened) return false
    const path = opened[2] ?? ''
    if (ROUTES.test(before)) return false
    const request = path + stem + (/^[^'"`?#:]*/.exec(after)?.[0] ?? '')
    const to = project.resolve(request, source.file)
    if (to.kind === 'file') return to.file === file && !IMPORTS.test(before)
    return path === '' ? isNear && SPEAKS_OF_FOLDERS.test(lineAt(source.text, place)) : isPathTo(path, folder)
  })
}

/** What stands before a file's name may be its folder, or something that a configuration stands for. */
function isPathTo(path: string, folder: string): boolean {
  const last = /([^/]*)\/$/.exec(path)?.[1]
  return last === folder || (last !== undefined && (last === '' || /^\.+$|[@~#}]/.test(last)))
}

/** Tells whether something loads what it finds in the folder of a file. */
function foundFiles(sources: readonly Source[], project: Project): (file: string) => boolean {
  const isLoaded = sources.some(({ text }) => LOADS_FOUND.test(text) || STARTS_FOUND.test(text))
  const loading = isLoaded ? sources.filter(({ text }) => LISTS.test(text) || LOADS_FOUND.test(text)) : []
  const patterns = sources.flatMap(filePatternsIn)
  const known = new Map<string, boolean>()
  return (file) => {
    const base = project.packageOf(file)
    if (patterns.some(({ of, finds }) => pathBelow(base, project.packageOf(of)) !== null && finds(file))) return true
    if (loading.length === 0) return false
    const home = folderOf(file)
    const isFound =
      known.get(home) ??
      (loading.some((source) => folderOf(source.file) === home && HERE.test(source.text)) || isSearched(home, base, sources, project))
    known.set(home, isFound)
    return isFound
  }
}

/** True where something loads what it finds in a folder of a package. */
function isSearched(home: string, base: string, sources: readonly Source[], project: Project): boolean {
  const near = sources.filter(({ file }) => pathBelow(base, project.packageOf(file)) !== null)
  const folders = (pathBelow(home, base) ?? home).split('/')
  return folders.some((name, k) => {
    if (name === '' || (GENERAL.test(name) && k < folders.length - 1)) return false
    const found = new RegExp(`['"\`/]${name.replace(/\W/g, '\\$&')}(\\/?['"\`]|\\/[^'"\`*\\n]*\\$\\{)`, 'g')
    return near.some(({ text }) => [...text.matchAll(found)].some(({ 0: each, index }) => isOfFolder(each, index, text)))
  })
}

/** A name is one of a folder where its line speaks of such. */
function isOfFolder(found: string, at: number, text: string): boolean {
  return !IMPORTS.test(`${text.slice(lineStart(text, at), at)}${found[0]}`) && SPEAKS_OF_FOLDERS.test(lineAt(text, at))
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(lineStart(text, at), end < 0 ? text.length : end)
}

function partsOf(file: string) {
  const parts = file.split('/')
  const name = (parts.at(-1) ?? '').replace(/\.\w+$/, '')
  return { stem: name, folder: parts.at(-2) ?? '' }
}
