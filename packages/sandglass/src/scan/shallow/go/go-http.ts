import { GO } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { below, childOf, type SyntaxNode } from '../syntax-tree.js'
import type { Value } from '../value.js'
import { type GoCall, goSighting } from './go-call.js'
import { aftermathOf } from './go-instance.js'
import { contextLimit, durationLimit, goString, tighter, weakest } from './go-limit.js'
import { fieldOf, type GoFile, goArguments, goValues } from './go-values.js'

const WITHOUT_CONTEXT = /^(Get|Head|Post|PostForm)$/
const CALL = /^net\/http(?:\.(DefaultClient|Client\{\??\}))?\.(Get|Head|Post|PostForm|Do)$/

/** Requests of net/http: through its functions, its default client, or a client of the file. */
export function readGoHttp(call: GoCall): Sighting | null {
  const found = CALL.exec(call.path)
  if (!found) return null
  const [, client = 'DefaultClient', method = ''] = found
  if (method === 'Do' && !found[1]) return null
  const maker = client === 'Client{}' ? call.makers.at(-1) : undefined
  const own = client === 'DefaultClient' ? defaultClientLimit(call.file) : clientLimit(call.file, maker)
  const request = WITHOUT_CONTEXT.test(method) ? ABSENT : requestLimit(call.file, call.args[0] ?? null)
  const limit = tighter(own, request)
  const target = WITHOUT_CONTEXT.test(method) ? goString(call.file, call.args[0]) : null
  // Where the request was given a context of this file, that is where the limit belongs; else it is the client.
  return goSighting(GO.http, call, limit, { target, cause: maker ?? call.node })
}

/** `http.DefaultClient.Timeout = …` holds for the whole program. */
function defaultClientLimit(file: GoFile): Limit {
  const isOf = (path: string) => (node: SyntaxNode | null) =>
    goValues(file, node).some((value) => value.kind === 'known' && value.path === path)
  const isReplaced = (file.assigned.get('DefaultClient') ?? []).some(({ target }) => isOf('net/http')(childOf(target, 'operand')))
  const changes = (field: string) =>
    (file.assigned.get(field) ?? []).filter(({ target }) => isOf('net/http.DefaultClient')(childOf(target, 'operand')))
  const transport = (file.assigned.get('DefaultTransport') ?? []).length > 0 || changes('Transport').length > 0
  const timeouts = changes('Timeout')
  if (isReplaced || transport || timeouts.length > 1) return UNKNOWN_LIMIT
  const [set] = timeouts
  if (!set) return ABSENT
  return set.value ? durationLimit(file, set.value, 'total') : UNKNOWN_LIMIT
}

function clientLimit(file: GoFile, maker: SyntaxNode | undefined): Limit {
  if (!maker) return UNKNOWN_LIMIT
  const { sets, isPrepared } = aftermathOf(file, maker)
  const later = sets('Timeout')
  const timeout = later.length > 0 ? later : [fieldOf(maker, 'Timeout')].filter((value) => value !== null)
  const limits = timeout.map((value) => (value ? durationLimit(file, value, 'total') : UNKNOWN_LIMIT))
  if (limits.length > 0) return weakest(limits)
  if (isPrepared || isPositional(maker)) return UNKNOWN_LIMIT
  const transports = [fieldOf(maker, 'Transport'), ...sets('Transport')].filter((value, index) => value !== null || index > 0)
  return transports.length === 0 ? ABSENT : weakest(transports.map((value) => transportLimit(file, value)))
}

function isPositional(literal: SyntaxNode): boolean {
  return (childOf(literal, 'body')?.children ?? []).some(({ type }) => type !== 'keyed_element')
}

/** A plain transport limits nothing but the headers; one that somebody wrote may do anything. */
function transportLimit(file: GoFile, transport: SyntaxNode | null): Limit {
  return weakest(goValues(file, transport).map((value) => limitOfTransport(file, value)))
}

function limitOfTransport(file: GoFile, value: Value): Limit {
  if (value.kind !== 'known') return value.kind === 'nothing' ? ABSENT : UNKNOWN_LIMIT
  if (value.path === 'net/http.DefaultTransport') return (file.assigned.get('DefaultTransport') ?? []).length > 0 ? UNKNOWN_LIMIT : ABSENT
  const maker = value.makers.at(-1)
  if (value.path !== 'net/http.Transport{}' || !maker || isPositional(maker)) return UNKNOWN_LIMIT
  const { sets, isPrepared } = aftermathOf(file, maker)
  const given = fieldOf(maker, 'ResponseHeaderTimeout') ?? sets('ResponseHeaderTimeout')[0]
  if (given) return durationLimit(file, given, 'headers')
  const hasDeadlines = below(maker).some(({ text, type }) => type === 'field_identifier' && /^Set(Read)?Deadline$/.test(text))
  const isOwnDial = ['Dial', 'DialContext', 'DialTLS', 'DialTLSContext'].some(
    (field) => isOwn(fieldOf(maker, field)) || sets(field).length > 0,
  )
  return isPrepared || hasDeadlines || isOwnDial ? UNKNOWN_LIMIT : ABSENT
}

/** A dial function that is not the one of a net.Dialer may set deadlines on what it returns. */
function isOwn(dial: SyntaxNode | null): boolean {
  return dial !== null && dial.type !== 'func_literal' && !/Dialer\b|^dialer\.|\.Dial(Context)?$/.test(dial.text)
}

/** The limit that a request carries by its context. */
function requestLimit(file: GoFile, request: SyntaxNode | null): Limit {
  return weakest(goValues(file, request).map((value) => limitOfRequest(file, value)))
}

function limitOfRequest(file: GoFile, value: Value): Limit {
  if (value.kind !== 'known') return UNKNOWN_LIMIT
  const maker = value.makers.at(-1)
  if (/\.(WithContext|Clone)\(\)$/.test(value.path)) return maker ? contextLimit(file, goArguments(maker)[0]) : UNKNOWN_LIMIT
  if (value.path === 'net/http.NewRequest()' || value.path === 'net/http.Request{}') return ABSENT
  if (value.path === 'net/http.NewRequestWithContext()') return maker ? contextLimit(file, goArguments(maker)[0]) : UNKNOWN_LIMIT
  return UNKNOWN_LIMIT
}
