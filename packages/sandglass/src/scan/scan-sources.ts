import type { Node } from 'oxc-parser'
import { append } from '../model/append.js'
import { coversVersion } from '../model/default-of.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Spot } from '../model/sourced.js'
import { allScanRules } from './all-scan-rules.js'
import { asksOwnPage } from './calls/asks-own-page.js'
import { callersAmong } from './calls/callers.js'
import { clientUsesOf } from './calls/client-uses.js'
import { siteFinderOf } from './calls/find-site.js'
import type { ScannedCall } from './calls/scanned-call.js'
import { seeCalls, weakestOf } from './calls/see-calls.js'
import { scannedCall } from './calls/seen-to-scanned.js'
import { unaskedClients } from './calls/unasked-clients.js'
import { compiledAmong } from './files/compiled.js'
import { functionEndsAmong } from './files/function-ends.js'
import { idleFunctionsAmong } from './files/idle-functions.js'
import { inBrowserAmong } from './files/in-browser.js'
import { isTestPath } from './files/is-test-path.js'
import { modulesAtTheEdge } from './files/modules-at-the-edge.js'
import { nodeAt } from './files/node-at.js'
import { isOfDevelopment } from './files/of-development.js'
import { type Aside, isStartedByHand, ofEndedFunction, setAside, severityOfPath } from './files/path-severity.js'
import { openProject, type Project, type ProjectInput, type Unparsed } from './files/project.js'
import { startedByHandAmong } from './files/started-by-hand.js'
import { testModules } from './files/test-modules.js'
import { touchingFiles } from './files/touching-files.js'
import { usersOf } from './files/users-of.js'
import { guardsAmong } from './guards/guards.js'
import type { Limit } from './limits/limit-state.js'
import { allModels } from './models/all-models.js'
import type { LibraryModel } from './models/library-model.js'
import { modelFindings } from './models/model-findings.js'
import type { ScanRule } from './scan-rule.js'
import type { ScanView, SeenCall } from './scan-view.js'
import { forNode } from './signals/for-node.js'
import type { Module } from './syntax/module.js'
import { evaluatorOf } from './terms/evaluator.js'

/** Files that only models look into: the schema of Prisma. */
const NO_CODE = /\.prisma$/

/** What a scan may be told. */
export interface ScanOptions {
  /** What every journey has; null where nobody says. */
  readonly budgetMs?: number | null
  /** How long what stands before the servers keeps an idle connection; null where nobody says. */
  readonly proxyIdleMs?: number | null
  /** True for files that are read but not judged. Default: tests, mocks and declarations. */
  readonly isLeftOut?: (file: string) => boolean
  /** True for files that are judged though what they import, or their package, tells that they are tests. Default: none. */
  readonly isJudgedAnyway?: (file: string) => boolean
  /** True for files that a script of their package runs, and none that starts a service. Default: none. */
  readonly isRunByScript?: (file: string) => boolean
  /** All that could use what the files export is among them. Default: false. */
  readonly seesAllUsers?: boolean
  /** True for files that something names which is no source: a script, a configuration. Default: none. */
  readonly isNamedOutside?: (file: string) => boolean
  readonly models?: readonly LibraryModel[]
  readonly rules?: readonly ScanRule[]
  /** Hears what is being done: `scanning a.ts`. */
  readonly onStep?: (what: string) => void
}

/** What a scan found. */
export interface Scanned {
  readonly calls: readonly ScannedCall[]
  readonly diagnostics: readonly Diagnostic[]
  readonly unparsed: readonly Unparsed[]
}

