import { pathToFileURL } from 'node:url'
import type { ClientCase } from './client-case.js'
import { judge, range } from './judge.js'
import { type Measured, measure } from './measure.js'
import { measureServer } from './measure-server.js'
import type { PeerMode, Peers } from './peers.js'
import type { ServerCase } from './server-case.js'

/** A case that can be run: its code from a file. */
export interface Trial {
  readonly name: string
  readonly code: string
  readonly packages: readonly string[]
  readonly isQuick: boolean
  /** The kinds of peer it needs. */
  readonly modes: readonly PeerMode[]
  readonly run: (file: string) => Promise<Tried>
}

/** What came of it: where it differs from what is written, and what was measured, one line each. */
export interface Tried {
  readonly problems: readonly string[]
  readonly lines: readonly string[]
  /** How late timers were in its process, in ms. */
  readonly latestMs: number
}

const CAP_MS = 1500
/** Beyond the limit, where a limit of minutes is measured. */
const LONG_EXTRA_MS = 15_000

/** A client case as a trial, watched for `capMs`: its own cap, or until the longest that it says has ended, or for as long as one likes. */
export function clientTrial(one: ClientCase, peers: Peers, capMs: number): Trial {
  const { name, code, packages, isQuick = false } = one
  return {
    name,
    code,
    packages,
    isQuick,
    modes: Object.keys(one.seen) as PeerMode[],
    async run(file) {
      const { fault, measured } = await measure(one, pathToFileURL(file).href, capMs, peers)
      const latestMs = Math.max(0, ...measured.map((each) => each.latestMs))
      return { problems: fault === null ? judge(one, measured, capMs) : [fault], lines: measured.map(clientLine), latestMs }
    },
  }
}

/** A server case as a trial. */
export function serverTrial(one: ServerCase): Trial {
  const { name, code, packages, isQuick = false } = one
  return {
    name,
    code,
    packages,
    isQuick,
    modes: [],
    async run(file) {
      const { measured, problems } = await measureServer(one, pathToFileURL(file).href)
      return { problems, lines: measured === null ? [] : [JSON.stringify(measured)], latestMs: measured?.latestMs ?? 0 }
    },
  }
}

/** How long a case is watched, in ms. */
export function capOf({ capMs }: ClientCase): number {
  return capMs ?? CAP_MS
}

/** A case with what takes longer than its own cap, watched until that has ended; null where nothing does. */
export function longTrial(one: ClientCase, peers: Peers): Trial | null {
  const seen = Object.fromEntries(Object.entries(one.seen).filter(([, { ends }]) => ends !== 'never' && range(ends)[0] > capOf(one)))
  return Object.keys(seen).length === 0 ? null : clientTrial({ ...one, seen }, peers, longestMs({ seen }) + LONG_EXTRA_MS)
}

function longestMs({ seen }: Pick<ClientCase, 'seen'>): number {
  return Math.max(0, ...Object.values(seen).map(({ ends }) => (ends === 'never' ? 0 : range(ends)[1])))
}

function clientLine({ mode, end, ms, attempts, cancelsWork, words, latestMs }: Measured): string {
  return `${mode}: ${end} ${ms.toFixed(0)} ms, attempts ${attempts}, cancels ${cancelsWork}, late ${latestMs.toFixed(0)}; ${words}`
}
