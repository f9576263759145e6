import type { Class, MethodDefinition, Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { argsOf } from './args-of.js'
import { blockOf } from './block-of.js'
import { declaredType } from './declared-type.js'
import type { Evaluator } from './evaluator.js'
import { returnsOf } from './returns.js'
import { substitute } from './substitute.js'
import { type ClassTerm, eitherOf, type MadeTerm, type Term, type ThisTerm, unknownTerm } from './term.js'

/** A field, method or getter of a class; `self` is the instance it is asked of, null for the class itself (static). */
export function classMember(of: ClassTerm, name: string, self: MadeTerm | ThisTerm | null, evaluator: Evaluator): Term {
  const own = ownMember(of, name, self, evaluator)
  const member = own ?? inherited(of, name, self, evaluator)
  const made = self?.kind === 'made' ? constructorOf(of.node) : null
  return made && self?.kind === 'made' ? substitute(member, { of: made, args: self.args, self }, evaluator) : member
}

function ownMember(of: ClassTerm, name: string, self: Term | null, evaluator: Evaluator): Term | null {
  for (const part of of.node.body.body as Node[]) {
    if (part.type !== 'MethodDefinition' && part.type !== 'PropertyDefinition') continue
    if (part.static === (self !== null) || keyName(part.key as Node, part.computed) !== name) continue
    const term =
      part.type === 'PropertyDefinition'
        ? fieldTerm(part.value, of, name, evaluator)
        : methodTerm(part as MethodDefinition, of, self, evaluator)
    if (term) return term
  }
  const own = self === null || isReplaced(of, name) ? null : parameterProperty(of, name, evaluator)
  return own ?? assigned(of, name, evaluator) ?? typedField(of, name, evaluator)
}

function fieldTerm(value: Node | null, of: ClassTerm, name: string, evaluator: Evaluator): Term | null {
  return value && withAssigned(value, of, name, evaluator)
}

function methodTerm({ kind, value }: MethodDefinition, { module }: ClassTerm, self: Term | null, evaluator: Evaluator): Term | null {
  if (kind === 'get') return eitherOf(returnsOf(value).map((node) => evaluator.termOf(node, module)))
  return kind === 'method' && value.body ? { kind: 'function', node: value, module, self } : null
}

function withAssigned(value: Node, of: ClassTerm, name: string, evaluator: Evaluator): Term {
  const first = evaluator.termOf(value, of.module)
  const later = assigned(of, name, evaluator)
  if (!later) return first
  return first.kind === 'constant' && (first.value === null || first.value === undefined) ? later : eitherOf([first, later])
}

/** `constructor(private readonly http: AxiosInstance)`. */
function parameterProperty(of: ClassTerm, name: string, evaluator: Evaluator): Term | null {
  const made = constructorOf(of.node)
  const index = made?.params.findIndex((param) => param.type === 'TSParameterProperty' && nameOf(param.parameter as Node) === name) ?? -1
  if (!made || index < 0) return null
  const declared = lookUp(name, scopeAt(made, of.module))
  if (!declared) return null
  const inside = (made.body ?? made) as Node
  return evaluator.termOf({ type: 'Identifier', name, start: made.start, end: made.end, parent: inside } as Node, of.module)
}

function nameOf(pattern: Node): string | null {
  if (pattern.type === 'Identifier') return pattern.name
  return pattern.type === 'AssignmentPattern' ? nameOf(pattern.left as Node) : null
}

/** `constructor(private http) { this.http = http.extend(…) }`: what the constructor sets for certain holds, whatever it was given. */
function isReplaced({ node, module }: ClassTerm, name: string): boolean {
  const made = constructorOf(node)
  const isCertain = ({ value, isPlain }: FieldAssignment) => isPlain && blockOf(value) === made?.body && isRunIn(value, made)
  return made !== null && assignmentsOf(module, node).some((each) => each.name === name && isCertain(each))
}

/** True where no other function stands between. */
function isRunIn(node: Node, of: FunctionNode | null): boolean {
  for (let here = node.parent; here; here = here.parent) if (isFunctionNode(here)) return here === of
  return false
}

/** `this.client = axios.create(…)` or `Users.client = …`, wherever in the class. */
function assigned(of: ClassTerm, name: string, evaluator: Evaluator): Term | null {
  const terms = assignmentsOf(of.module, of.node)
    .filter(({ name: to }) => to === name)
    .map(({ value }) => evaluator.termOf(value, of.module))
    .filter((term) => !(term.kind === 'constant' && (term.value === null || term.value === undefined)))
  return terms.length > 0 ? eitherOf(terms) : null
}

interface FieldAssignment {
  readonly name: string
  readonly value: Node
  readonly isPlain: boolean
}

const assignmentsKnown = new WeakMap<Class, readonly FieldAssignment[]>()

function assignmentsOf(module: Module, of: Class): readonly FieldAssignment[] {
  const known = assignmentsKnown.get(of)
  if (known) return known
  const found = module.memberAssignments.flatMap((node): FieldAssignment[] => {
    const { left } = node
    if (left.type !== 'MemberExpression') return []
    const object = bare(left.object as Node)
    if (object.type !== 'ThisExpression' && !(object.type === 'Identifier' && object.name === of.id?.name)) return []
    if (node.start < of.start || node.end > of.end || classAround(node) !== of) return []
    const name = keyName(left.property as Node, left.computed)
    return name === null || (node.operator !== '=' && node.operator !== '??=' && node.operator !== '||=')
      ? []
      : [{ name, value: node.right, isPlain: node.operator === '=' }]
  })
  assignmentsKnown.set(of, found)
  return found
}

/** The class that a node stands in. */
export function classAround(node: Node): Class | null {
  for (let here = node.parent; here; here = here.parent) {
    if (here.type === 'ClassDeclaration' || here.type === 'ClassExpression') return here
  }
  return null
}

/** `private pool: Pool`, filled by a container: its class is known, its options are not. */
function typedField(of: ClassTerm, name: string, evaluator: Evaluator): Term | null {
  const field = (of.node.body.body as Node[]).find(
    (part) => part.type === 'PropertyDefinition' && keyName(part.key as Node, part.computed) === name,
  )
  const type = field && declaredType(field, of.module, evaluator)
  if (type?.kind === 'class') return { kind: 'this', of: type.node, module: type.module }
  return type
    ? { kind: 'made', callee: type, args: [unknownTerm('it is handed in')], isNew: true, at: { node: field, module: of.module } }
    : null
}

function inherited(of: ClassTerm, name: string, self: MadeTerm | ThisTerm | null, evaluator: Evaluator): Term {
  const { superClass } = of.node
  if (!superClass) return unknownTerm(`${name} is not a member`)
  const above = evaluator.termOf(superClass, of.module)
  if (above.kind === 'class')
    return above.node === of.node ? unknownTerm('it extends itself') : classMember(above, name, self && asThis(above), evaluator)
  if (above.kind === 'external' || above.kind === 'made' || (above.kind === 'unknown' && above.missing))
    return evaluator.memberOf({ kind: 'made', callee: above, isNew: true, ...givenToSuper(of, self, evaluator) }, name)
  return unknownTerm('its class extends something that is not known')
}

/** What a class gives to the one it extends: what its constructor says, or all that it gets itself. */
function givenToSuper({ node, module }: ClassTerm, self: Term | null, evaluator: Evaluator): Pick<MadeTerm, 'args' | 'at'> {
  const made = constructorOf(node)
  if (!made) return { args: self?.kind === 'made' ? self.args : [], at: { node, module } }
  const call = module.calls.find(
    (each) => each.type === 'CallExpression' && each.callee.type === 'Super' && each.start > made.start && each.end < made.end,
  )
  if (call?.type !== 'CallExpression') return { args: [unknownTerm('given to super')], at: { node: made, module } }
  return { args: argsOf(call, module, evaluator), at: { node: call, module } }
}

function asThis({ node, module }: ClassTerm): ThisTerm {
  return { kind: 'this', of: node, module }
}

/** The constructor of a class, as a function. */
export function constructorOf(of: Class): FunctionNode | null {
  const found = (of.body.body as Node[]).find((part) => part.type === 'MethodDefinition' && part.kind === 'constructor')
  return found?.type === 'MethodDefinition' && found.value.body ? found.value : null
}
