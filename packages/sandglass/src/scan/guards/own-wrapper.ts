import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type Module, spotOf } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import type { FunctionNode } from '../syntax/scope.js'
import { calledName } from './called-name.js'
import type { Climb } from './climb.js'
import type { Guard } from './guard.js'
import { handedOutSpan } from './handed-out-signal.js'
import { limitGuard, type Wrapping } from './wrapping.js'

/** What a function of the project does to work it is given, seen from the call that gives it: `withTimeout(load(), 500)`. */
export function guardsInside(
  wrapping: Wrapping,
  climb: Climb,
  guardsAround: (start: Node, climb: Climb) => readonly Guard[],
): readonly Guard[] {
  const { callee, args, reckoning } = wrapping
  if (callee.kind !== 'function' || climb.visited.has(callee.node) || climb.visited.size > 6) return []
  const { node: of, module, self } = callee
  const uses = usesOfWork(of, wrapping, module)
  const inner: Climb = {
    ...climb,
    reckoning: { evaluator: reckoning.evaluator, module, frame: { of, args, self }, counted: new Map() },
    within: of,
    caller: null,
    visited: new Set([...climb.visited, of]),
    repeats: wrapping.repeats,
  }
  const found = uses.map((node) => [...signalGuard(startOf(node), wrapping, inner), ...guardsAround(startOf(node), inner)])
  const most = found.reduce<readonly Guard[]>((a, b) => (b.length > a.length ? b : a), [])
  return most.map((guard) => seenFromOutside(guard, wrapping, of))
}

/** The work takes the signal that it is handed: then it ends with that. */
function signalGuard(call: Node, wrapping: Wrapping, { reckoning }: Climb): readonly Guard[] {
  const span = wrapping.isTold ? handedOutSpan(call, reckoning) : null
  return span ? [limitGuard(wrapping, 'a signal', span[1], { cancels: true })] : []
}

/** Where a function uses the work: the parameter that it is, the name that it is taken apart to, `options.promise`. */
function usesOfWork(of: FunctionNode, { index, under }: Wrapping, module: Module): readonly Node[] {
  const names = [...(module.scopes.get(of)?.names.values() ?? [])]
  return names.flatMap((name) => {
    const { binding } = name
    if (binding.kind !== 'parameter' || binding.of !== of || binding.index !== index) return []
    const [first, ...others] = binding.steps
    if (others.length > 0) return []
    const uses = referencesOf(name, module)
    if (first) return under !== undefined && 'name' in first && first.name === under ? uses : []
    return under === undefined ? uses : uses.flatMap((use) => memberAt(use, under) ?? [])
  })
}

function memberAt(object: Node, name: string): Node | null {
  const above = object.parent
  const isMember = above?.type === 'MemberExpression' && above.object === object
  return isMember && keyName(above.property as Node, above.computed) === name ? above : null
}

/** Where the work is called inside, that call; where it is a promise, its name. */
function startOf(node: Node): Node {
  const above = node.parent
  return above?.type === 'CallExpression' && above.callee === node ? above : node
}

/** The work is what the caller of the wrapper gave; the wrapper is what people know by name. */
function seenFromOutside(guard: Guard, { item, node, reckoning, repeats }: Wrapping, of: FunctionNode): Guard {
  const { module } = reckoning
  const place = { at: { node, module }, spot: spotOf(node, module) }
  const name = of.id?.name ?? calledName(node.callee) ?? guard.name
  return guard.kind === 'limit'
    ? { ...guard, ...place, name, work: spotOf(item, module) }
    : { ...guard, ...place, name, repeats: [...guard.repeats, ...repeats] }
}
