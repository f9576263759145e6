import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { homeOf, type PythonFile, pythonValues } from './python-values.js'

/** A variable or attribute, and the scope in which it means the same thing. */
export interface PythonVariable {
  readonly name: SyntaxNode
  readonly home: SyntaxNode
}

/** The variables that hold what a method is called on: as it is called, and as it was made. */
export function variablesOf(file: PythonFile, call: SyntaxNode, maker: SyntaxNode | null): readonly PythonVariable[] {
  const receiver = childOf(childOf(call, 'function'), 'object')
  return [receiver, maker && holderOf(maker)].flatMap((name) => {
    const home = name && /^(identifier|attribute)$/.test(name.type) ? homeOf(file, name) : null
    return name && home ? [{ name, home }] : []
  })
}

/** What a new thing is assigned to: `x` of `x = Make()` and of `with Make() as x`. */
export function holderOf(maker: SyntaxNode): SyntaxNode | null {
  const parent = maker.parent
  if (parent?.type === 'await') return holderOf(parent)
  if (parent?.type === 'assignment') return childOf(parent, 'left')
  return parent?.type === 'as_pattern' ? (childOf(parent, 'alias')?.children[0] ?? null) : null
}

/** True where the file puts something of its own into a module or its classes: `requests.Session.request = …`. */
export function isPatched(file: PythonFile, module: string): boolean {
  const known = patched.get(file)?.get(module)
  if (known !== undefined) return known
  const isSo = [...file.assigned.values()].some(([first]) => {
    const values = first ? allKnown(pythonValues(file, childOf(childOf(first, 'left'), 'object'))) : null
    return values?.some(({ path, makers }) => makers.length === 0 && (path === module || path.startsWith(`${module}.`))) ?? false
  })
  const modules = patched.get(file) ?? new Map<string, boolean>()
  patched.set(file, modules.set(module, isSo))
  return isSo
}

const patched = new WeakMap<PythonFile, Map<string, boolean>>()
