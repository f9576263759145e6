import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { functionAround } from '../terms/evaluator.js'
import type { Project } from './project.js'

/** What stops a part of a program, as the last thing that it does. */
const STOPS = /^_*(stop|close|shut[dD]own|destroy|dispose|tear[dD]own|clean[uU]p|terminate|quit|graceful)(?![a-z])/
/** A program that ends the process itself when it is told to end. */
const HEARS_THE_END = /\bprocess\.(on|once)\(\s*['"`]SIG(INT|TERM)['"`]/
const EXITS = /\bprocess\.exit\(/
/** A promise after which the process ends, all having gone well: `install().then(() => process.exit())`. */
const EXITS_AFTERWARDS = /\.(then|finally)\(\s*(\(\s*\)\s*=>\s*\{?|function\s*\(\s*\)\s*\{)\s*process\.exit\(\s*0?\s*\)/

/** Tells whether a process that a place runs in is ended by `process.exit` once it gets there, with all its timers. */
export function endsByExitAmong(project: Project): (start: number, module: Module) => boolean {
  const ending = new Map<string, boolean>()
  const endsItself = (file: string): boolean => {
    const home = project.packageOf(file)
    const found =
      ending.get(home) ??
      project.sources.some(
        (source) => HEARS_THE_END.test(source.text) && EXITS.test(source.text) && project.packageOf(source.file) === home,
      )
    ending.set(home, found)
    return found
  }
  return (start, module) =>
    EXITS_AFTERWARDS.test(module.source.text) ||
    functionsAround(start, module).some(exitsAtItsEnd) ||
    (stopsSomething(start, module) && endsItself(module.source.file))
}

/** The functions that a call stands in, the innermost first. */
function functionsAround(start: number, module: Module): readonly FunctionNode[] {
  const around: FunctionNode[] = []
  const call = module.calls.find((each) => each.start === start)
  for (let of = call ? functionAround(call) : null; of; of = functionAround(of)) around.push(of)
  return around
}

/** `process.exit(0)` as the last thing that a function does. */
function exitsAtItsEnd({ body }: FunctionNode): boolean {
  const last = body?.type === 'BlockStatement' ? body.body.at(-1) : null
  const call = last?.type === 'ExpressionStatement' ? last.expression : null
  const callee = call?.type === 'CallExpression' ? call.callee : null
  if (callee?.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.object.name !== 'process') return false
  return keyName(callee.property as Node, callee.computed) === 'exit'
}

function stopsSomething(start: number, module: Module): boolean {
  return functionsAround(start, module).some((of) => STOPS.test(nameOf(of) ?? ''))
}

/** The name that a function is called by. */
function nameOf(of: Node & { readonly id?: { readonly name: string } | null }): string | null {
  if (of.id) return of.id.name
  const above = of.parent
  switch (above?.type) {
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return keyName(above.key as Node, above.computed)
    case 'VariableDeclarator':
      return above.id.type === 'Identifier' ? above.id.name : null
    default:
      return null
  }
}
