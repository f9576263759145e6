import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Binding, type Declared, type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import { directiveOf } from './directive-of.js'

/** What Next.js calls on the server, in whatever file of a page it stands. */
const OF_NEXT: ReadonlySet<string> = new Set([
  'getServerSideProps',
  'getStaticProps',
  'getStaticPaths',
  'generateMetadata',
  'generateStaticParams',
])
/** What Next.js calls in a file called `route`. */
const OF_ROUTE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const ROUTE = /(^|\/)route\.[jt]sx?$/
/** What Remix and React Router call on the server, unless they have none. */
const OF_ROUTER: ReadonlySet<string> = new Set(['loader', 'action'])
const HAS_SERVER = /['"](@remix-run\/(node|server-runtime|express|cloudflare)|\.\/\+types\/[^'"\n]*|[^'"\n]*\.server(\.[jt]sx?)?)['"/]/

/** The stretches of a page's module that run on a server, and what they use of what the module imports. */
export interface ServerParts {
  readonly nodes: readonly Node[]
  readonly imports: ReadonlySet<Binding>
}

const NONE: ServerParts = { nodes: [], imports: new Set() }
const known = new WeakMap<Module, ServerParts>()

/** What of a module runs on a server though the module is a browser's: actions, what a framework loads a page with, components that wait. */
export function serverPartsOf(module: Module): ServerParts {
  const before = known.get(module)
  const parts = before ?? find(module)
  if (!before) known.set(module, parts)
  return parts
}

function find(module: Module): ServerParts {
  if (directiveOf(module) === 'use client') return NONE
  const nodes: Node[] = []
  for (const scopeNode of module.scopes.keys()) if (isFunctionNode(scopeNode) && isOfServer(scopeNode, module)) nodes.push(scopeNode)
  return nodes.length === 0 ? NONE : withWhatTheyUse(nodes, module)
}

/** The declarations of the module that its parts use are parts of the server too. */
function withWhatTheyUse(nodes: Node[], module: Module): ServerParts {
  const imports = new Set<Binding>()
  const taken = new Set<Declared>()
  for (let next = 0; next < nodes.length; next++) {
    walk(nodes[next] as Node, (node) => {
      const declared = node.type === 'Identifier' ? lookUp(node.name, scopeAt(node, module)) : null
      if (!declared || declared.scope !== module.scope || taken.has(declared)) return true
      taken.add(declared)
      const { binding } = declared
      if (binding.kind === 'import') imports.add(binding)
      else if (binding.kind !== 'parameter' && binding.node) nodes.push(binding.node)
      return true
    })
  }
  return { nodes, imports }
}

function isOfServer(node: FunctionNode, module: Module): boolean {
  if (node.body?.type === 'BlockStatement' && hasDirective(node.body.body[0] as Node | undefined)) return true
  const name = nameOf(node)
  if (name === null) return false
  if (isTopLevel(node, module) && module.exports.has(name)) {
    if (OF_NEXT.has(name) || (OF_ROUTE.has(name) && ROUTE.test(module.source.file))) return true
    if (OF_ROUTER.has(name)) return HAS_SERVER.test(module.source.text)
  }
  return node.async && /^([A-Z]|default$)/.test(name) && givesMarkup(node)
}

function hasDirective(first: Node | undefined): boolean {
  return first?.type === 'ExpressionStatement' && 'directive' in first && first.directive === 'use server'
}

/** The name that a function is declared with; `default` where it is what a module gives. */
function nameOf(node: FunctionNode): string | null {
  if (node.id) return node.id.name
  const above = node.parent
  if (above?.type === 'VariableDeclarator' && above.id.type === 'Identifier') return above.id.name
  return above?.type === 'ExportDefaultDeclaration' ? 'default' : null
}

function isTopLevel(node: FunctionNode, module: Module): boolean {
  for (let above: Node | null | undefined = node.parent; above; above = above.parent) if (isFunctionNode(above)) return false
  return module.scopes.has(node)
}

/** A component: a component of the browser cannot wait, so that one that is `async` is the server's. */
function givesMarkup(node: FunctionNode): boolean {
  let found = false
  walk(node.body as Node, (each) => {
    found ||= each.type === 'JSXElement' || each.type === 'JSXFragment'
    return !found && !isFunctionNode(each)
  })
  return found
}
