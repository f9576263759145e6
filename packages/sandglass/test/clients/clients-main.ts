import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allCases } from './all-cases.js'
import type { ClientCase } from './client-case.js'
import { type InstalledPackage, installClients, packagesOf, placeCode } from './installed-clients.js'
import { judge, range } from './judge.js'
import { type MeasuredCase, measure } from './measure.js'
import { type PeerMode, type Peers, peersOf } from './peers.js'

const CAP_MS = 1500
/** Beyond the limit, where a limit of minutes is measured. */
const LONG_EXTRA_MS = 5000
/** Each is a process that imports a library; most of its time it waits. */
const AT_ONCE = 8

/** Where the sources and the installed packages are. */
export interface Places {
  readonly here: string
  readonly home: string
}

/** Measures the chosen cases and prints where they differ from what is written; returns the exit code. */
export async function main(args: readonly string[], { here, home }: Places): Promise<number> {
  const isLong = args.includes('--long')
  // Any of the names, of which each part must be there: `--only 'pg: ,got timeout'`.
  const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',').map((name) => name.split(' ')) : [[]]
  const startedAt = performance.now()
  if (installClients(here, home)) console.log(`npm ci of the client libraries: ${seconds(startedAt)} s`)
  const installed = packagesOf(readFileSync(join(here, 'package.json'), 'utf8'))
  const chosen = allCases
    .filter(({ name }) => only.some((words) => words.every((word) => name.includes(word))))
    .filter((one) => !args.includes('--quick') || one.isQuick)
    .filter((one) => !isLong || longestMs(one) > capOf(one))
  rmSync(join(home, 'runs'), { recursive: true, force: true })

  const peers = peersOf(home)
  const there = await possible(chosen, peers)
  const runs = there.map((one) => ({ one, capMs: isLong ? longestMs(one) + LONG_EXTRA_MS : capOf(one) }))
  const first = await inTurn(runs, isLong ? runs.length : AT_ONCE, (each) => run(each, { home, installed, peers }))
  // A busy machine is no reason to fail, and a limit that is not there does not come back.
  if (args.includes('--print'))
    for (const each of first) for (const problem of each.problems) console.log(`first run: ${each.one.name}: ${problem}`)
  const again = await inTurn(
    first.filter(({ problems }) => problems.length > 0 && !isLong),
    2,
    (each) => run(each, { home, installed, peers }),
  )
  const results = first.map((each) => again.find(({ one }) => one === each.one) ?? each)

  for (const result of results) report(result, args.includes('--print'))
  const failed = results.filter(({ problems }) => problems.length > 0).length
  console.log(
    `\n${results.length} client cases in ${seconds(startedAt)} s on Node ${process.versions.node}; ${again.length} needed a second run`,
  )
  console.log(`${results.length - failed} passed, ${failed} failed`)
  return failed === 0 && results.length > 0 ? 0 : 1
}

interface Run {
  readonly one: ClientCase
  readonly capMs: number
}

interface Setting {
  readonly home: string
  readonly installed: readonly InstalledPackage[]
  readonly peers: Peers
}

interface Result extends Run, MeasuredCase {
  readonly problems: readonly string[]
}

async function run({ one, capMs }: Run, { home, installed, peers }: Setting): Promise<Result> {
  const packages = one.packages.map((wanted) => {
    const found = installed.find(({ name, version }) => `${name}@${version}` === wanted)
    if (found === undefined) throw new Error(`${one.name}: package.json beside the cases has no ${wanted}`)
    return found
  })
  const file = placeCode(home, one.name.replace(/\W+/g, '-'), one.code, packages)
  const result = await measure(one, pathToFileURL(file).href, capMs, peers)
  const problems = result.fault === null ? judge(one, result.measured, capMs) : [result.fault]
  return { one, capMs, ...result, problems }
}

function report({ one, measured, problems }: Result, isPrinting: boolean) {
  if (problems.length > 0) console.log(`FAILED ${one.name}\n${problems.map((line) => `  ${line}\n`).join('')}`)
  if (!isPrinting) return
  if (problems.length === 0) console.log(`ok     ${one.name}`)
  for (const { mode, end, ms, attempts, cancelsWork, words, latestMs } of measured)
    console.log(
      `    ${mode}: ${end} ${ms.toFixed(0)} ms, attempts ${attempts}, cancels ${cancelsWork}, late ${latestMs.toFixed(0)}; ${words}`,
    )
}

/** The cases whose peers can be had here; says aloud what cannot be measured. */
async function possible(cases: readonly ClientCase[], peers: Peers): Promise<ClientCase[]> {
  const modes = [...new Set(cases.flatMap(({ seen }) => Object.keys(seen) as PeerMode[]))]
  const missing = new Map(await Promise.all(modes.map(async (mode) => [mode, await peers.missing(mode)] as const)))
  const lacks = ({ seen }: ClientCase) =>
    Object.keys(seen)
      .map((mode) => missing.get(mode as PeerMode))
      .find((each) => each !== null)
  const left = cases.filter((one) => lacks(one) !== undefined)
  for (const one of left) console.log(`NOT MEASURED ${one.name}: there is no ${lacks(one)}`)
  return cases.filter((one) => !left.includes(one))
}

const capOf = ({ capMs }: ClientCase) => capMs ?? CAP_MS

/** The longest that a case says anything takes; 0 where nothing ends. */
function longestMs({ seen }: ClientCase): number {
  return Math.max(0, ...Object.values(seen).map(({ ends }) => (ends === 'never' ? 0 : range(ends)[1])))
}

async function inTurn<From, To>(list: readonly From[], atOnce: number, work: (one: From) => Promise<To>): Promise<To[]> {
  const results: To[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at]!)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

const seconds = (sinceMs: number) => ((performance.now() - sinceMs) / 1000).toFixed(0)
