import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import type { Evaluator } from './evaluator.js'
import type { DeclaredAs, Term } from './term.js'

/** The class that a parameter or field is declared as, of a package or of the scanned code: `pool: Pool`; null for anything else. */
export function declaredType(node: Node | undefined, module: Module, evaluator: Evaluator): DeclaredAs | null {
  const annotation = annotationOf(node)
  if (annotation?.type !== 'TSTypeReference') return null
  const path = namePath(annotation.typeName as Node)
  const [first, ...rest] = path
  const found = first === undefined ? null : lookUp(first, scopeAt(node as Node, module))
  if (found?.binding.kind === 'class') return { kind: 'class', node: found.binding.node, module }
  if (found?.binding.kind !== 'import') return null
  const { request, name } = found.binding
  const own = name === '*' || name === 'default' ? [] : [name]
  const to = evaluator.project.resolve(request, module.source.file)
  switch (to.kind) {
    case 'package': {
      const of = to.subpath === '' ? to.name : `${to.name}/${to.subpath}`
      return { kind: 'external', package: of, path: [...own, ...rest], at: { node: node as Node, module } }
    }
    case 'file':
      return classAmong(rest.reduce((term, step) => evaluator.memberOf(term, step), evaluator.nameOf(found, module)))
    case 'nothing':
      return { kind: 'unknown', why: 'its class is not among the files', missing: { request, path: [...own, ...rest] } }
  }
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
