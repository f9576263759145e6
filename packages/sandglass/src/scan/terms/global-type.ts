import type { Node } from 'oxc-parser'
import { scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import type { ParameterTerm } from './term.js'

/** The name of the type a parameter is declared with, where it comes from a package or from the runtime itself: `Request`; null for own types. */
export function outsideTypeOf({ of, index, module, declaredAs }: ParameterTerm): string | null {
  if (declaredAs) return declaredAs.kind === 'external' ? (declaredAs.path.at(-1) ?? null) : null
  const param = of.params[index] as Node | undefined
  const pattern = param?.type === 'AssignmentPattern' ? (param.left as Node) : param
  const annotation = pattern && 'typeAnnotation' in pattern ? (pattern.typeAnnotation as Node | null) : null
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : null
  const name = type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : null
  return name !== null && lookUp(name, scopeAt(of, module)) === null && !isOwnType(name, module.source.text) ? name : null
}

/** Interfaces and aliases are no values, so that no scope knows them. */
function isOwnType(name: string, text: string): boolean {
  return new RegExp(`\\b(interface|type)\\s+${name}\\b`).test(text)
}
