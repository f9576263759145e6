import { printable } from '../report/printable.js'
import type { Output } from './system.js'

/** Says on stderr what is being done, once it has taken a second, where that is a terminal. */
export interface Progress {
  readonly say: (what: string) => void
  /** Takes the line away again. */
  readonly done: () => void
}

const QUIET_MS = 1000
const STEP_MS = 100

/** Progress of one command, from now on; `nowMs` is a monotonic clock. */
export function startProgress(output: Output, nowMs: () => number = () => performance.now()): Progress {
  if (!output.isTerminal) return { say: () => {}, done: () => {} }
  let nextAt = nowMs() + QUIET_MS
  let isShown = false
  return {
    say(what) {
      if (nowMs() < nextAt) return
      nextAt = nowMs() + STEP_MS
      isShown = true
      output.write(`\r\u001b[K${printable(what).slice(0, (output.columns ?? 80) - 1)}`)
    },
    done() {
      if (isShown) output.write('\r\u001b[K')
      isShown = false
    },
  }
}
