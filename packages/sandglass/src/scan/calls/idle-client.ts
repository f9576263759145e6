import { type CallNode, type Module, scopeAt } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { lookUp } from '../syntax/scope.js'

/** What is called on a client and asks its server nothing that anybody waits for. */
const ASKS_NOTHING = /^(\$?disconnect|\$?on|once|off|removeListener|end|close|quit|destroy|unref)$/

/** A client in a name of its own that is only ended again, or asked for its own settings: there is nothing that could wait. */
export function isIdleClient(node: CallNode, module: Module): boolean {
  const holder = node.parent
  if (holder?.type !== 'VariableDeclarator' || holder.id.type !== 'Identifier') return false
  const declared = lookUp(holder.id.name, scopeAt(holder, module))
  if (!declared || isGiven(declared.name, declared.scope === module.scope, module)) return false
  const references = referencesOf(declared, module)
  return (
    references.length > 0 &&
    references.every(({ parent, start }) => {
      if (parent?.type !== 'MemberExpression' || parent.object.start !== start || parent.computed) return false
      const name = parent.property.type === 'Identifier' ? parent.property.name : ''
      const isCalled = parent.parent?.type === 'CallExpression' && parent.parent.callee === parent
      return isCalled ? ASKS_NOTHING.test(name) : name === 'config'
    })
  )
}

function isGiven(name: string, isOfModule: boolean, module: Module): boolean {
  return isOfModule && [...module.exports.values()].some((each) => each.kind === 'local' && each.name === name)
}
