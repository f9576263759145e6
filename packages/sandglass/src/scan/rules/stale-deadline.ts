import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { runsOnce } from '../calls/runs-once.js'
import { type FunctionUses, functionUsesAmong } from '../guards/function-uses.js'
import { numberOf } from '../guards/reckon.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { ScanView, SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { type Module, spotOf } from '../syntax/module.js'
import { functionAround } from '../terms/evaluator.js'
import { isGlobal, type MadeTerm, type Term } from '../terms/term.js'

interface Stale {
  readonly made: MadeTerm
  readonly what: 'deadline' | 'signal'
  /** How long after the start it is over; null where that is not known. */
  readonly ms: number | null
}

interface Use {
  readonly stale: Stale
  readonly spot: Spot
}

const PLACES: Readonly<Record<string, Stale['what']>> = { deadline: 'deadline', signal: 'signal', abortSignal: 'signal' }

/** A deadline or a timed signal that is made once, when the module is loaded, and given to calls ever after. */
export const staleDeadline: ScanRule = {
  id: 'stale-deadline',
  severity: 'error',
  summary: 'a deadline that is made once and is over ever after',
  *check(view) {
    const byOrigin = new Map<string, { readonly first: Use; calls: number }>()
    for (const use of usesOf(view)) {
      const { at } = use.stale.made
      const key = JSON.stringify([at.module.source.file, at.node.start])
      const known = byOrigin.get(key)
      if (known) known.calls++
      else byOrigin.set(key, { first: use, calls: 1 })
    }
    for (const { first, calls } of byOrigin.values()) yield scanFinding(findingOf(first, calls))
  },
}

function* usesOf(view: ScanView): Iterable<Use> {
  const functions = functionUsesAmong(view.modules, view.evaluator, view.callersOf)
  for (const module of view.modules) yield* usesIn(module, view, functions)
  for (const seen of view.calls) yield* usesOfClient(seen, functions)
}

function* usesIn(module: Module, { evaluator }: ScanView, functions: FunctionUses): Iterable<Use> {
  for (const node of module.calls) {
    if (node.type === 'TaggedTemplateExpression') continue
    const around = functionAround(node)
    if (around === null) continue
    const stale = node.arguments.flatMap((arg) => (arg.type === 'SpreadElement' ? [] : staleIn(evaluator.termOf(arg, module))))
    const [first] = stale
    if (first && !runsOnce(around, module, functions)) yield { stale: first, spot: spotOf(node, module) }
  }
}

/** `axios.create({ signal: AbortSignal.timeout(5000) })` at the top: every call of the client has it. */
function* usesOfClient({ site }: SeenCall, functions: FunctionUses): Iterable<Use> {
  const { client } = site
  const around = functionAround(site.node)
  if (!client?.options || around === null || runsOnce(around, site.at.module, functions)) return
  for (const stale of staleIn(client.options)) yield { stale, spot: client.spot }
}

/** What of an options object is made at the top of a module and is over after a while. */
function staleIn(term: Term): Stale[] {
  if (term.kind === 'either') return term.of.flatMap(staleIn)
  if (term.kind !== 'object') return []
  return term.parts.flatMap((part) => {
    if (!('name' in part)) return staleIn(part.spread)
    const what = PLACES[part.name]
    if (!what) return []
    const stale = what === 'signal' ? staleSignal(part.value) : staleInstant(part.value, null, 0)
    return stale ? [stale] : []
  })
}

function staleSignal(term: Term): Stale | null {
  if (term.kind !== 'made') return null
  const [first] = term.args
  if (isGlobal(term.callee, 'AbortSignal.timeout'))
    return isAtTop(term.at.node) ? { made: term, what: 'signal', ms: first ? numberOf(first) : null } : null
  if (!isGlobal(term.callee, 'AbortSignal.any') || first?.kind !== 'list') return null
  return first.items.map(staleSignal).find((each) => each !== null) ?? null
}

/** `Date.now() + 2000`, `new Date(Date.now() + 2000)`. */
function staleInstant(term: Term, ms: number | null, depth: number): Stale | null {
  if (term.kind !== 'made' || depth > 4) return null
  if (isClock(term)) return isAtTop(term.at.node) ? { made: term, what: 'deadline', ms } : null
  const isSum = term.callee.kind === 'external' && term.callee.package === 'operator' && term.callee.path[0] === '+'
  if (!isSum && !isGlobal(term.callee, 'Date')) return null
  const added = isSum ? (term.args.map((arg) => numberOf(arg)).find((number) => number !== null) ?? ms) : ms
  return term.args.map((arg) => staleInstant(arg, added, depth + 1)).find((each) => each !== null) ?? null
}

/** `Date.now()`, `performance.now()`, `new Date()`, `new Date().getTime()`. */
function isClock({ callee, args }: MadeTerm): boolean {
  if (isGlobal(callee, 'Date.now') || isGlobal(callee, 'performance.now')) return true
  if (isGlobal(callee, 'Date')) return args.length === 0
  return callee.kind === 'member' && /^(getTime|valueOf)$/.test(callee.name) && callee.object.kind === 'made' && isClock(callee.object)
}

/** True for code that runs when the module is loaded; a field of a class is made with each object. */
function isAtTop(node: Node): boolean {
  for (let here = node.parent; here; here = here.parent) {
    if (here.type === 'PropertyDefinition' && !here.static) return false
    if (here.type === 'FunctionDeclaration' || here.type === 'FunctionExpression' || here.type === 'ArrowFunctionExpression') return false
  }
  return true
}

function findingOf({ stale, spot }: Use, calls: number): ScanFinding {
  const { made, what, ms } = stale
  const when = ms === null ? 'soon after the start' : `${secondsText(ms)} after the start`
  const many = calls > 1 ? `; ${calls} calls have it` : ''
  return {
    rule: 'stale-deadline',
    severity: 'error',
    message: `this ${what} is made once, when the module is loaded: it is over ${when}, and every later call fails at once${many}`,
    why: 'An instant is good for one request. A test sees it work, a server fails for as long as it runs.',
    spot,
    label: 'gets what is long over',
    related: [{ spot: spotOf(made.at.node, made.at.module), label: 'made when the module is loaded' }],
    values: { ms, calls },
    suggestion: { text: `make the ${what} in the function that makes the call`, edits: [] },
  }
}
