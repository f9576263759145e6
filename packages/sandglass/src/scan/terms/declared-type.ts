import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import type { Evaluator } from './evaluator.js'
import type { DeclaredAs, Term } from './term.js'

/** The class that a parameter or field is declared as, of a package or of the scanned code: `pool: Pool`; null for anything else. */
export function declaredType(node: Node | undefined, module: Module, evaluator: Evaluator): DeclaredAs | null {
  return referredTo(annotationOf(node), node as Node, module, evaluator)
}

/** A name for a name for a name: no more of them than somebody would write. */
const MAX_ALIASES = 4

function referredTo(annotation: Node | null, node: Node, module: Module, evaluator: Evaluator, depth = 0): DeclaredAs | null {
  if (annotation?.type !== 'TSTypeReference' || depth > MAX_ALIASES) return null
  const path = namePath(annotation.typeName as Node)
  const [first, ...rest] = path
  const found = first === undefined ? null : lookUp(first, scopeAt(node, module))
  const alias = found || path.length !== 1 || first === undefined ? null : aliasedIn(module, first)
  if (alias) return referredTo(alias, node, module, evaluator, depth + 1)
  if (found?.binding.kind === 'class') return { kind: 'class', node: found.binding.node, module }
  if (found?.binding.kind !== 'import') return null
  const { request, name } = found.binding
  const own = name === '*' || name === 'default' ? [] : [name]
  const to = evaluator.project.resolve(request, module.source.file)
  switch (to.kind) {
    case 'package': {
      const of = to.subpath === '' ? to.name : `${to.name}/${to.subpath}`
      return { kind: 'external', package: of, path: [...own, ...rest], at: { node, module } }
    }
    case 'file':
      return classAmong(rest.reduce((term, step) => evaluator.memberOf(term, step), evaluator.nameOf(found, module)))
    case 'nothing':
      return { kind: 'unknown', why: 'its class is not among the files', missing: { request, path: [...own, ...rest] } }
  }
}

/** `type Llm = OpenAI`, at the top of the module. */
function aliasedIn({ program }: Module, name: string): Node | null {
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'TSTypeAliasDeclaration' && declaration.id.name === name) return declaration.typeAnnotation as Node
  }
  return null
}

/** A type may be passed on from a package by a file: `export type { Pool } from 'pg'`. */
function classAmong(term: Term): DeclaredAs | null {
  return term.kind === 'class' || term.kind === 'external' ? term : null
}

function annotationOf(node: Node | undefined): Node | null {
  if (!node) return null
  if (node.type === 'TSParameterProperty') return annotationOf(node.parameter as Node)
  if (node.type === 'AssignmentPattern') return annotationOf(node.left as Node)
  const annotation = 'typeAnnotation' in node ? (node.typeAnnotation as Node | null | undefined) : null
  return annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : null
}

function namePath(name: Node): readonly string[] {
  if (name.type === 'Identifier') return [name.name]
  return name.type === 'TSQualifiedName' ? [...namePath(name.left as Node), name.right.name] : []
}
