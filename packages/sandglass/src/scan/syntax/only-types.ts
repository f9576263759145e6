import type { Node } from 'oxc-parser'
import type { Module } from './module.js'
import { referencesOf } from './references.js'

const TYPES: ReadonlySet<string> = new Set([
  'TSTypeReference',
  'TSQualifiedName',
  'TSTypeQuery',
  'TSInterfaceHeritage',
  'TSClassImplements',
])

/** True for what a module of TypeScript imports for its types alone, or for nothing: the compiler leaves such an import out. */
export function isOnlyForTypes(request: string, module: Module): boolean {
  // What is written as `<Name />` is no reference here.
  if (!/\.[cm]?ts$/.test(module.source.file)) return false
  const names = [...module.scope.names.values()].filter(({ binding }) => binding.kind === 'import' && binding.request === request)
  const statements = module.requests.filter((each) => each === request).length
  const imports = module.program.body.filter((node) => node.type === 'ImportDeclaration' && node.source.value === request)
  return names.length > 0 && statements <= imports.length && names.every((declared) => referencesOf(declared, module).every(isType))
}

function isType({ parent }: Node): boolean {
  return TYPES.has(parent?.type ?? '')
}
