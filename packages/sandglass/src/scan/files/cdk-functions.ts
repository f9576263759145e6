import type { Node } from 'oxc-parser'
import { tidyFolder } from '../lockfile/folder-path.js'
import { keyName } from '../syntax/declare.js'
import { walk } from '../syntax/walk.js'
import { lambdaMostMs } from './lambda-most.js'
import type { Project } from './project.js'

/** What a function has where nobody writes a `timeout`, in ms; AWS CDK's `FunctionOptions`. */
const DEFAULT_MS = 3000
const MAKES = /\bnew\s+([\w.]+\.)?NodejsFunction\(/
const UNITS: ReadonlyMap<string, number> = new Map([
  ['seconds', 1000],
  ['minutes', 60_000],
])

/** After how many ms AWS ends the functions that a program of the CDK deploys, by the file that is their `entry`; of several for one file the longest. */
export function cdkFunctions(project: Project): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const options of deployedBy(project)) {
    const file = entryOf(options, project)
    if (file !== null) ends.set(file, Math.max(ends.get(file) ?? 0, endOf(options)))
  }
  return ends
}

/** What functions are made with, wherever a program makes some. */
function deployedBy({ sources, moduleOf }: Project): readonly ObjectNode[] {
  const calls = sources.flatMap(({ file, text }) => (MAKES.test(text) ? (moduleOf(file)?.calls ?? []) : []))
  return calls.flatMap((call) => {
    const options = call.type === 'NewExpression' && isNodejsFunction(call.callee) ? call.arguments.at(-1) : undefined
    return options?.type === 'ObjectExpression' ? [options] : []
  })
}

/** The one source that an `entry` can mean; null where several can. */
function entryOf(options: ObjectNode, { sources }: Project): string | null {
  const entry = valueOf('entry', options)
  const path = entry ? tidyFolder(lastText(entry).replace(/^(\.{0,2}\/)+/, '')) : ''
  const [only, ...others] = path === '' ? [] : sources.filter(({ file }) => `/${file}`.endsWith(`/${path}`))
  return only && others.length === 0 ? only.file : null
}

type ObjectNode = Extract<Node, { type: 'ObjectExpression' }>

function isNodejsFunction(callee: Node): boolean {
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  return name.type === 'Identifier' && name.name === 'NodejsFunction'
}

function valueOf(name: string, { properties }: ObjectNode): Node | undefined {
  const found = properties.find((each) => each.type === 'Property' && keyName(each.key as Node, each.computed) === name)
  return found?.type === 'Property' ? found.value : undefined
}

/** `../lib/pay.ts` of `path.join(__dirname, '../lib/pay.ts')`. */
function lastText(value: Node): string {
  let text = ''
  walk(value, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') text = node.value
    return true
  })
  return text
}

/** What is computed, or may come with a spread, may be anything up to the most there is. */
function endOf(options: ObjectNode): number {
  const timeout = valueOf('timeout', options)
  if (!timeout) return options.properties.some(({ type }) => type === 'SpreadElement') ? lambdaMostMs : DEFAULT_MS
  const callee = timeout.type === 'CallExpression' ? timeout.callee : null
  const unit = callee?.type === 'MemberExpression' ? UNITS.get(keyName(callee.property as Node, callee.computed) ?? '') : undefined
  const count = timeout.type === 'CallExpression' ? mostOf(timeout.arguments[0] as Node | undefined) : null
  return unit === undefined || count === null ? lambdaMostMs : Math.min(lambdaMostMs, unit * count)
}

/** `30`, or the larger one of `isTest ? 18 : 9`. */
function mostOf(value: Node | undefined): number | null {
  if (value?.type === 'Literal') return typeof value.value === 'number' ? value.value : null
  if (value?.type !== 'ConditionalExpression') return null
  const [first, second] = [mostOf(value.consequent), mostOf(value.alternate)]
  return first === null || second === null ? null : Math.max(first, second)
}
