import type { Node } from 'oxc-parser'
import { firstText } from '../calls/target-text.js'
import { readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import type { CallNode } from '../syntax/module.js'
import { outsideTypeOf } from '../terms/global-type.js'
import type { Term } from '../terms/term.js'
import { isGlobal } from '../terms/term.js'
import { untilCleared } from './cleared-timer.js'
import { fetchPhases } from './fetch-phases.js'
import type { LibraryModel } from './library-model.js'

/** `fetch` as Node has it. */
export const fetchModel: LibraryModel = {
  id: 'fetch',
  packages: ['global'],
  clients: [],
  calls: [{ on: null, method: /^fetch$/, optionsAt: 1, unless: (node) => isOfThePage(node) || isOfTheBundle(node) || isInMemory(node) }],
  read: (site) => {
    const inRequest = requestOptions(site.args[0])
    const own = settingIn(site.options, 'signal', site.evaluator)
    const brought = own.state === 'absent' && isRequest(site.args[0]) ? BROUGHT : null
    return readingOf({
      overall: brought ?? untilCleared(site, signalIn(site, own.state === 'absent' && inRequest ? inRequest : site.options)),
      phases: fetchPhases(site),
      remedy: 'signal: AbortSignal.timeout(…)',
    })
  },
  targetOf: ({ args }) => firstText(args[0]),
}

/** `fetch(new Request(url, { signal }))`. */
function requestOptions(term: Term | undefined): Term | undefined {
  return term?.kind === 'made' && isGlobal(term.callee, 'Request') ? term.args[1] : undefined
}

const BROUGHT = { state: 'unknown', name: 'signal', why: 'the request may bring a signal' } as const

/** A request that is handed in, or a copy of one: its signal goes along. */
function isRequest(term: Term | undefined): boolean {
  if (term?.kind === 'parameter') return outsideTypeOf(term) === 'Request'
  return term?.kind === 'made' && term.callee.kind === 'member' && term.callee.name === 'clone'
}

/** `window.fetch`, wherever it stands: the page's own. */
function isOfThePage(node: CallNode): boolean {
  const callee = node.type === 'CallExpression' ? node.callee : null
  return callee?.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'window'
}

/** `fetch(new URL('./font.ttf', import.meta.url))`: a file that goes with the code, put there by what builds it. */
function isOfTheBundle(node: CallNode): boolean {
  const [url] = node.type === 'CallExpression' ? node.arguments : []
  if (url?.type !== 'NewExpression' || url.callee.type !== 'Identifier' || url.callee.name !== 'URL') return false
  const [path, base] = url.arguments
  return /^\.\.?\//.test(beginOf(path)) && base?.type === 'MemberExpression' && base.object.type === 'MetaProperty'
}

/** `fetch(URL.createObjectURL(file))`, `fetch(`data:…`)`: what is there already. */
function isInMemory(node: CallNode): boolean {
  const [url] = node.type === 'CallExpression' ? node.arguments : []
  const callee = url?.type === 'CallExpression' ? url.callee : null
  const isObject =
    callee?.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'createObjectURL'
  return isObject || /^(data|blob):/.test(beginOf(url))
}

function beginOf(path: Node | undefined): string {
  if (path?.type === 'TemplateLiteral') return path.quasis[0]?.value.cooked ?? ''
  return path?.type === 'Literal' && typeof path.value === 'string' ? path.value : ''
}
