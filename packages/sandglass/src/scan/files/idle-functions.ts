import type { Node } from 'oxc-parser'
import type { Source } from '../../model/sourced.js'
import type { Module } from '../syntax/module.js'
import { buildsPages } from './builds-pages.js'
import { cannotLoad } from './cannot-load.js'
import { escapedModules } from './escaped-modules.js'
import { exportedAs } from './exported-as.js'
import { hiddenUsersIn, needs } from './hidden-users.js'
import { passedOnModules } from './passed-on.js'
import { isNamedIn, placesOf } from './places-of.js'
import type { Project } from './project.js'
import { functionAt, isOnlyNamedAt, madeAt, type TopFunction } from './top-function.js'
import { unusedModules } from './unused-modules.js'
import type { Users } from './used-only-there.js'

/** Why a function, or a client, holds up nobody who is served: nothing calls it, or asks it, nothing uses its file, or can, or only what builds pages, or what is started by hand, calls it. */
export type Idleness = 'uncalled' | 'unasked' | 'unused' | 'broken' | 'built' | 'by hand'

/** What is known of a project beside its modules. */
export interface IdleAmong {
  readonly project: Project
  readonly usersOf: () => Users
  /** Files whose uses do not count: tests. */
  readonly isOfTests: (file: string) => boolean
  /** Files that scripts run which start no service. Default: none. */
  readonly isByHand?: (file: string) => boolean
  /** True for a client of which no call is seen. Default: none. */
  readonly isUnasked?: (made: Node) => boolean
  /** All that could use an exported function is among the sources. */
  readonly seesAllUsers: boolean
  /** What is no source names the file: a script, a configuration. */
  readonly isNamedOutside: (file: string) => boolean
}

/** Exports that a framework or a loader calls by their name, though nobody imports them. */
const STARTED =
  /^(default|handler|main|loader|action|actions|load|entries|clientLoader|clientAction|headers|links|meta|middleware|proxy|register|handle|handleError|handleFetch|setup|teardown|init|start|stop|run|execute|process|perform|up|down|seed|activate|deactivate|bootstrap|mount|unmount|sitemap|robots|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL|get[A-Z]\w*(Props|Paths)|generate(Metadata|StaticParams|Viewport|ImageMetadata|Sitemaps)|(on|before|after|wrap)[A-Z]\w*)$/
/** Folders of what something loads that looks for it there: functions by what a configuration names, routes by their path. */
const LOADED = /(^|\/)(functions|lambdas?|handlers?|resolvers?|routes?)\//
/** What calls functions by what a configuration names. */
const CALLS_BY_NAME =
  /^(serverless|aws-lambda|@types\/aws-lambda|firebase-functions|@google-cloud\/functions-framework|openapi-backend|express-openapi(-validator)?|swagger-tools|exegesis-express)$/
const HAS_TEMPLATE = /\.(vue|svelte|astro)$/

