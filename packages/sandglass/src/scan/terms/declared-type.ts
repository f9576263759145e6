import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import type { Evaluator } from './evaluator.js'
import type { ExternalTerm } from './term.js'

/** The class of a package that a parameter or field is declared as: `pool: Pool`; null for anything else. */
export function declaredType(node: Node | undefined, module: Module, evaluator: Evaluator): ExternalTerm | null {
  const annotation = annotationOf(node)
  if (annotation?.type !== 'TSTypeReference') return null
  const path = namePath(annotation.typeName as Node)
  const [first, ...rest] = path
  const found = first === undefined ? null : lookUp(first, scopeAt(node as Node, module))
  if (found?.binding.kind !== 'import') return null
  const { request, name } = found.binding
  const to = evaluator.project.resolve(request, module.source.file)
  if (to.kind !== 'package') return null
  const own = name === '*' || name === 'default' ? [] : [name]
  return {
    kind: 'external',
    package: to.subpath === '' ? to.name : `${to.name}/${to.subpath}`,
    path: [...own, ...rest],
    at: { node: node as Node, module },
  }
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
