import type { Node } from 'oxc-parser'
import { homeOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import type { CallNode } from '../syntax/module.js'
import { type FunctionNode, isFunctionNode } from '../syntax/scope.js'
import { outermost, walk } from '../syntax/walk.js'
import type { LibraryModel } from './library-model.js'

/** Sockets of Node, as far as a promise waits for what comes over one: nothing ends that but a timer or `setTimeout` of the socket. */
export const nodeNetModel: LibraryModel = {
  id: 'node:net',
  packages: ['node:net', 'node:tls'],
  clients: [{ kind: 'socket', on: null, made: ['Socket'], optionsAt: -1 }],
  calls: [
    { on: null, method: /^(connect|createConnection)$/, optionsAt: -1, unless: (node) => !isAwaited(node) },
    { on: 'socket', method: /^connect$/, optionsAt: -1, unless: (node) => !isAwaited(node) },
  ],
  read: (site) =>
    readingOf({
      phases: [
        {
          what: 'the answer of the other side',
          kind: 'silence',
          limit: { state: 'none', name: 'setTimeout', spot: homeOf(site), isOff: false },
        },
      ],
      remedy: 'socket.setTimeout(…, () => socket.destroy(new Error(…))) (ms)',
    }),
}

/** Words of what may end it: where a function has one of them, nobody can tell. */
const MAY_END = /time-?out|abort|signal|deadline|expire|timer/i
/** What tells of an answer. */
const ANSWERS: ReadonlySet<unknown> = new Set(['data', 'end', 'close'])

/** True where a promise that it is made in is resolved by what comes, and nothing around it speaks of time. */
function isAwaited(node: CallNode): boolean {
  const executor = executorAround(node)
  const [resolve] = executor?.params ?? []
  if (!executor || resolve?.type !== 'Identifier') return false
  return isResolvedByAnswer(executor, resolve.name) && !has(aroundPromise(executor), (each) => MAY_END.test(wordOf(each)))
}

/** The function that `new Promise` is given around a call, without another function between them. */
function executorAround(node: Node): FunctionNode | null {
  for (let here: Node | null | undefined = node.parent; here; here = here.parent) {
    if (!isFunctionNode(here)) continue
    const maker = outermost(here as Node).parent
    return maker?.type === 'NewExpression' && maker.callee.type === 'Identifier' && maker.callee.name === 'Promise' ? here : null
  }
  return null
}

function aroundPromise(executor: FunctionNode): Node {
  for (let here: Node | null | undefined = (executor as Node).parent; here; here = here.parent)
    if (isFunctionNode(here)) return here as Node
  return executor as Node
}

function isResolvedByAnswer(executor: FunctionNode, resolve: string): boolean {
  return has(executor as Node, (each) => {
    if (each.type !== 'CallExpression' || each.callee.type !== 'MemberExpression') return false
    const [event, listener] = each.arguments
    const isListening = /^(on|once|addListener)$/.test(wordOf(each.callee.property as Node))
    if (!isListening || event?.type !== 'Literal' || !ANSWERS.has(event.value) || !listener) return false
    return has(listener as Node, (part) => part.type === 'Identifier' && part.name === resolve)
  })
}

function has(root: Node, is: (node: Node) => boolean): boolean {
  let isFound = false
  walk(root, (node) => {
    isFound ||= is(node)
    return !isFound
  })
  return isFound
}

function wordOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
}
