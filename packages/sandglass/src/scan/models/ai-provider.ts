import { settingIn } from '../limits/settings.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'

/** Providers that ask a command line or the browser instead of a server, or by a client of their own that hears of no signal. */
const NO_SERVER =
  /^(ai\/test|@portkey-ai\/vercel-provider|ai-sdk-provider-(claude-code|codex-cli|gemini-cli)\b|@?(built-in-ai|browser-ai)\b|chrome-ai$)/

/** Functions deep that a model is followed into. */
const MAX_DEPTH = 8

/** True where the code shows that a model of the AI SDK asks by other means than the plain `fetch` of Node; what cannot be seen does not count. */
export function asksOtherwise(model: Term, evaluator: Evaluator, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const inner = (term: Term) => asksOtherwise(term, evaluator, depth + 1)
  switch (model.kind) {
    case 'external':
      return NO_SERVER.test(model.package)
    case 'unknown':
      return model.missing !== undefined && NO_SERVER.test(model.missing.request)
    case 'member':
      return inner(model.object)
    case 'either':
      return model.of.some(inner)
    case 'object':
      return model.parts.some((part) => ('name' in part ? /^do[A-Z]/.test(part.name) || inner(part.value) : inner(part.spread)))
    case 'list':
      return model.items.some(inner)
    case 'function':
      return makesOtherwise(model, evaluator)
    case 'class':
      return true
    case 'made':
      return (
        hasOwnFetch(model, evaluator) || hasOwnMiddleware(model) || inner(model.callee) || (isOfPackage(model) && model.args.some(inner))
      )
    default:
      return false
  }
}

/** What a function here is called with is no part of the model; where it is, the function returned it. */
function isOfPackage({ callee }: Extract<Term, { kind: 'made' }>): boolean {
  return callee.kind === 'external' || callee.kind === 'made' || callee.kind === 'member'
}

/** `createOpenAI({ fetch: … })`, also where a spread may bring one. */
function hasOwnFetch({ callee, args }: Extract<Term, { kind: 'made' }>, evaluator: Evaluator): boolean {
  const name = callee.kind === 'external' ? callee.path.at(-1) : callee.kind === 'unknown' ? callee.missing?.path.at(-1) : undefined
  return /^create[A-Z]/.test(name ?? '') && args.some((arg) => settingIn(arg, 'fetch', evaluator).state !== 'absent')
}

/** `wrapLanguageModel({ model, middleware })`: what is written here may end a call itself. */
function hasOwnMiddleware({ callee, args: [first] }: Extract<Term, { kind: 'made' }>): boolean {
  if (callee.kind !== 'external' || callee.package !== 'ai' || !/^wrap\w+Model$/.test(callee.path.at(-1) ?? '')) return false
  if (first?.kind !== 'object') return true
  const middleware = first.parts.find((part) => 'name' in part && part.name === 'middleware')
  return middleware === undefined || !('name' in middleware) || !isOfTheSdk(middleware.value)
}

function isOfTheSdk(middleware: Term): boolean {
  if (middleware.kind === 'list') return middleware.items.every(isOfTheSdk)
  return middleware.kind === 'made' && middleware.callee.kind === 'external' && middleware.callee.package === 'ai'
}

/** A function whose model could not be told by what it returns: any provider with a `fetch` of its own in it. */
function makesOtherwise({ node, module }: Extract<Term, { kind: 'function' }>, evaluator: Evaluator): boolean {
  return module.calls.some((call) => {
    if (call.type !== 'CallExpression' || call.start < node.start || call.end > node.end) return false
    const callee = evaluator.termOf(call.callee, module)
    const args = call.arguments.map((arg) => evaluator.termOf(arg.type === 'SpreadElement' ? arg.argument : arg, module))
    return hasOwnFetch({ kind: 'made', callee, args, isNew: false, at: { node: call, module } }, evaluator)
  })
}
