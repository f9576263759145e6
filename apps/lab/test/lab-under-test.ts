import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Builds the lab, as `npm run lab` does; quick when nothing changed. */
export function buildLab(): void {
  execFileSync(process.execPath, [`${root}node_modules/ts7/bin/tsc`, '-b', `${folder}tsconfig.json`], { stdio: 'inherit' })
}

/** Where a built script of the lab is. */
export function builtScript(path: string): string {
  return `${folder}dist/${path}`
}

/** A lab in a process of its own. */
export interface RunningLab {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until a text was printed; rejects when the lab ends before. */
  said(text: string): Promise<void>
  /** Its exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals>
}

/** Starts a lab. */
export function startLab(...args: string[]): RunningLab {
  const child = spawn(process.execPath, [builtScript('main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    async said(text) {
      while (!err.includes(text) && !out.includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the lab ended and never said "${text}": ${err}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async ended() {
      const [code, signal] = await exit
      return code ?? signal ?? 0
    },
  }
}

/** Processes that were started by this one, theirs included. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? textOf(`/proc/${name}/stat`) : ''
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent > 0) parents.set(Number(name), parent)
  }
  const found = new Set([pid])
  for (let before = 0; before !== found.size; ) {
    before = found.size
    for (const [child, parent] of parents) if (found.has(parent)) found.add(child)
  }
  found.delete(pid)
  return [...found]
}

/** A socket that listens: its port alone may be another's as soon as it is closed. */
export interface Listener {
  readonly port: number
  readonly inode: string
}

/** The sockets at which these processes listen. */
export function listenersOf(pids: readonly number[]): Listener[] {
  const inodes = new Set(pids.flatMap(socketsOf))
  return listeners().filter(({ inode }) => inodes.has(inode))
}

function listeners(): Listener[] {
  return textOf('/proc/net/tcp')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => ({ port: Number.parseInt(fields[1]?.split(':')[1] ?? '', 16), inode: fields[9] ?? '' }))
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const link = linkOf(`/proc/${pid}/fd/${fd}`)
      return link.startsWith('socket:[') ? [link.slice(8, -1)] : []
    })
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The command line of a process. */
export function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

/** Whether a process is there and not only waits to be buried. */
export function isRunning(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat !== '' && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
}

/** Waits until none of the processes is there, at most so long; those that still are. */
export async function gone(pids: readonly number[], atMostMs: number): Promise<number[]> {
  const until = Date.now() + atMostMs
  while (pids.some(isRunning) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
  return pids.filter(isRunning)
}

/** Those of some sockets at which somebody still listens, whoever that is. */
export function stillListening(some: readonly Listener[]): Listener[] {
  const there = new Set(listeners().map(({ inode }) => inode))
  return some.filter(({ inode }) => there.has(inode))
}
