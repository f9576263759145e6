import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'

/** The words of a name that only holds while a program is developed or tested: `isDevelopmentEnv`, `storageEmulatorHost`. */
const DEVELOPED =
  /^((is|in|for) )?((node|app|local) )?(dev|development)( or (test|testing|local))?( (env|environment|mode|build))?$|^((is|in) )?(test|testing|local|ci)( or dev(elopment)?| env| environment)$|^(?!.*\b(no|not|non|without|disable[ds]?)\b).*\bemulators?\b/
const PRODUCED = /^((is|in) )?(prod|production)( (env|environment|mode|build))?$/
/** Alone they may be short for something else: a device, a product; what a program is started with has them for how it runs. */
const SHORT = /^(dev|prod)$/
const SPEAKS_OF_IT = /\b(in|for|during) (production|development)\b/i
const OPTIONS = /^(options|opts|config|flags|argv|args|settings)$/
/** Variables of the environment that only tests and developers set. */
const SET_BY_DEVELOPERS = /^(TEST|TESTING|DEV|DEVELOPMENT|VITEST|JEST)(_|$)/
/** What says where a program runs: `NODE_ENV`, `appEnv`; `process.env.STAGE`. */
const ENVIRONMENT = /\b(env|environment)$/
const STAGE = /\bstage$/
/** `TEST` is what some services call a part of them. */
const OF_DEVELOPERS = /^(dev|development|local|localhost|test|testing|DEV|DEVELOPMENT|Development|LOCAL|Local)$/
const OF_PRODUCTION = /^(prod|production)$/i
const YES: ReadonlySet<unknown> = new Set([true, 1, 'true', '1'])
const EQUALS: Readonly<Record<string, boolean>> = { '==': true, '===': true, '!=': false, '!==': false }
const MAX_DEPTH = 10

/** True where a condition that holds, or that does not, shows that the program is being developed or tested. */
export function showsDevelopment(test: Node, holds: boolean, module: Module, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const inner = bare(test)
  const shows = (part: Node, as = holds) => showsDevelopment(part, as, module, depth + 1)
  switch (inner.type) {
    case 'UnaryExpression':
      return inner.operator === '!' && shows(inner.argument, !holds)
    case 'LogicalExpression': {
      const parts = [inner.left, inner.right].filter((part) => shows(part))
      return inner.operator !== '??' && parts.length >= ((inner.operator === '&&') === holds ? 1 : 2)
    }
    case 'BinaryExpression':
      return equalityShows(inner, holds, shows)
    case 'CallExpression':
      return inner.arguments.length === 0 && saysSo(nameOf(inner.callee), holds)
    case 'MemberExpression':
      return (
        saysSo(nameOf(inner), holds) ||
        isOption(inner, holds ? 'dev' : 'prod', module) ||
        (holds && isOfEnvironment(inner) && SET_BY_DEVELOPERS.test(nameOf(inner)))
      )
    case 'Identifier':
      return saysSo(inner.name, holds) || isHeldBy(inner.name, inner, module, shows)
    default:
      return false
  }
}

function equalityShows(
  { operator, left, right }: Extract<Node, { type: 'BinaryExpression' }>,
  holds: boolean,
  shows: (part: Node, as: boolean) => boolean,
): boolean {
  const isEqual = EQUALS[operator]
  if (isEqual === undefined) return false
  const [first, second] = [bare(left as Node), bare(right)]
  const [name, value] = second.type === 'Literal' ? [first, second.value] : [second, first.type === 'Literal' ? first.value : null]
  return YES.has(value) ? shows(name, isEqual === holds) : isOfDevelopers(name, value, isEqual === holds)
}

/** `process.env.NAME`: what somebody who starts the program may set. */
export function isOfEnvironment(node: Node): boolean {
  const inner = bare(node)
  if (inner.type !== 'MemberExpression') return false
  const { object } = inner
  return object.type === 'MemberExpression' && nameOf(object) === 'env' && nameOf(object.object) === 'process'
}

function saysSo(name: string, holds: boolean): boolean {
  return !SHORT.test(name) && (holds ? DEVELOPED : PRODUCED).test(wordsOf(name))
}

/** `options.dev`, `config.prod` in a file that speaks of where it runs: what installs packages has options of these names for those that others develop with. */
function isOption(node: Extract<Node, { type: 'MemberExpression' }>, name: string, { source }: Module): boolean {
  return nameOf(node) === name && OPTIONS.test(nameOf(node.object)) && SPEAKS_OF_IT.test(source.text)
}

/** `env === 'development'`, `config.get('env') !== 'production'`. */
function isOfDevelopers(name: Node, value: unknown, isEqual: boolean): boolean {
  const asked = name.type === 'CallExpression' ? name.arguments[0] : name
  const words = wordsOf(asked?.type === 'Literal' ? String(asked.value) : asked ? nameOf(asked as Node) : '')
  if (typeof value !== 'string' || !(ENVIRONMENT.test(words) || (isOfEnvironment(name) && STAGE.test(words)))) return false
  return (isEqual ? OF_DEVELOPERS : OF_PRODUCTION).test(value)
}

/** `const dev = process.env.NODE_ENV !== 'production'`. */
function isHeldBy(name: string, at: Node, module: Module, shows: (part: Node) => boolean): boolean {
  const declared = lookUp(name, scopeAt(at, module))
  if (!declared?.isConst || declared.binding.kind !== 'value') return false
  const { node, steps } = declared.binding
  return node !== null && steps.length === 0 && shows(node)
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression') return ''
  if (node.property.type === 'Literal') return String(node.property.value)
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : ''
}

/** `isDevOrTest` and `IS_DEV_OR_TEST` are `is dev or test`. */
function wordsOf(name: string): string {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return apart
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(' ')
}
