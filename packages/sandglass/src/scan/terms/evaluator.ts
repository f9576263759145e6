import type { MemberExpression, Node } from 'oxc-parser'
import type { Project } from '../files/project.js'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Declared, type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { ownMember } from './assigned-members.js'
import { classMember } from './class-member.js'
import { constant, foldBinary, foldCall, foldConditional, foldLogical, foldTemplate, foldUnary, operation } from './fold.js'
import { configAsked, configMember } from './from-config.js'
import { declaredTerm, exportedTerm, importedTerm } from './names.js'
import { orText } from './or-text.js'
import { propertyOf } from './property.js'
import { returnsOf } from './returns.js'
import { spreadItems } from './spread-items.js'
import { substitute } from './substitute.js'
import { type At, eitherOf, isGlobal, type ObjectPart, type Term, unknownTerm } from './term.js'
import { slimmed, withinSize } from './term-size.js'

/** Turns expressions into terms, across the files of a project. */
export interface Evaluator {
  readonly project: Project
  readonly termOf: (node: Node, module: Module) => Term
  /** What a name of a module means. */
  readonly nameOf: (name: Declared, module: Module) => Term
  /** What a member of a term is. */
  readonly memberOf: (term: Term, name: string) => Term
  /** What a module gives under a name; `*` is all of it. */
  readonly exportOf: (module: Module, name: string) => Term
  /** Does something as one question, which has a budget of steps. */
  readonly within: <T>(ask: () => T) => T
  /** Takes a step; false where the budget of the question is used up. */
  readonly spend: () => boolean
  /** What calling a term gives. */
  readonly called: (callee: Term, args: readonly Term[], isNew: boolean, at: At) => Term
}

/** Functions are followed into each other this deep: what is deeper is no wrapper but a program. */
const MAX_DEPTH = 4
/** An object with more members than this is no choice between a few. */
const MAX_CHOICES = 8
/** Steps for one question; a file written to be hard must not hold up the others. */
const MAX_STEPS = 20_000

/** Modules that pass on what others export, one after the other. */
const MAX_PASSED_ON = 400

