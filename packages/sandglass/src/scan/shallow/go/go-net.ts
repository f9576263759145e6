import { GO } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import type { SyntaxNode } from '../syntax-tree.js'
import { type GoCall, goSighting } from './go-call.js'
import { aftermathOf } from './go-instance.js'
import { contextLimit, durationLimit, goString, tighter } from './go-limit.js'
import { fieldOf, type GoFile } from './go-values.js'

const CALL = /^(net|crypto\/tls)\.(Dial|DialTCP|DialTimeout|Dialer\{\??\}\.Dial|Dialer\{\??\}\.DialContext)$/

/** Connections of package net that go over TCP; datagrams and local sockets do not wait for an answer. */
export function readGoNet(call: GoCall): Sighting | null {
  const method = CALL.exec(call.path)?.[2]
  if (!method) return null
  const [network, ...rest] = method.endsWith('DialContext') ? call.args.slice(1) : call.args
  if (!goString(call.file, network)?.startsWith('tcp')) return null
  const maker = method.startsWith('Dialer{}') ? call.makers.at(-1) : undefined
  const address = method === 'DialTCP' ? null : goString(call.file, rest[0])
  return goSighting(GO.net, call, limitOf(call, method, maker), { target: address, cause: maker ?? call.node })
}

function limitOf(call: GoCall, method: string, maker: SyntaxNode | undefined): Limit {
  const { file, args } = call
  if (method === 'DialTimeout') return args[2] ? durationLimit(file, args[2], 'connect') : UNKNOWN_LIMIT
  if (!method.startsWith('Dialer')) return ABSENT
  const own = maker ? dialerLimit(file, maker) : UNKNOWN_LIMIT
  return method.endsWith('DialContext') ? tighter(own, contextLimit(file, args[0])) : own
}

function dialerLimit(file: GoFile, maker: SyntaxNode): Limit {
  const { sets, isPrepared } = aftermathOf(file, maker)
  const given = fieldOf(maker, 'Timeout') ?? sets('Timeout')[0]
  if (given) return durationLimit(file, given, 'connect')
  const isLimited = isPrepared || ['Deadline', 'Cancel', 'NetDialer'].some((field) => fieldOf(maker, field) || sets(field).length > 0)
  return isLimited ? UNKNOWN_LIMIT : ABSENT
}
