import { readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFault } from '../fault/lab-fault.js'
import type { FaultPlayer } from './play-faults.js'

// A lab that runs can be told to play a fault from another terminal, over a socket in the system's folder for temporary files.

const NAME = /^sandglass-lab-(\d+)\.sock$/

/** The socket of a lab. */
export interface Control {
  /** What plays the faults; null between two arms. */
  player: FaultPlayer | null
  close(): void
}

/** Opens this process's socket; where that is not possible the lab runs without. */
export function openControl(nowMs: () => number): Control {
  const path = join(tmpdir(), `sandglass-lab-${process.pid}.sock`)
  const control: Control = {
    player: null,
    close() {
      server.close()
      rmSync(path, { force: true })
    },
  }
  const server = createServer((socket) => {
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.once('data', (text: string) => socket.end(`${play(control, text.trim(), nowMs())}\n`))
  })
  server.on('error', () => undefined)
  server.listen(path)
  server.unref()
  return control
}

function play({ player }: Control, text: string, nowMs: number): string {
  const read = readFault(text)
  if (!read.ok) return read.message
  if (player === null) return 'no arm is running at this moment; try again in a second'
  const hasTime = text.includes('@')
  player.play(hasTime ? read.fault : { ...read.fault, atMs: nowMs }, true)
  return `plays ${text}`
}

/** Tells a running lab to play a fault; its answer. Rejects when no lab runs. */
export function tellLab(text: string): Promise<string> {
  const pids = readdirSync(tmpdir())
    .map((name) => Number(NAME.exec(name)?.[1]))
    .filter((pid) => pid > 0)
  const tried = [...pids]
  return tryNext(tried, text)
}

async function tryNext(pids: number[], text: string): Promise<string> {
  const pid = pids.pop()
  if (pid === undefined) throw new Error('no lab is running; start one with: npm run lab')
  const path = join(tmpdir(), `sandglass-lab-${pid}.sock`)
  try {
    return await ask(path, text)
  } catch {
    // Left behind by a lab that was killed.
    rmSync(path, { force: true })
    return tryNext(pids, text)
  }
}

function ask(path: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(`${text}\n`))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (answer += part))
    socket.on('end', () => resolve(answer.trim()))
    socket.on('error', reject)
  })
}
