import type { Module } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { cdkFunctions } from './cdk-functions.js'
import { endOfUsers } from './end-of-users.js'
import { firebaseEndMs } from './firebase-ends.js'
import { isOfAzure } from './is-of-azure.js'
import { lambdaMostMs } from './lambda-most.js'
import { netlifyMostMs } from './netlify-most.js'
import { onlyDeclares } from './only-declares.js'
import { OF_NEXT, writtenForPage } from './page-config.js'
import { isStartedByHand } from './path-severity.js'
import type { Project } from './project.js'
import type { Users } from './used-only-there.js'
import { usedOnlyThere } from './used-only-there.js'

/** After how many ms the platform ends all that what stands at a place of a module is run for, as its functions have it written down; null where nothing says. */
export type FunctionEnds = (module: Module, place: number) => number | null

/** What functions of AWS import: the types of their events, or what wraps them. */
const OF_LAMBDA: ReadonlySet<string> = new Set(['aws-lambda', '@middy/core', '@codegenie/serverless-express', '@vendia/serverless-express'])
const HANDLERS = ['handler', 'main', 'default']

/** When functions of a platform are ended: handlers of AWS Lambda, functions of Azure and Firebase, routes that say `maxDuration`, or whose configuration does, and what only those use. */
export function functionEndsAmong(modules: readonly Module[], project: Project, usersOf: () => Users): FunctionEnds {
  let ends: ReadonlyMap<Module, number> | null = null
  let counted: Users | null = null
  const users = () => (counted ??= servedUsers(usersOf()))
  return (module, place) => {
    const known = (ends ??= endsOf(modules, project, users))
    const endOf = (of: Module) => known.get(of) ?? null
    return known.size === 0 ? null : (endOf(module) ?? endOfUsers(place, module, { project, users: users(), endOf }))
  }
}

const DEPLOYS = /^(aws-cdk-lib|@aws-cdk)(\/|$)/

/** Programs of the CDK run when functions are deployed, not when these are called; what people start by hand holds up nobody who calls them; schemas that only types are taken of run nothing. */
function servedUsers(users: Users): Users {
  const isAside = (module: Module) =>
    module.requests.some((request) => DEPLOYS.test(request)) ||
    isStartedByHand(module.source.file) ||
    (!users.has(module) && onlyDeclares(module) && ![...module.scopes.keys()].some(isFunctionNode))
  return new Map(
    [...users].flatMap(([module, using]): [Module, ReadonlySet<Module>][] => {
      const kept = [...using].filter((user) => !isAside(user))
      return kept.length === 0 ? [] : [[module, new Set(kept)]]
    }),
  )
}

function endsOf(modules: readonly Module[], project: Project, usersOf: () => Users): ReadonlyMap<Module, number> {
  const ends = new Map<Module, number>()
  const deployed = cdkFunctions(project)
  for (const module of modules) {
    const ms = deployed.get(module.source.file) ?? endOf(module, project)
    if (ms !== null) ends.set(module, ms)
  }
  if (ends.size === 0) return ends
  const users = usersOf()
  const found = new Set(ends.keys())
  const waiting = modules.filter((module) => !found.has(module) && !OF_NEXT.test(module.source.file))
  const there = usedOnlyThere(found, waiting, users)
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const module of there) {
      const ms = Math.max(0, ...[...(users.get(module) ?? [])].map((user) => ends.get(user) ?? 0))
      if (ms <= (ends.get(module) ?? 0)) continue
      ends.set(module, ms)
      isGrowing = true
    }
  }
  return ends
}

function endOf(module: Module, project: Project): number | null {
  const { file } = module.source
  const ofNetlify = netlifyMostMs(file)
  if (ofNetlify !== null) return ofNetlify
  if (isLambda(module)) return project.functionEndMsOf(file) ?? project.longestFunctionMsOf(file) ?? lambdaMostMs
  if (isOfAzure(module)) return project.azureMostMsOf(file)
  const ofFirebase = firebaseEndMs(module, project)
  if (ofFirebase !== null) return ofFirebase
  const own = OF_NEXT.test(file) ? writtenForPage('maxDuration', module).filter((value) => typeof value === 'number') : []
  const [seconds] = own
  return seconds === undefined ? project.functionEndMsOf(file) : seconds * 1000
}

/** True for a module whose handler AWS runs. */
function isLambda({ exports, program }: Module): boolean {
  const importsIt = program.body.some((node) => node.type === 'ImportDeclaration' && OF_LAMBDA.has(node.source.value))
  return importsIt && HANDLERS.some((name) => exports.has(name))
}
