import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import { hasNamesOfWorkers } from './has-names-of-workers.js'
import type { Manifest } from './manifest.js'
import { OF_NEXT, withoutType, writtenForPage } from './page-config.js'
import type { Project } from './project.js'
import { runsOnServer } from './runs-on-server.js'
import { type Users, usedOnlyThere } from './used-only-there.js'

const MIDDLEWARE = /(^|\/)middleware\.[jt]s$/
const RUNTIMES = /\b(Deno|Bun)\s*\./
const OTHERS: ReadonlySet<string> = new Set(['Deno', 'Bun'])
/** How Deno and Bun import what no other runtime has. */
const OF_OTHERS = /^(https?:\/\/|jsr:|npm:|bun(:|$)|cloudflare:)/
/** What code that is put on Cloudflare is built with, and what starts a server of Node beside it. */
const OF_CLOUDFLARE = ['wrangler', 'miniflare']
/** Its types alone are for what may run there, too, unless the package is called after it. */
const TYPES_OF_CLOUDFLARE = '@cloudflare/workers-types'
const CALLED_AFTER_IT = /(^|[-_/])(cloudflare|workers?|edge)([-_]|$)/
/** Names that those types give to all files, as the type of something. */
const GLOBAL_TYPES =
  /:\s*(ExecutionContext|ScheduledController|ScheduledEvent|KVNamespace|D1Database|R2Bucket|DurableObject(State|Namespace)|ExportedHandler)\b/g
const OF_NODE = ['express', 'fastify', 'koa', '@hono/node-server', '@nestjs/core']

/** The modules whose `fetch` is not the one of Node: at the edge of Next.js, on Cloudflare, Deno and Bun, and what only those use. */
export function modulesAtTheEdge(modules: readonly Module[], project: Project, usersOf: () => Users): ReadonlySet<Module> {
  const found = new Set(modules.filter((module) => isAtTheEdge(module, project.manifestOf(module.source.file))))
  if (found.size === 0) return found
  const users = usersOf()
  const others = modules.filter((module) => !found.has(module))
  const waiting = others.filter((module) => !runsOnServer(module))
  // Bun and Deno have what is built into Node, so that an import of that says nothing.
  const started = new Set([...found].filter((module) => project.manifestOf(module.source.file)?.isStartedElsewhere))
  return new Set([...found, ...usedOnlyThere(found, waiting, users), ...usedOnlyThere(started, others, users)])
}

function isAtTheEdge(module: Module, manifest: Manifest | null): boolean {
  return (
    isEdgeOfNext(module) ||
    isOfOthers(module) ||
    hasFetchOfItsOwn(module) ||
    namesWorkerTypes(module) ||
    hasNamesOfWorkers(module) ||
    (manifest !== null && (manifest.isStartedElsewhere || isOnCloudflare(manifest)))
  )
}

/** `export const runtime = 'edge'`, the same in the `config` of a page, and what stands before all pages, unless it says otherwise. */
function isEdgeOfNext(module: Module): boolean {
  const { source, exports, requests } = module
  if (OF_NEXT.test(source.file) && writtenForPage('runtime', module).some(isEdge)) return true
  return (
    MIDDLEWARE.test(source.file) && requests.includes('next/server') && exports.has('middleware') && !/['"]nodejs['"]/.test(source.text)
  )
}

function isEdge(value: unknown): boolean {
  return value === 'edge' || value === 'experimental-edge'
}

function isOfOthers(module: Module): boolean {
  if (module.requests.some((request) => OF_OTHERS.test(request))) return true
  if (!RUNTIMES.test(module.source.text)) return false
  let found = false
  walk(module.program, (node) => {
    const name = node.type === 'MemberExpression' && node.object.type === 'Identifier' ? node.object.name : ''
    found ||= OTHERS.has(name) && !lookUp(name, scopeAt(node, module))
    return !found
  })
  return found
}

/** `ctx: ExecutionContext`, which nothing imports or declares; other libraries have one to be imported. */
function namesWorkerTypes({ source: { file, text }, scope }: Module): boolean {
  if (!/\.[cm]?tsx?$/.test(file)) return false
  const declares = (name: string) => new RegExp(`\\b(interface|type|class|enum)\\s+${name}\\b`).test(text)
  return [...text.matchAll(GLOBAL_TYPES)].some(([, name = '']) => !scope.names.has(name) && !declares(name))
}

/** `export default { fetch(request) { … } }`. */
function hasFetchOfItsOwn({ exports, scope }: Module): boolean {
  const given = exports.get('default')
  const node = given?.kind === 'expression' ? withoutType(given.node) : null
  const name = node?.type === 'Identifier' ? node.name : given?.kind === 'local' ? given.name : null
  const binding = name === null ? undefined : scope.names.get(name)?.binding
  const named = binding?.kind === 'value' && binding.node ? withoutType(binding.node) : null
  const value = name === null ? node : named
  return value?.type === 'ObjectExpression' && value.properties.some(isFetch)
}

function isFetch(property: Node): boolean {
  return property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'fetch' && !isOfAnApp(property.value)
}

/** `fetch: app.fetch`, which Bun and Deno start and what is put before Node does too. */
function isOfAnApp(value: Node): boolean {
  return value.type === 'MemberExpression'
}

function isOnCloudflare({ name, dependencies }: Manifest): boolean {
  const isBuiltForIt = OF_CLOUDFLARE.some((each) => dependencies.has(each))
  const isCalledAfterIt = dependencies.has(TYPES_OF_CLOUDFLARE) && CALLED_AFTER_IT.test(name ?? '')
  return (isBuiltForIt || isCalledAfterIt) && !OF_NODE.some((each) => dependencies.has(each))
}
