import type { Node } from 'oxc-parser'
import { tidyFolder } from '../lockfile/folder-path.js'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import { lambdaMostMs } from './lambda-most.js'
import type { Project } from './project.js'

/** What a function has where nobody writes a `timeout`, in ms; AWS CDK's `FunctionOptions`. */
const DEFAULT_MS = 3000
const MAKES = /\bnew\s+([\w.]+\.)?(NodejsFunction|GuLambdaFunction|GuScheduledLambda)\(/
/** Those of `@guardian/cdk`, whose code is a file that is packed elsewhere. */
const PACKED = /^Gu/
const GIVES_HANDLER = /\bexport\s+(const|async\s+function|function)\s+handler\b|\bexports\.handler\s*=/
const UNITS: ReadonlyMap<string, number> = new Map([
  ['seconds', 1000],
  ['minutes', 60_000],
])

/** After how many ms AWS ends the functions that a program of the CDK deploys, by the file that is their `entry` or gives their `handler`; of several for one file the longest. */
export function cdkFunctions(project: Project): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const made of deployedBy(project)) {
    for (const file of made.isPacked ? packedIn(made, project) : entryOf(made, project))
      ends.set(file, Math.max(ends.get(file) ?? 0, endOf(made)))
  }
  return ends
}

interface Made {
  readonly options: ObjectNode
  readonly module: Module
  readonly isPacked: boolean
}

/** What functions are made with, wherever a program makes some. */
function deployedBy({ sources, moduleOf }: Project): readonly Made[] {
  return sources.flatMap(({ file, text }) => {
    const module = MAKES.test(text) ? moduleOf(file) : null
    return (module?.calls ?? []).flatMap((call): Made[] => {
      const name = call.type === 'NewExpression' ? nameOf(call.callee) : null
      const options = call.type === 'NewExpression' && name !== null ? call.arguments.at(-1) : undefined
      return module && name !== null && options?.type === 'ObjectExpression' ? [{ options, module, isPacked: PACKED.test(name) }] : []
    })
  })
}

/** The one source that an `entry` can mean; none where several can. */
function entryOf({ options }: Made, { sources }: Project): readonly string[] {
  const entry = valueOf('entry', options)
  const path = entry ? tidyFolder(lastText(entry).replace(/^(\.{0,2}\/)+/, '')) : ''
  const [only, ...others] = path === '' ? [] : sources.filter(({ file }) => `/${file}`.endsWith(`/${path}`))
  return only && others.length === 0 ? [only.file] : []
}

/** The sources that give a `handler` in the folder that `fileName: 'pay.zip'` is packed of, by its name; only the one that `handler: 'late.handler'` names, where it is written down. */
function packedIn({ options }: Made, { sources, packageOf }: Project): readonly string[] {
  const home = /^([\w-]+)\.zip$/.exec(lastText(valueOf('fileName', options)))?.[1]
  const name = /^([\w-]+)\.handler$/.exec(lastText(valueOf('handler', options)))?.[1]
  const isIn = (file: string) => home !== undefined && `/${packageOf(file)}`.endsWith(`/${home}`)
  const isNamed = (file: string) => name === undefined || new RegExp(`(^|/)${name}\\.[cm]?[jt]s$`).test(file)
  return sources.filter(({ file, text }) => isIn(file) && isNamed(file) && GIVES_HANDLER.test(text)).map(({ file }) => file)
}

type ObjectNode = Extract<Node, { type: 'ObjectExpression' }>

/** What makes a function; null for anything else. */
function nameOf(callee: Node): string | null {
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  return name.type === 'Identifier' && MAKES.test(`new ${name.name}(`) ? name.name : null
}

function valueOf(name: string, { properties }: ObjectNode): Node | undefined {
  const found = properties.find((each) => each.type === 'Property' && keyName(each.key as Node, each.computed) === name)
  return found?.type === 'Property' ? found.value : undefined
}

/** `../lib/pay.ts` of `path.join(__dirname, '../lib/pay.ts')`. */
function lastText(value: Node | undefined): string {
  let text = ''
  if (!value) return text
  walk(value, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') text = node.value
    if (node.type === 'TemplateLiteral' && node.expressions.length === 0) text = node.quasis[0]?.value.cooked ?? ''
    return true
  })
  return text
}

/** What is computed, or may come with a spread that cannot be read, may be anything up to the most there is. */
function endOf({ options, module, isPacked }: Made): number {
  const timeout = timeoutIn(options, module)
  if (timeout === 'unknown') return lambdaMostMs
  if (timeout === null) return isPacked ? lambdaMostMs : DEFAULT_MS
  const callee = timeout.type === 'CallExpression' ? timeout.callee : null
  const unit = callee?.type === 'MemberExpression' ? UNITS.get(keyName(callee.property as Node, callee.computed) ?? '') : undefined
  const count = timeout.type === 'CallExpression' ? mostOf(timeout.arguments[0] as Node | undefined) : null
  return unit === undefined || count === null ? lambdaMostMs : Math.min(lambdaMostMs, unit * count)
}

/** The `timeout` that holds: what is written last wins; null where there is none. */
function timeoutIn({ properties }: ObjectNode, module: Module): Node | 'unknown' | null {
  for (const each of properties.toReversed()) {
    if (each.type === 'Property' && keyName(each.key as Node, each.computed) === 'timeout') return each.value
    if (each.type !== 'SpreadElement') continue
    const spread = objectOf(each.argument, module)
    const found = spread ? timeoutIn(spread, module) : 'unknown'
    if (found !== null && !(found === 'unknown' && isWritten(properties))) return found
  }
  return null
}

/** A spread that cannot be read is taken to bring no other `timeout` than the one beside it. */
function isWritten(properties: ObjectNode['properties']): boolean {
  return properties.some((each) => each.type === 'Property' && keyName(each.key as Node, each.computed) === 'timeout')
}

/** `const defaults = { … }` where it is spread. */
function objectOf(value: Node, module: Module): ObjectNode | null {
  if (value.type === 'ObjectExpression') return value
  const binding = value.type === 'Identifier' ? lookUp(value.name, scopeAt(value, module))?.binding : undefined
  const isPlain = binding?.kind === 'value' && binding.steps.length === 0 && binding.node !== value
  return isPlain && binding.node?.type === 'ObjectExpression' ? binding.node : null
}

/** `30`, or the larger one of `isTest ? 18 : 9`. */
function mostOf(value: Node | undefined): number | null {
  if (value?.type === 'Literal') return typeof value.value === 'number' ? value.value : null
  if (value?.type !== 'ConditionalExpression') return null
  const [first, second] = [mostOf(value.consequent), mostOf(value.alternate)]
  return first === null || second === null ? null : Math.max(first, second)
}
