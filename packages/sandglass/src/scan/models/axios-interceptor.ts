import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { findProperty } from '../terms/property.js'
import { returnsOf } from '../terms/returns.js'
import { identityOf, type Term } from '../terms/term.js'
import type { Site } from './library-model.js'

/** What an interceptor of a client sets in the config of each request. */
export interface Intercepted {
  readonly value: Term
  /** `||=`, `({ timeout, ...config })`: only where a call has none. */
  readonly isFallback: boolean
}

type FunctionOf = Extract<Term, { kind: 'function' }>

/** What a function that a client's requests go through sets: `config.timeout = 300`, `return { ...config, timeout: 300 }`. */
export function intercepted(site: Site, client: string, option: string): Intercepted | undefined {
  for (const { args } of site.uses.callsOf(`${client}${client.endsWith(':') ? '' : '.'}interceptors.request.use`)) {
    for (const given of functionsIn(args[0])) {
      const found = assignedIn(given, option, site) ?? returnedBy(given, option, site)
      if (found) return found
    }
  }
  return undefined
}

function assignedIn(given: FunctionOf, option: string, { evaluator }: Site): Intercepted | undefined {
  const found = given.module.memberAssignments.find(({ left, start, end }) => {
    if (start < given.node.start || end > given.node.end || left.type !== 'MemberExpression') return false
    if (keyName(left.property as Node, left.computed) !== option) return false
    return isConfig(evaluator.termOf(left.object as Node, given.module), given)
  })
  // axios has 0 where a call has nothing: `??=` never sets it.
  const isNever = option === 'timeout' && found?.operator === '??='
  if (!found || isNever) return undefined
  return { value: evaluator.termOf(found.right, given.module), isFallback: found.operator !== '=' }
}

/** Every way out returns a new config that has it; one that does not may be the way that is taken. */
function returnedBy(given: FunctionOf, option: string, { evaluator }: Site): Intercepted | undefined {
  const all = returnsOf(given.node).map((node) => {
    const term = evaluator.termOf(node, given.module)
    return term.kind === 'object' ? findProperty(term, option) : null
  })
  const [first] = all
  if (!first?.value || all.some((each) => !each?.value)) return undefined
  const isFallback = all.some((each) => each?.mayBeReplacedBy.some((spread) => isConfig(spread, given)))
  return { value: first.value, isFallback }
}

function isConfig(term: Term, given: FunctionOf): boolean {
  return term.kind === 'parameter' && term.of === given.node && term.index === 0
}

/** Where the answer tells whether to ask again, silence is not asked again. */
const BY_ANSWER = /\bstatus\b|\b40[13]\b/

/** True where an interceptor makes a failed request of a client again, as often as it says itself. */
export function isMadeAgain({ uses, evaluator }: Site, client: string): boolean {
  return uses.callsOf(`${client}${client.endsWith(':') ? '' : '.'}interceptors.response.use`).some(({ args: [, onError] }) =>
    functionsIn(onError).some(({ node, module }) => {
      if (BY_ANSWER.test(module.source.text.slice(node.start, node.end))) return false
      return module.calls.some((call) => {
        if (call.type !== 'CallExpression' || call.start < node.start || call.end > node.end) return false
        const callee = identityOf(evaluator.termOf(call.callee, module))
        return callee === client || callee === `${client}.request` || callee === 'axios:' || callee === 'axios:request'
      })
    }),
  )
}

function functionsIn(term: Term | undefined): readonly FunctionOf[] {
  if (term?.kind === 'function') return [term]
  return term?.kind === 'either' ? term.of.flatMap(functionsIn) : []
}