/** An evaluator of a project; what was found is remembered. */
export function evaluatorOf(project: Project): Evaluator {
  const terms = new Map<Node, Term>()
  const names = new Map<Declared, Term>()
  const busy = new Set<object>()
  let depth = 0
  let steps = 0
  let asking = 0

  function spend(): boolean {
    return ++steps <= MAX_STEPS
  }

  /** One question with all that it leads to has one budget. */
  function within<T>(ask: () => T): T {
    if (asking === 0) steps = 0
    asking++
    try {
      return ask()
    } finally {
      asking--
    }
  }

  /** Asks once; a question that leads back to itself has no answer. */
  function once<K extends object>(known: Map<K, Term>, key: K, ask: () => Term): Term {
    const before = known.get(key)
    if (before) return before
    return within(() => {
      if (busy.has(key) || busy.size > 400 || !spend()) return unknownTerm('too much to follow, or it depends on itself')
      busy.add(key)
      try {
        const term = withinSize(ask())
        // What was cut short may be found out when it is asked by itself.
        if (steps <= MAX_STEPS || asking === 1) known.set(key, term)
        return term
      } catch (error) {
        // A stack that is used up by thousands of classes that extend each other is no fault of the program.
        if (asking > 1 || !(error instanceof RangeError)) throw error
        return unknownTerm('too deep to follow')
      } finally {
        busy.delete(key)
      }
    })
  }

  function termOf(node: Node, module: Module): Term {
    const inner = bare(node)
    return once(terms, inner, () => expression(inner, { node: inner, module }))
  }

  function expression(node: Node, at: At): Term {
    const { module } = at
    const of = (part: Node) => termOf(part, module)
    switch (node.type) {
      case 'Literal':
        return literal(node.value, at)
      case 'TemplateLiteral':
        return foldTemplate(
          node.quasis.map(({ value }) => value.cooked ?? ''),
          node.expressions.map(of),
          at,
        )
      case 'Identifier':
        return identifier(node.name, at)
      case 'ThisExpression':
        return thisAt(node, module)
      case 'Super':
        return superAt(node, module)
      case 'MemberExpression':
        return memberAt(node, at)
      case 'CallExpression':
      case 'NewExpression':
        return call(node, at)
      case 'TaggedTemplateExpression':
        return called(
          of(node.tag),
          [
            foldTemplate(
              node.quasi.quasis.map(({ value }) => value.cooked ?? ''),
              node.quasi.expressions.map(of),
              at,
            ),
          ],
          false,
          at,
        )
      case 'ImportExpression':
        return node.source.type === 'Literal'
          ? importedTerm(String(node.source.value), '*', at, evaluator)
          : unknownTerm('which module is only known at run time')
      case 'ObjectExpression':
        return { kind: 'object', parts: node.properties.flatMap((part) => objectPart(part as Node, module)), at }
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.map((item) => (item ? of(item as Node) : constant(undefined, at))), at }
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ArrowFunctionExpression':
        return { kind: 'function', node: node as FunctionNode, module, self: null }
      case 'ClassExpression':
      case 'ClassDeclaration':
        return { kind: 'class', node, module }
      case 'ConditionalExpression':
        return foldConditional(of(node.test), of(node.consequent), of(node.alternate))
      case 'LogicalExpression':
        return foldLogical(node.operator, of(node.left), of(node.right), at)
      case 'BinaryExpression':
        return foldBinary(node.operator, of(node.left as Node), of(node.right), at)
      case 'UnaryExpression':
        return foldUnary(node.operator, of(node.argument), at)
      case 'AssignmentExpression':
        return node.operator === '=' ? of(node.right) : unknownTerm('it is computed')
      case 'SequenceExpression':
        return of(node.expressions.at(-1) ?? node)
      default:
        return unknownTerm('it is only known at run time')
    }
  }

  function memberAt(node: MemberExpression, { module }: At): Term {
    const key = node.computed ? termOf(node.property, module) : null
    const name = key ? constantName(key) : keyName(node.property as Node, false)
    const own = name === null ? null : ownMember(node.object, name, module, evaluator)
    if (own) return own
    const object = termOf(node.object, module)
    if (name !== null) return memberOf(object, name)
    return key && isGlobal(object, 'process.env') ? operation('environment', [object, key], { node, module }) : anyMemberOf(object)
  }

  /** `configs[process.env.NODE_ENV]`: one of those that are written. */
  function anyMemberOf(object: Term): Term {
    const values = object.kind === 'object' ? object.parts.map((part) => ('name' in part ? part.value : null)) : []
    const isAllKnown = values.length > 0 && values.length <= MAX_CHOICES && values.every((value) => value !== null)
    return isAllKnown ? eitherOf(values as Term[]) : unknownTerm('which member is only known at run time')
  }

  function objectPart(part: Node, module: Module): readonly ObjectPart[] {
    const at = { node: part, module }
    if (part.type === 'SpreadElement') return [{ spread: termOf(part.argument, module), at }]
    if (part.type !== 'Property') return []
    const name = keyName(part.key as Node, part.computed) ?? (part.computed ? constantName(termOf(part.key as Node, module)) : null)
    if (name === null) return [{ spread: computedPart(part, at), at }]
    if (part.kind !== 'init') return [{ name, value: unknownTerm('a getter'), at }]
    return [{ name, value: termOf(part.value, module), at }]
  }

  /** A property whose name a caller gives, and everything else that is only known at run time. */
  function computedPart({ key, value, kind }: Extract<Node, { type: 'Property' }>, at: At): Term {
    const name = kind === 'init' ? termOf(key as Node, at.module) : null
    return name?.kind === 'parameter' ? operation('keyed', [name, termOf(value, at.module)], at) : unknownTerm('a computed name')
  }

  function identifier(name: string, at: At): Term {
    const found = lookUp(name, scopeAt(at.node, at.module))
    if (found) return evaluator.nameOf(found, at.module)
    if (name === 'undefined') return constant(undefined, at)
    if (name === 'NaN' || name === 'Infinity') return constant(Number(name), at)
    const isHost = name === 'globalThis' || name === 'window' || name === 'self' || name === 'global'
    return { kind: 'external', package: 'global', path: isHost ? [] : [name], at }
  }

  function thisAt(node: Node, module: Module): Term {
    let isStatic = false
    for (let here: Node | null | undefined = node; here; here = here.parent) {
      if (here.type === 'ClassDeclaration' || here.type === 'ClassExpression')
        return isStatic ? { kind: 'class', node: here, module } : { kind: 'this', of: here, module }
      isStatic ||= isStaticMember(here)
      const isOwnThis = here.type === 'FunctionDeclaration' || here.type === 'FunctionExpression'
      if (isOwnThis && here.parent?.type !== 'MethodDefinition' && !isPutOnThis(here))
        return unknownTerm('whose `this` it is, is only known at run time')
    }
    return unknownTerm('`this` outside a class')
  }

  function superAt(node: Node, module: Module): Term {
    const self = thisAt(node, module)
    const above = self.kind === 'this' ? self.of.superClass : null
    return above ? termOf(above, module) : unknownTerm('no class is extended')
  }

  function call(node: Extract<Node, { type: 'CallExpression' | 'NewExpression' }>, at: At): Term {
    const { module } = at
    const callee = bare(node.callee)
    const [first] = node.arguments
    if (isRequire(callee, module) && first?.type === 'Literal') return importedTerm(String(first.value), '*', at, evaluator)
    const args = node.arguments.flatMap((arg) =>
      arg.type === 'SpreadElement' ? spreadItems(termOf(arg.argument, module), evaluator) : [orText(termOf(arg, module), arg, module)],
    )
    return called(termOf(callee, module), args, node.type === 'NewExpression', at)
  }

  /** The `require` of CommonJS, or one that `createRequire` gave to a module. */
  function isRequire(callee: Node, module: Module): boolean {
    if (callee.type !== 'Identifier') return false
    const declared = lookUp(callee.name, scopeAt(callee, module))
    if (!declared) return callee.name === 'require'
    if (declared.binding.kind !== 'value' || !/require/i.test(callee.name)) return false
    const term = evaluator.nameOf(declared, module)
    return term.kind === 'made' && term.callee.kind === 'external' && /^(node:)?module$/.test(term.callee.package)
  }

  function called(callee: Term, args: readonly Term[], isNew: boolean, at: At): Term {
    if (callee.kind === 'function' && !isNew && depth < MAX_DEPTH && spend()) {
      depth++
      try {
        const given = returnsOf(callee.node).map((node) =>
          substitute(termOf(node, callee.module), { of: callee.node, args, self: callee.self }, evaluator),
        )
        if (given.some((term) => term.kind !== 'unknown')) return eitherOf(given)
      } finally {
        depth--
      }
    }
    return configAsked(callee, args, at, evaluator) ?? foldCall(callee, args, at) ?? { kind: 'made', callee, args, isNew, at }
  }

  function memberOf(term: Term, name: string): Term {
    switch (term.kind) {
      case 'object':
        return propertyOf(term, name)
      case 'list':
        return term.items[Number(name)] ?? { kind: 'member', object: term, name }
      case 'external':
        return configMember(term, name, evaluator) ?? { ...term, path: name === 'default' ? term.path : [...term.path, name] }
      case 'namespace':
        return exportOf(term.module, name)
      case 'this':
        return classMember({ kind: 'class', node: term.of, module: term.module }, name, term, evaluator)
      case 'class':
        return classMember(term, name, null, evaluator)
      case 'made':
        return term.callee.kind === 'class' && term.isNew
          ? classMember(term.callee, name, term, evaluator)
          : { kind: 'member', object: slimmed(term), name }
      case 'either':
        return eitherOf(
          term.of
            .filter((each) => !(each.kind === 'constant' && (each.value === undefined || each.value === null)))
            .map((each) => memberOf(each, name)),
          term.isFallback,
        )
      case 'unknown':
        return term.missing ? { ...term, missing: { ...term.missing, path: [...term.missing.path, name] } } : term
      case 'parameter':
        return memberOfDeclared(term, name)
      default:
        return { kind: 'member', object: term, name }
    }
  }

  /** What is handed in as an instance of a class of the scanned code has the members of that class. */
  function memberOfDeclared(term: Extract<Term, { kind: 'parameter' }>, name: string): Term {
    const of = term.declaredAs
    const member = of?.kind === 'class' ? classMember(of, name, { kind: 'this', of: of.node, module: of.module }, evaluator) : null
    return member && member.kind !== 'unknown' ? member : { kind: 'member', object: term, name }
  }

  const seeking = new Set<string>()
  /** What is not found does not have to be looked for again on another way there. */
  const missing = new Set<string>()

  function exportOf(module: Module, name: string): Term {
    const key = `${module.source.file}#${name}`
    if (seeking.has(key) || missing.has(key) || seeking.size > MAX_PASSED_ON) return unknownTerm('it is exported in a circle')
    seeking.add(key)
    try {
      const term = exportedTerm(module, name, evaluator)
      if (term.kind === 'unknown') missing.add(key)
      else missing.clear()
      return term
    } finally {
      seeking.delete(key)
      if (seeking.size === 0) missing.clear()
    }
  }

  const nameOf = (name: Declared, module: Module) => once(names, name, () => declaredTerm(name, module, evaluator))
  const evaluator: Evaluator = { project, within, spend, termOf, nameOf, memberOf, exportOf, called }
  return evaluator
}

