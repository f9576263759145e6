import type { Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'
import type { Directive } from './nginx-tree.js'
import { weightOf } from './shares.js'
import { templateIn } from './templates.js'

/** An `upstream` block: the peers a request may be passed to. */
export interface Upstream {
  readonly name: Written
  readonly spot: Spot
  readonly peers: readonly UpstreamPeer[]
  /** False where peers come from DNS at run time or from a template: their number is not known. */
  readonly isCounted: boolean
  readonly keepalive: Written | undefined
  readonly keepaliveTimeout: Written | undefined
}

/** One `server` of an upstream. */
export interface UpstreamPeer extends Written {
  readonly weight: number | null
  readonly isBackup: boolean
}

/** Reads `upstream NAME { server …; }`; servers that are down are left out. */
export function readUpstream({ args, spot, block }: Directive): Upstream {
  const servers = (block ?? []).filter(({ name }) => name === 'server')
  const up = servers.filter((server) => !server.args.some(({ text }) => text === 'down'))
  const peers = up.flatMap(({ args }) => {
    const [address, ...options] = args
    const weight = options.find(({ text }) => text.startsWith('weight='))
    return address
      ? [
          {
            ...address,
            weight: weightOf(weight && { text: weight.text.slice('weight='.length), spot: weight.spot }, 1),
            isBackup: options.some(({ text }) => text === 'backup'),
          },
        ]
      : []
  })
  const find = (name: string): Written | undefined => (block ?? []).find((each) => each.name === name)?.args[0]
  const isDynamic = up.some((server) => server.args.some(({ text }) => text === 'resolve' || templateIn(text) !== null))
  return {
    name: args[0] ?? { text: '', spot },
    spot: args[0]?.spot ?? spot,
    peers,
    isCounted: !isDynamic && peers.length > 0,
    keepalive: find('keepalive'),
    keepaliveTimeout: find('keepalive_timeout'),
  }
}
