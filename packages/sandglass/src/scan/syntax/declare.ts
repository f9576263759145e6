import type { BindingPattern, Class, Node, ParamPattern } from 'oxc-parser'
import { type Binding, type FunctionNode, newScope, type PatternStep, type Scope } from './scope.js'

/** Puts a name into a scope; the first declaration of a name wins, as with overloads. */
export function declare(name: string, binding: Binding, scope: Scope, isConst = true): void {
  if (scope.names.has(name)) return
  scope.names.set(name, { name, binding, scope, isConst, assigned: [] })
}

/** The scope that `var` and function declarations go to. */
export function functionScope(scope: Scope): Scope {
  let here = scope
  while (!here.isFunction && here.above) here = here.above
  return here
}

/** What a pattern gives to each name in it: the steps to the part, and its default. */
type Give = (name: string, steps: readonly PatternStep[], fallback: Node | null) => void

/** Takes a pattern apart: `{ a: [b], ...c } = d`. */
export function takeApart(
  pattern: BindingPattern | Node,
  give: Give,
  steps: readonly PatternStep[] = [],
  fallback: Node | null = null,
): void {
  switch (pattern.type) {
    case 'Identifier':
      give(pattern.name, steps, fallback)
      break
    case 'AssignmentPattern':
      takeApart(pattern.left as Node, give, steps, pattern.right)
      break
    case 'ObjectPattern':
      takeObjectApart(pattern, give, steps)
      break
    case 'ArrayPattern':
      pattern.elements.forEach((element, index) => {
        if (element && element.type !== 'RestElement') takeApart(element as Node, give, [...steps, { index }])
      })
      break
    default:
      break // a member or a call declares no name
  }
}

function takeObjectApart(pattern: Extract<Node, { type: 'ObjectPattern' }>, give: Give, steps: readonly PatternStep[]): void {
  const taken: string[] = []
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') {
      takeApart(property.argument as Node, give, [...steps, { rest: taken }])
      continue
    }
    const name = keyName(property.key as Node, property.computed)
    if (name === null) continue
    taken.push(name)
    takeApart(property.value as Node, give, [...steps, { name }])
  }
}

/** The name of a key of an object, a class or a pattern; null where it is computed. */
export function keyName(key: Node, isComputed: boolean): string | null {
  if (key.type === 'Identifier') return isComputed ? null : key.name
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  if (key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number')) return String(key.value)
  return null
}

/** Opens the scope of a function with its parameters. */
export function functionScopeOf(node: FunctionNode, above: Scope): Scope {
  const scope = newScope(node, above, true)
  if (node.type === 'FunctionExpression' && node.id) declare(node.id.name, { kind: 'function', node }, scope)
  node.params.forEach((param, index) => {
    declareParameter(param, index, node, scope)
  })
  return scope
}

function declareParameter(param: ParamPattern, index: number, of: FunctionNode, scope: Scope): void {
  const isRest = param.type === 'RestElement'
  const pattern = (isRest ? param.argument : param.type === 'TSParameterProperty' ? param.parameter : param) as Node
  const fallback = pattern.type === 'AssignmentPattern' ? pattern.right : null
  const inner = pattern.type === 'AssignmentPattern' ? (pattern.left as Node) : pattern
  takeApart(inner, (name, steps, innerFallback) => {
    declare(name, { kind: 'parameter', of, index, isRest, steps, fallback, innerFallback }, scope, false)
  })
}

/** Declares the name of a class where it stands; its own name also holds inside it. */
export function declareClass(node: Class, scope: Scope): void {
  if (node.id) declare(node.id.name, { kind: 'class', node }, scope)
}
