import { isUseful } from '../measure/recovery.js'
import type { ArmProgress } from '../run/run-arm.js'
import type { Counters } from '../service/counters.js'

/** The live view of a run: how each service fares, several times a second. */
export interface LiveView {
  show(progress: ArmProgress): void
  /** Replaces the view by one line. */
  done(line: string): void
  /** Gives the terminal back. */
  close(): void
}

const BAR = 28
const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'

/** Draws on a terminal in place; elsewhere it only prints the lines of `done`. */
export function createLiveView(out: NodeJS.WriteStream): LiveView {
  let height = 0
  const before = new Map<string, Counters>()
  let beforeMs = 0
  const clear = (): void => {
    if (height > 0) out.write(`\u001b[${height}A\u001b[J`)
    height = 0
  }
  return {
    show(progress) {
      if (!out.isTTY) return
      const lines = liveLines(progress, before, Math.max(1, progress.elapsedMs - beforeMs)).map((line) =>
        line.slice(0, Math.max(20, out.columns - 1)),
      )
      clear()
      out.write(`${HIDE}${lines.join('\n')}\n`)
      height = lines.length
      // Counters come four times a second: over a whole second they do not jump.
      if (progress.elapsedMs - beforeMs < 1000) return
      beforeMs = progress.elapsedMs
      for (const [name, { counters }] of progress.cluster.services) before.set(name, counters)
    },
    done(line) {
      clear()
      before.clear()
      beforeMs = 0
      out.write(`${line}\n`)
    },
    close() {
      clear()
      if (out.isTTY) out.write(SHOW)
    },
  }
}

/** What is shown, line by line: the arm and the time, the client, then a line for each service. */
export function liveLines(
  { arm, times, elapsedMs, requests, cluster, faults }: ArmProgress,
  before: ReadonlyMap<string, Counters>,
  sinceMs: number,
): string[] {
  const share = Math.min(1, Math.max(0, elapsedMs / times.durationMs))
  const bar = `${'#'.repeat(Math.round(share * BAR))}${'.'.repeat(BAR - Math.round(share * BAR))}`
  const recent = requests.filter(({ intendedMs, latencyMs }) => intendedMs + latencyMs > elapsedMs - 1000)
  const useful = recent.filter((one) => isUseful(one, times.promiseMs))
  const degraded = useful.filter(({ end }) => end === 'degraded').length
  const wrong = faults.active.map(({ text }) => text).join('; ')
  const head = [
    'service'.padEnd(16),
    'in flight'.padStart(10),
    'waiting'.padStart(9),
    'received/s'.padStart(12),
    'good/s'.padStart(9),
    'retries/s'.padStart(11),
    'orphaned'.padStart(10),
  ].join('')
  return [
    `${arm.name.padEnd(10)} ${bar} ${(Math.max(0, elapsedMs) / 1000).toFixed(1)} of ${times.durationMs / 1000} s   ${wrong === '' ? '' : `FAULT ${wrong}`}`,
    `client     ${useful.length - degraded} full, ${degraded} degraded, ${recent.length - useful.length} not useful in the last second`,
    head,
    ...[...cluster.services].map(([name, { counters, ended }]) => serviceLine(name, counters, before.get(name), sinceMs, ended)),
  ]
}

function serviceLine(name: string, now: Counters, before: Counters | undefined, sinceMs: number, ended: string | undefined): string {
  if (ended !== undefined) return `${name.padEnd(16)}  ended (${ended})`
  const rate = (of: (counters: Counters) => number): string =>
    before === undefined ? '-' : String(Math.max(0, Math.round(((of(now) - of(before)) * 1000) / sinceMs)))
  const orphaned = now.busyMs === 0 ? 0 : now.orphanedMs / now.busyMs
  return [
    name.padEnd(16),
    String(now.inFlight).padStart(10),
    String(now.queued).padStart(9),
    rate(({ arrivals }) => arrivals).padStart(12),
    rate(({ good }) => good).padStart(9),
    rate(({ retries }) => retries).padStart(11),
    `${(orphaned * 100).toFixed(1)} %`.padStart(10),
  ].join('')
}
