import { defaultMs, defaultOf } from '../../model/default-of.js'
import type { Spot } from '../../model/sourced.js'
import { outsideName } from '../guards/wrapping.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import type { ScanView } from '../scan-view.js'
import { type Module, spotOf } from '../syntax/module.js'
import { argsOf } from '../terms/args-of.js'
import { identityOf, type Term } from '../terms/term.js'

/** A time of a server as the code has it: written, or the default of what serves. */
export interface ServerTime {
  readonly ms: number
  readonly spot: Spot
  readonly isDefault: boolean
}

/** A server that the code makes. */
export interface Server {
  readonly name: string
  readonly spot: Spot
  readonly module: Module
  /** How long it keeps an idle connection; null where nobody can tell. */
  readonly keepAlive: ServerTime | null
  /** How long a client may take for the headers; null where it is not written. */
  readonly headers: ServerTime | null
}

interface ServerKind {
  readonly name: string
  readonly system: string
}

const NODE: ServerKind = { name: 'the server of Node', system: 'node http.Server' }
const FASTIFY: ServerKind = { name: 'fastify', system: 'fastify' }

const MAKES_SERVERS = /createServer|fastify|\.listen\b/

/** The servers that some modules make. */
export function serversOf(view: ScanView): readonly Server[] {
  const modules = view.modules.filter(({ source: { text } }) => MAKES_SERVERS.test(text))
  return modules.flatMap((module) =>
    module.calls.flatMap((node) => {
      if (node.type === 'TaggedTemplateExpression') return []
      const term = view.evaluator.termOf(node, module)
      const kind = term.kind === 'made' && term.at.node === node ? kindOf(term) : null
      if (!kind || term.kind !== 'made') return []
      const args = argsOf(node, module, view.evaluator)
      const time = (setting: string) => timeOf(setting, kind, term, args, view)
      return [
        {
          name: kind.name,
          spot: spotOf(node, module),
          module,
          keepAlive: time('keepAliveTimeout'),
          headers: written(time('headersTimeout')),
        },
      ]
    }),
  )
}

/** `http.createServer(…)`, `fastify(…)`, and `listen` of an app of express or koa, which makes a server of Node. */
function kindOf(term: Extract<Term, { kind: 'made' }>): ServerKind | null {
  const name = outsideName(term.callee)
  if (name === 'fastify:' || name === 'fastify:fastify') return FASTIFY
  if (name !== null && /^node:https?:createServer$/.test(name)) return NODE
  const { callee } = term
  if (callee.kind !== 'member' || callee.name !== 'listen' || callee.object.kind !== 'made') return null
  return /^(express|koa):$/.test(outsideName(callee.object.callee) ?? '') ? NODE : null
}

function written(time: ServerTime | null): ServerTime | null {
  return time?.isDefault ? null : time
}

function timeOf(
  setting: string,
  { system }: ServerKind,
  term: Term,
  args: readonly Term[],
  { evaluator, uses }: ScanView,
): ServerTime | null {
  const identity = identityOf(term)
  const assigned = identity === null ? [] : [...uses.assignedTo(identity, setting), ...uses.assignedTo(identity, `server.${setting}`)]
  const last = assigned.at(-1)
  const found = last
    ? settingOf(last.value)
    : (args.map((arg) => settingIn(arg, setting, evaluator)).find(({ state }) => state !== 'absent') ?? ABSENT)
  if (found.state === 'given') return typeof found.value === 'number' ? { ms: found.value, spot: found.spot, isDefault: false } : null
  if (found.state !== 'absent' || term.kind !== 'made') return null
  const row = defaultOf(system, setting, null)
  const ms = row.kind === 'known' ? defaultMs(row.row) : null
  return typeof ms === 'number' ? { ms, spot: spotOf(term.at.node, term.at.module), isDefault: true } : null
}

const ABSENT: Setting = { state: 'absent' }