/** `this.send = function () { … }`: inside it `this` is the same. */
function isPutOnThis({ parent, start }: Node): boolean {
  if (parent?.type !== 'AssignmentExpression' || parent.right.start !== start) return false
  return parent.left.type === 'MemberExpression' && parent.left.object.type === 'ThisExpression'
}

/** In it `this` is the class. */
function isStaticMember(node: Node): boolean {
  return node.type === 'StaticBlock' || ((node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') && node.static)
}

function literal(value: unknown, at: At): Term {
  const isPlain = value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? constant(value, at) : unknownTerm('no plain value')
}

function constantName(term: Term): string | null {
  return term.kind === 'constant' && (typeof term.value === 'string' || typeof term.value === 'number') ? String(term.value) : null
}

/** Found once for all that stands in one expression: chains of calls may be as long as a file. */
const functionsAround = new WeakMap<Node, FunctionNode | null>()

/** The function a node stands in; null at the top of a module. */
export function functionAround(node: Node): FunctionNode | null {
  const passed: Node[] = []
  let around: FunctionNode | null = null
  for (let here: Node | null | undefined = node; here; here = here.parent) {
    const known = functionsAround.get(here)
    if (known !== undefined) around = known
    else {
      passed.push(here)
      if (here.parent && isFunctionNode(here.parent)) around = here.parent
    }
    if (around || known !== undefined) break
  }
  for (const each of passed) functionsAround.set(each, around)
  return around
}