/** Tells why the function around a place holds up nobody; null where somebody may call it, or nobody can tell. */
export function idleFunctionsAmong(modules: readonly Module[], among: IdleAmong) {
  const { project, usersOf, isOfTests, isByHand = () => false, isUnasked = () => false, seesAllUsers } = among
  const byFile = new Map(modules.map((module) => [module.source.file, module]))
  const known = new Map<Node, Idleness | null>()
  let escaped: ReadonlySet<Module> | null = null
  let unused: ReadonlySet<Module> | null = null
  let passedOn: ReadonlySet<Module> | null = null
  let isHidden: ReturnType<typeof hiddenUsersIn> | null = null
  const seesUsersOf = ({ source }: Module): boolean => {
    isHidden ??= hiddenUsersIn(project)
    return seesAllUsers && !isHidden(source.file)
  }
  const isUnused = (module: Module): boolean => {
    if (!seesUsersOf(module)) return false
    unused ??= unusedModules(modules, among)
    return unused.has(module)
  }
  const isOpen = (module: Module): boolean => {
    const manifest = project.manifestOf(module.source.file)
    if (manifest === null || manifest.isForOthers || LOADED.test(module.source.file)) return true
    if (!seesUsersOf(module) || needs(CALLS_BY_NAME, manifest)) return true
    escaped ??= escapedModules(modules, project)
    passedOn ??= passedOnModules(modules, project, usersOf())
    return escaped.has(module) || (!usersOf().has(module) && !passedOn.has(module))
  }
  const idlenessOf = (top: TopFunction, module: Module, asked: ReadonlySet<Node>): Idleness | null => {
    if (asked.has(top.node)) return 'uncalled'
    const before = known.get(top.node)
    if (before !== undefined) return before
    const found = judge(top, module, new Set([...asked, top.node]))
    if (asked.size === 0 || found === null) known.set(top.node, found)
    return found
  }
  const judge = (top: TopFunction, module: Module, asked: ReadonlySet<Node>): Idleness | null => {
    if (buildsPages(top, module)) return 'built'
    const names = exportedAs(top, module)
    if (isCalledUnseen(top, module) || names.some((name) => name !== top.name || STARTED.test(name))) return null
    if (names.length === 0) return idlenessOfUses(top, module.source, module, asked)
    if (isOpen(module)) return null
    const users = new Set([module, ...(usersOf().get(module) ?? [])])
    // Those that use the module tell most; the others may call it by a way that cannot be followed.
    const sources = new Set([...[...users].map(({ source }) => source), ...project.sources])
    return together(sources, (source) => {
      const { file } = source
      if (isOfTests(file) || !isNamedIn(top.name, source)) return 'uncalled'
      if (isByHand(file) && file !== module.source.file) return 'by hand'
      const user = byFile.get(file)
      if (user && isUnused(user)) return 'uncalled'
      if (user && !users.has(user) && isOfItsOwn(top.name, user, project)) return 'uncalled'
      return user && !HAS_TEMPLATE.test(file) ? idlenessOfUses(top, user.source, user, asked) : idlenessOfText(top, source)
    })
  }
  const idlenessOfUses = (top: TopFunction, source: Source, user: Module, asked: ReadonlySet<Node>): Idleness | null =>
    together(placesOf(top.name, source), (place) => {
      const around = functionAt(place, user)
      if (around?.node === top.node || isOnlyNamedAt(place, user)) return 'uncalled'
      return around && idlenessOf(around, user, asked)
    })
  return ({ source, start }: { readonly source: { readonly file: string }; readonly start: number }): Idleness | null => {
    const module = byFile.get(source.file)
    if (module && isUnused(module)) return 'unused'
    if (!module) return null
    if (!usersOf().has(module) && cannotLoad(module, project)) return 'broken'
    const top = functionAt(start, module)
    if (top) return idlenessOf(top, module, new Set())
    const client = madeAt(start, module)
    // One that is not given to others may be of a file that somebody is at work on.
    if (!client || !isUnasked(client.node) || exportedAs(client, module).length === 0) return null
    const idleness = idlenessOf(client, module, new Set())
    return idleness === 'uncalled' ? 'unasked' : idleness
  }
}

/** Null as soon as one is null. */
function together<T>(all: Iterable<T>, of: (one: T) => Idleness | null): Idleness | null {
  let idleness: Idleness = 'uncalled'
  for (const one of all) {
    const found = of(one)
    if (found === null) return null
    if (found !== 'uncalled') idleness = found
  }
  return idleness
}

/** A template draws what its script declares, JSX names components, and what is no module gives all its names to all. */
function isCalledUnseen({ name }: TopFunction, { source, requests, exports }: Module): boolean {
  return HAS_TEMPLATE.test(source.file) || /^[A-Z]/.test(name) || (requests.length === 0 && exports.size === 0)
}

function idlenessOfText({ name }: TopFunction, source: Source): Idleness | null {
  return placesOf(name, source).length === 0 ? 'uncalled' : null
}

/** A module that uses nothing of the other one means something else by the name: what it declares, or imports from a file of the project. */
function isOfItsOwn(name: string, { scope, source }: Module, project: Project): boolean {
  const binding = scope.names.get(name)?.binding
  return binding !== undefined && (binding.kind !== 'import' || project.resolve(binding.request, source.file).kind === 'file')
}
