import type { Class, Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'

/** A value that is written down, or folded from such. */
export interface Constant {
  readonly kind: 'constant'
  readonly value: string | number | boolean | null | undefined
  readonly at: At
}

/** An object literal: what is written later wins, and a spread may bring anything. */
export interface ObjectTerm {
  readonly kind: 'object'
  readonly parts: readonly ObjectPart[]
  /** Names it does not have, whatever its spreads bring: they were taken out. */
  readonly without?: readonly string[]
  readonly at: At
}

/** A property, or the properties of another object. */
export type ObjectPart = { readonly name: string; readonly value: Term; readonly at: At } | { readonly spread: Term; readonly at: At }

/** An array literal. */
export interface ListTerm {
  readonly kind: 'list'
  readonly items: readonly Term[]
  readonly at: At
}

/** A function of the scanned code; `self` is the object it is a method of. */
export interface FunctionTerm {
  readonly kind: 'function'
  readonly node: FunctionNode
  readonly module: Module
  readonly self: Term | null
}

/** A class of the scanned code. */
export interface ClassTerm {
  readonly kind: 'class'
  readonly node: Class
  readonly module: Module
}

/** `this` inside a class. */
export interface ThisTerm {
  readonly kind: 'this'
  readonly of: Class
  readonly module: Module
}

/** Something of a package (`global` for what the runtime gives), by the names that lead to it; `default` is left out. */
export interface ExternalTerm {
  readonly kind: 'external'
  readonly package: string
  readonly path: readonly string[]
  readonly at: At
}

/** All that a module of the project exports: `import * as api`. */
export interface NamespaceTerm {
  readonly kind: 'namespace'
  readonly module: Module
}

/** What a call or `new` of something outside the scanned code gives. */
export interface MadeTerm {
  readonly kind: 'made'
  readonly callee: Term
  readonly args: readonly Term[]
  readonly isNew: boolean
  readonly at: At
  /** What a caller gave to the function it is made in, where that is known. */
  readonly within?: { readonly of: FunctionNode; readonly args: readonly Term[]; readonly self: Term | null }
}

/** A member of something that is no literal here. */
export interface MemberTerm {
  readonly kind: 'member'
  readonly object: Term
  readonly name: string
}

/** One of several: a condition, a fallback, several assignments. */
export interface EitherTerm {
  readonly kind: 'either'
  readonly of: readonly Term[]
  /** `??` and `||`: the last one holds where the others are missing. */
  readonly isFallback: boolean
}

/** What a caller of a function gives. */
export interface ParameterTerm {
  readonly kind: 'parameter'
  readonly of: FunctionNode
  readonly module: Module
  readonly index: number
  readonly isRest: boolean
  /** What holds where a caller gives nothing. */
  readonly fallback: Term | null
  /** The type it is declared with, where that is a class. */
  readonly declaredAs: DeclaredAs | null
}

/** What a name is declared as: a class of a package, of the scanned code, or of a file that is not there. */
export type DeclaredAs = ExternalTerm | ClassTerm | UnknownTerm

/** Could not be found out, and why. */
export interface UnknownTerm {
  readonly kind: 'unknown'
  readonly why: string
  /** The import that leads to no file, and the names from there. */
  readonly missing?: { readonly request: string; readonly path: readonly string[] }
}

/** What an expression is, as far as reading the code tells: never run, never guessed. */
export type Term =
  | Constant
  | ObjectTerm
  | ListTerm
  | FunctionTerm
  | ClassTerm
  | ThisTerm
  | ExternalTerm
  | NamespaceTerm
  | MadeTerm
  | MemberTerm
  | EitherTerm
  | ParameterTerm
  | UnknownTerm

/** A node and the module it is in. */
export interface At {
  readonly node: Node
  readonly module: Module
}

/** Why a list is not known that more is put into later. */
export const GATHERED = 'what is gathered in a list is only known at run time'

/** Why arguments are not known: `fetch(...given)`. */
export const SPREAD_ARGUMENTS = 'a spread of arguments'

/** Could not be found out. */
export function unknownTerm(why: string): UnknownTerm {
  return { kind: 'unknown', why }
}

/** More values than this are no choice that somebody wrote. */
const MAX_EITHER = 32

/** One of several terms, each once; a single one stands for itself. */
export function eitherOf(terms: readonly Term[], isFallback = false): Term {
  const flat = isFallback ? terms : terms.flatMap((term) => (term.kind === 'either' && !term.isFallback ? term.of : [term]))
  const of = eachOnce(flat)
  const [only] = of
  if (!only) return unknownTerm('nothing is assigned')
  if (of.length === 1) return only
  return of.length > MAX_EITHER ? unknownTerm('it may be one of many') : { kind: 'either', of, isFallback }
}

/** A package that is named twice is the same one. */
function eachOnce(terms: readonly Term[]): readonly Term[] {
  const once = [...new Set(terms)]
  if (once.filter(({ kind }) => kind === 'external').length < 2) return once
  const first = new Map(once.map((term) => [term.kind === 'external' ? identityOf(term) : term, term]).reverse() as [unknown, Term][])
  return once.filter((term) => term.kind !== 'external' || first.get(identityOf(term)) === term)
}

/** A key that is the same for the same thing: a global, a client, a class. Null for what has no identity. */
export function identityOf(term: Term): string | null {
  switch (term.kind) {
    case 'external':
      return `${term.package}:${term.path.join('.')}`
    case 'made':
      return `${term.at.module.source.file}@${term.at.node.start}-${term.at.node.end}`
    case 'object':
      return `${term.at.module.source.file}@${term.at.node.start}-${term.at.node.end}`
    case 'this':
      return `${term.module.source.file}@this${term.of.start}`
    case 'member': {
      const object = identityOf(term.object)
      return object === null ? null : `${object}.${term.name}`
    }
    default:
      return null
  }
}

/** True where a term is a global of the runtime: `fetch`, `AbortSignal.timeout`. */
export function isGlobal(term: Term, name: string): boolean {
  return term.kind === 'external' && term.package === 'global' && term.path.join('.') === name
}