/** Finds the calls in TypeScript and JavaScript that wait for something outside, and how long each may take. Pure. */
export function scanSources(input: ProjectInput, options: ScanOptions = {}): Scanned {
  const {
    budgetMs = null,
    proxyIdleMs = null,
    isLeftOut = isTestPath,
    isJudgedAnyway = () => false,
    isRunByScript = () => false,
    seesAllUsers = false,
    isNamedOutside = () => false,
    models = allModels,
    rules = allScanRules,
    onStep = () => {},
  } = options
  const project = openProject(input)
  const opened: Module[] = []
  const isCompiled = compiledAmong(project)
  const judged = project.sources.filter((source) => !isLeftOut(source.file) && !NO_CODE.test(source.file) && !isCompiled(source))
  const touching = touchingFiles(judged, project.resolve, models)
  for (const { file } of judged) {
    onStep(`scanning ${file}`)
    const module = touching.has(file) ? project.moduleOf(file) : project.look(file)
    if (module) opened.push(module)
  }
  const ofTests = testModules(opened, project)
  const modules = opened.filter((module) => !ofTests.has(module) || isJudgedAnyway(module.source.file))
  const evaluator = evaluatorOf(project)
  const uses = clientUsesOf(() => modules, evaluator)
  const finder = siteFinderOf(models, evaluator, uses)
  const callersOf = callersAmong(modules, evaluator)
  const guardsOf = guardsAmong(modules, { evaluator, callersOf, callsOf: uses.callsOf })
  const isInBrowser = inBrowserAmong(modules, project)
  const users = once(() => usersOf(modules, project).users)
  const atTheEdge = modulesAtTheEdge(modules, project, users)
  const seen = modules
    .flatMap((module) => {
      onStep(`following the calls of ${module.source.file}`)
      return seeCalls(module, { evaluator, finder, callersOf, guardsOf })
    })
    .filter(
      (each) =>
        !isOfNoNode(each, project) &&
        !(asNodeDoes(each) && (isInBrowser(each.site.spot) || atTheEdge.has(each.site.at.module) || asksOwnPage(each.site, callersOf))),
    )
  const byHand = startedByHandAmong(modules, { project, isRunByScript, usersOf: users })
  const testFiles = new Set([...ofTests].map(({ source }) => source.file))
  const isOfTests = (file: string) => testFiles.has(file) || isLeftOut(file)
  // A command may start all of a service; what a script runs that starts none does not.
  const isByHand = (file: string) => byHand.has(file) && isRunByScript(file)
  const unasked = once(() => unaskedClients(seen))
  const isUnasked = (made: Node) => unasked().has(made)
  const idlenessAt = idleFunctionsAmong(modules, {
    project,
    usersOf: users,
    isOfTests,
    isByHand,
    isUnasked,
    seesAllUsers,
    isNamedOutside,
  })
  const asideAt = (spot: Spot): Aside | null => idlenessAt(spot) ?? (isOnlyDeveloped(spot, project) ? 'developed' : null)
  const holdsUpOne = (spot: Spot) => isInBrowser(spot) || byHand.has(spot.source.file)
  const isAside = (spot: Spot) => asideAt(spot) !== null || isStartedByHand(spot.source.file) || holdsUpOne(spot)
  const view: ScanView = { calls: seen, modules, evaluator, uses, finder, callersOf, isAside, isInBrowser, budgetMs, proxyIdleMs }
  const functionEndOf = functionEndsAmong(modules, project, () => users())
  const endMsOf = (one: Diagnostic) => {
    const module = project.moduleOf(one.spot.source.file)
    return module && functionEndOf(module, one.spot.start)
  }
  const advised = (one: Diagnostic): Diagnostic => {
    const node = isInBrowser(one.spot) ? null : nodeAt(project, one.spot.source.file)
    return one.suggestion ? { ...one, suggestion: { ...one.suggestion, text: forNode(one.suggestion.text, node) } } : one
  }
  const order = new Map(modules.map(({ source }, k) => [source.file, k]))
  const ofRules = rules.flatMap((rule) => {
    onStep(`looking for ${rule.id}`)
    return [...rule.check(view)].sort((a, b) => inOrder(a, b, order))
  })
  const found = [...ofRules, ...modelFindings(view)].flatMap((one) => {
    const endMs = endMsOf(one)
    if (endMs === null) return [one]
    return isAfter(one, endMs) ? [] : [ofEndedFunction(one, endMs)]
  })
  const diagnostics = found.map(advised).map((one) => {
    const why = asideAt(one.spot)
    return why === null ? severityOfPath(one, holdsUpOne) : setAside(one, why)
  })
  return { calls: onePerCall(seen).map(scannedCall), diagnostics, unparsed: project.unparsed }
}

/** By their places, whatever order a rule looks at calls in. */
function inOrder({ spot: a }: Diagnostic, { spot: b }: Diagnostic, order: ReadonlyMap<string, number>): number {
  return (order.get(a.source.file) ?? -1) - (order.get(b.source.file) ?? -1) || a.start - b.start
}

function isOnlyDeveloped({ source, start }: Spot, project: Project): boolean {
  const module = project.moduleOf(source.file)
  return module !== null && isOfDevelopment(start, module)
}

/** A default that the platform lets no function wait for ends nothing. */
const isAfter = ({ rule, values }: Diagnostic, endMs: number) => rule === 'default-bound' && Number(values['ms']) >= endMs

/** What Node brings, its `fetch` with its own limits above all: where another one asks, they say nothing. */
function asNodeDoes({ site, judged }: SeenCall): boolean {
  const isOfNode = ({ origin }: Limit) => origin.kind === 'default' && origin.product === 'node fetch'
  const { packages, asksByFetch = false } = site.model
  return (
    asksByFetch ||
    packages.some((name) => name === 'global' || name.startsWith('node:')) ||
    (judged.isDefault && judged.limits.some(isOfNode))
  )
}

/** A `fetch` with the default of Node where that has none: a page asks, or what somebody put in its place. */
function isOfNoNode({ site: { model, at }, judged }: SeenCall, { versionOf }: Project): boolean {
  const node = versionOf('node', at.module.source.file)
  return judged.isDefault && model.packages.includes('global') && node !== null && coversVersion(BEFORE_FETCH, node)
}

/** `fetch` came with Node 17.5, to be switched on, and with 18 for all. */
const BEFORE_FETCH = '<17.5'

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** A call that was seen for several callers counts once, as it is for the one that may wait longest. */
function onePerCall(seen: readonly SeenCall[]): SeenCall[] {
  const byNode = new Map<object, SeenCall[]>()
  for (const each of seen) {
    if (!each.isClient) append(byNode, each.site.node, each)
  }
  return [...byNode.values()].flatMap((same) => weakestOf(same) ?? [])
}
