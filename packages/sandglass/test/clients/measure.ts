import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BadPeer } from './bad-peer.js'
import type { ClientCase } from './client-case.js'
import type { PeerMode, Peers } from './peers.js'

/** What was measured of one case at one peer. */
export interface Measured {
  readonly mode: PeerMode
  readonly end: 'resolves' | 'rejects' | 'pending'
  /** From the start of the call to its end, or to the cap. */
  readonly ms: number
  /** How late timers were in that process; what a busy machine adds. */
  readonly latestMs: number
  /** What it ended with. */
  readonly words: string
  /** Connections or requests that the peer saw; null where it cannot see them. */
  readonly attempts: number | null
  /** Whether the peer saw the close after the end; null while pending, and where it cannot see. */
  readonly cancelsWork: boolean | null
}

/** What was measured of a case; `fault` where its code did not run. */
export interface MeasuredCase {
  readonly measured: readonly Measured[]
  readonly fault: string | null
}

/** How long after the end of a call its peer may notice. */
const GRACE_MS = 250
/** Importing a library on a busy machine. */
const START_MS = 120_000

const child = fileURLToPath(new URL('run-case.mjs', import.meta.url))

/** Runs the code of a case, kept in `file`, against each of its peers, and watches for `capMs`. */
export async function measure(one: ClientCase, file: string, capMs: number, opener: Peers): Promise<MeasuredCase> {
  const modes = Object.keys(one.seen) as PeerMode[]
  const peers = new Map<PeerMode, BadPeer>()
  for (const mode of modes) peers.set(mode, await opener.open(mode))
  try {
    return await runChild(file, capMs, peers)
  } finally {
    await Promise.all([...peers.values()].map((peer) => peer.close()))
  }
}

type Said = Omit<Measured, 'attempts' | 'cancelsWork'>
type Message = Said | { readonly fault: string } | { readonly isDone: true; readonly stray: readonly string[] }

function runChild(file: string, capMs: number, peers: ReadonlyMap<PeerMode, BadPeer>): Promise<MeasuredCase> {
  const env = [...peers].map(([mode, peer]) => ({ mode, env: environment(peer) }))
  const running = fork(child, [file, `${capMs}`, JSON.stringify(env)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
  const looks: Promise<Measured>[] = []
  let errors = ''
  return new Promise((resolve) => {
    const finish = async (fault: string | null) => {
      clearTimeout(timer)
      const measured = await Promise.all(looks)
      running.removeAllListeners('exit')
      running.kill('SIGKILL')
      resolve({ measured, fault })
    }
    const timer = setTimeout(() => void finish(`no end after ${START_MS + capMs} ms\n${errors}`), START_MS + capMs)
    running.stderr?.on('data', (chunk) => {
      errors = `${errors}${chunk}`.slice(-4000)
    })
    running.on('exit', () => void finish(`the process ended early\n${errors}`))
    running.on('message', (message: Message) => {
      if ('fault' in message) void finish(message.fault)
      else if ('isDone' in message) void finish(looks.length === peers.size ? null : errors)
      else looks.push(look(message, peers.get(message.mode)))
    })
  })
}

function environment({ port, url }: BadPeer): Record<string, string> {
  return { PEER_URL: url ?? `http://127.0.0.1:${port}`, PEER_HOST: '127.0.0.1', PEER_PORT: `${port}` }
}

async function look(said: Said, peer: BadPeer | undefined): Promise<Measured> {
  // What is counted is what had been tried when the caller got its answer.
  const attempts = peer?.attempts() ?? null
  if (said.end === 'pending') return { ...said, attempts, cancelsWork: null }
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
  const open = (await peer?.stillOpen()) ?? null
  return { ...said, attempts, cancelsWork: open === null ? null : open === 0 }
}
