import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { Module } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { outOfPackage } from './out-of-package.js'
import type { Project } from './project.js'

/** What a function has where nobody writes `timeoutSeconds`, and the most that one can have (one that answers HTTP), in s; Cloud Functions for Firebase, "Manage functions". */
const DEFAULT_S = 60
const MOST_S = 3600
const PACKAGE = /^firebase-functions(\/|$)/
const REGISTERS = /^on[A-Z]\w*$/
/** What takes options that hold for what is registered by way of it, or for all. */
const TAKES_OPTIONS: ReadonlySet<string> = new Set(['runWith', 'setGlobalOptions'])

/** After how many ms the platform ends the functions of Firebase that a module registers; of several the longest, null where it registers none. */
export function firebaseEndMs(module: Module, project: Project): number | null {
  if (!module.requests.some((request) => PACKAGE.test(request))) return null
  const registering = callsOf(module).filter(({ names }) => REGISTERS.test(names.at(-1) ?? ''))
  if (registering.length === 0) return null
  const own = registering.flatMap(({ call }) => (call.arguments.length > 1 ? secondsOf(call.arguments[0] as Node, module) : []))
  const given = [module, ...globalsOf(project)].flatMap((each) =>
    callsOf(each).flatMap(({ call, names }) =>
      TAKES_OPTIONS.has(names.at(-1) ?? '') ? secondsOf(call.arguments[0] as Node | undefined, each) : [],
    ),
  )
  return Math.min(MOST_S, Math.max(DEFAULT_S, ...own, ...given)) * 1000
}

/** What says of all functions of a program how long they may run. */
function globalsOf({ sources, moduleOf }: Project): readonly Module[] {
  return sources.flatMap(({ file, text }) => (text.includes('setGlobalOptions') ? (moduleOf(file) ?? []) : []))
}

type Call = Extract<Node, { type: 'CallExpression' }>

/** The calls of what the package gives, with the names by which each is reached. */
function callsOf(module: Module): readonly { readonly call: Call; readonly names: readonly string[] }[] {
  return module.calls.flatMap((call) => {
    const out = call.type === 'CallExpression' ? outOfPackage(call.callee, module) : null
    return call.type === 'CallExpression' && out && PACKAGE.test(out.request) ? [{ call, names: out.names }] : []
  })
}

/** What options say, in s: the most there is where they are computed, nothing where they say nothing of it or are no options. */
function secondsOf(options: Node | undefined, { scope }: Module): readonly number[] {
  const binding = options?.type === 'Identifier' ? lookUp(options.name, scope)?.binding : undefined
  const written = binding?.kind === 'value' && binding.steps.length === 0 ? (binding.node ?? undefined) : options
  if (!written || written.type === 'Literal' || written.type === 'TemplateLiteral') return []
  if (written.type !== 'ObjectExpression') return [MOST_S]
  const seconds = written.properties.flatMap((each) => {
    if (each.type === 'SpreadElement') return [MOST_S]
    if (keyName(each.key as Node, each.computed) !== 'timeoutSeconds') return []
    return [each.value.type === 'Literal' && typeof each.value.value === 'number' ? each.value.value : MOST_S]
  })
  return seconds
}
