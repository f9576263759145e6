import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'

/** A timeout that an interceptor of a client sets. */
export interface Intercepted {
  readonly value: Term
  /** `||=`: only where a call has none. */
  readonly isFallback: boolean
}

/** `api.interceptors.request.use((config) => { config.timeout = 300 … })`: what a function sets that this client's requests go through. */
export function interceptedTimeout({ uses, evaluator }: Site, client: string): Intercepted | undefined {
  for (const { args } of uses.callsOf(`${client}${client.endsWith(':') ? '' : '.'}interceptors.request.use`)) {
    for (const given of functionsIn(args[0])) {
      const found = given.module.memberAssignments.find(({ left, start, end }) => {
        if (start < given.node.start || end > given.node.end || left.type !== 'MemberExpression') return false
        if (keyName(left.property as Node, left.computed) !== 'timeout') return false
        const object = evaluator.termOf(left.object as Node, given.module)
        return object.kind === 'parameter' && object.of === given.node && object.index === 0
      })
      // axios has 0 where a call has nothing: `??=` never sets it.
      if (found && found.operator !== '??=')
        return { value: evaluator.termOf(found.right, given.module), isFallback: found.operator === '||=' }
    }
  }
  return undefined
}

function functionsIn(term: Term | undefined): readonly Extract<Term, { kind: 'function' }>[] {
  if (term?.kind === 'function') return [term]
  return term?.kind === 'either' ? term.of.flatMap(functionsIn) : []
}
