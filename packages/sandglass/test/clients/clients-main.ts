import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allCases } from './all-cases.js'
import { serverCases } from './cases/server-cases.js'
import type { ClientCase } from './client-case.js'
import { clientsPage, PAGE } from './clients-page.js'
import { installClients, packagesOf, placeCode } from './installed-clients.js'
import { type Peers, peersOf } from './peers.js'
import { capOf, clientTrial, longTrial, serverTrial, type Trial, type Tried } from './trials.js'

/** How many run at once: each is a process that imports a library and then mostly waits. What failed on a busy machine is run again with less company. */
const TRIES_AT_ONCE = [8, 2, 1, 1, 1]
/** Timers later than this say that the machine was busy, not what a library does. */
const PUNCTUAL_MS = 50

/** In a run whose calls take a minute or more; they are started one after the other, so that importing does not make them late. */
const PATIENT_AT_ONCE = 60
const APART_MS = 1000

/** Where the sources, the installed packages and the repository are. */
export interface Places {
  readonly here: string
  readonly home: string
  readonly root: string
}

/** Measures the chosen cases and prints where they differ from what is written; returns the exit code. */
export async function main(args: readonly string[], { here, home, root }: Places): Promise<number> {
  if (args.includes('--page')) {
    writeFileSync(join(root, PAGE), clientsPage(allCases, serverCases))
    return 0
  }
  const startedAt = performance.now()
  if (installClients(here, home)) console.log(`npm ci of the client libraries: ${seconds(startedAt)} s`)
  const peers = peersOf(home)
  const trials = await possible(chosen(args, peers), peers)
  const runs = join(home, 'runs', `${process.pid}`)
  const runOne = (trial: Trial) => trial.run(placed(trial, { here, home, runs }))

  const results = new Map<Trial, Tried>()
  let left = trials
  let again = 0
  const isPatient = args.includes('--long') || args.includes('--watch')
  for (const atOnce of isPatient ? [PATIENT_AT_ONCE] : TRIES_AT_ONCE) {
    if (results.size > 0) {
      again += left.length
      if (left.length > 0) await quiet()
    }
    await inTurn(left, { atOnce, apartMs: isPatient ? APART_MS : 0 }, async (trial) => void results.set(trial, await runOne(trial)))
    left = trials.filter((trial) => results.get(trial)?.problems.length !== 0)
    if (args.includes('--print')) for (const trial of left) console.log(`differs: ${trial.name}\n${indented(results.get(trial)?.problems)}`)
  }

  rmSync(runs, { recursive: true, force: true })
  for (const [trial, tried] of results) report(trial, tried, args.includes('--print'))
  const differ = left.filter((trial) => isTold(results.get(trial)))
  const untold = left.length - differ.length
  console.log(
    `\n${trials.length - left.length} of ${trials.length} cases are as written${untold === 0 ? '' : `, ${untold} could not be told`}; ${seconds(startedAt)} s on Node ${process.versions.node}, ${again} runs repeated`,
  )
  return differ.length === 0 && trials.length > 0 ? 0 : 1
}

const isTold = (tried: Tried | undefined) => tried !== undefined && tried.latestMs <= PUNCTUAL_MS

function chosen(args: readonly string[], peers: Peers): Trial[] {
  const isLong = args.includes('--long')
  // Any of the names, of which each part must be there: `--only 'pg: ,got timeout'`.
  const only = (option(args, 'only') ?? '').split(',').map((name) => name.split(' '))
  const isForThis = ({ nodeMajor }: ClientCase) => nodeMajor === undefined || process.versions.node.startsWith(`${nodeMajor}.`)
  const watchMs = 1000 * Number(option(args, 'watch') ?? 0)
  // Only what is said to have no limit is worth watching for long.
  const isWatched = ({ expected }: ClientCase) => watchMs === 0 || expected.state === 'unbounded'
  const clients = allCases
    .filter((one) => isForThis(one) && isWatched(one))
    .flatMap((one) => {
      if (!isLong) return [clientTrial(one, peers, Math.max(watchMs, capOf(one)))]
      const trial = longTrial(one, peers)
      return trial === null ? [] : [trial]
    })
  return [...clients, ...(isLong || watchMs > 0 ? [] : serverCases.map(serverTrial))]
    .filter(({ name }) => only.some((words) => words.every((word) => name.includes(word))))
    .filter(({ isQuick }) => isQuick || !args.includes('--quick'))
}

function option(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? undefined : args[at + 1]
}

function placed(
  { name, code, packages }: Trial,
  { here, home, runs }: { readonly here: string; readonly home: string; readonly runs: string },
): string {
  const installed = packagesOf(readFileSync(join(here, 'package.json'), 'utf8'))
  const wanted = packages.map((each) => {
    const found = installed.find((one) => `${one.name}@${one.version}` === each)
    if (found === undefined) throw new Error(`${name}: package.json beside the cases has no ${each}`)
    return found
  })
  return placeCode({ home, runs }, name.replace(/\W+/g, '-'), code, wanted)
}

/** The trials whose peers can be had here; says aloud what cannot be measured. */
async function possible(trials: readonly Trial[], peers: Peers): Promise<Trial[]> {
  const modes = [...new Set(trials.flatMap((trial) => trial.modes))]
  const missing = new Map(await Promise.all(modes.map(async (mode) => [mode, await peers.missing(mode)] as const)))
  return trials.filter(({ name, modes }) => {
    const lacking = modes.map((mode) => missing.get(mode) ?? null).find((each) => each !== null)
    if (lacking !== undefined) console.log(`NOT MEASURED ${name}: there is no ${lacking}`)
    return lacking === undefined
  })
}

function report({ name }: Trial, tried: Tried, isPrinting: boolean) {
  const { problems, lines, latestMs } = tried
  const word = isTold(tried) ? 'FAILED' : `NOT TOLD, timers were ${latestMs.toFixed(0)} ms late:`
  if (problems.length > 0) console.log(`${word} ${name}\n${indented(problems)}`)
  else if (isPrinting) console.log(`ok     ${name}`)
  if (isPrinting) console.log(indented(lines))
}

const indented = (lines: readonly string[] = []) => lines.map((line) => `    ${line}`).join('\n')

async function inTurn<From>(
  list: readonly From[],
  { atOnce, apartMs }: { readonly atOnce: number; readonly apartMs: number },
  work: (one: From) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async (_: unknown, index: number) => {
    await new Promise((resolve) => setTimeout(resolve, index * apartMs))
    for (let at = next++; at < list.length; at = next++) await work(list[at]!)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Waits until timers are on time again, at most a minute: what is measured on a machine that is busy with other things says nothing. */
async function quiet(): Promise<void> {
  for (let triesLeft = 60; triesLeft > 0; triesLeft--) {
    let latestMs = 0
    for (let look = 0; look < 20; look++) {
      const startedAt = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 50))
      latestMs = Math.max(latestMs, performance.now() - startedAt - 50)
    }
    if (latestMs < 20) return
  }
}

const seconds = (sinceMs: number) => ((performance.now() - sinceMs) / 1000).toFixed(0)
