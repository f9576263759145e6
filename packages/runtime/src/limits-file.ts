import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs'
import { arm, disarm, now } from './clock.js'
import { ConfigError } from './errors.js'
import { type LimitsView, readLimits } from './limits-view.js'
import { publish } from './observe.js'

/** A watched file of limits; give it to calls and servers as `limits`. */
export interface LimitsFile {
  readonly path: string
  /** What is in force. */
  readonly current: LimitsView
  /**
   * Takes part in every change: `prepare` throws to refuse it, or returns what puts it in force. A change is in force everywhere or nowhere.
   * It is called once at once, and what it throws then is thrown on.
   */
  register(prepare: (next: LimitsView) => () => void): void
  /** Reads the file now instead of when it is next looked at: true when what it says is in force. */
  reload(): boolean
  /** Stops watching. */
  close(): void
}

/** How a limits file is watched. */
export interface LimitsFileOptions {
  /** How often the file is looked at (ms, whole, at least 10); default 1000. */
  readonly pollMs?: number
  /** Told the one line that says why a change was refused; default a process warning. */
  readonly onRefused?: (line: string) => void
}

/** Nothing larger is read. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Reads the file `sandglass compile --service <name>` wrote and watches it; it does not keep the process alive. A change takes effect for calls made after it;
 * a change that makes no sense is refused as a whole with one line, and the old limits stay.
 * Throws `ConfigError` when the file cannot be read the first time.
 */
export function limitsFile(path: string, { pollMs = 1000, onRefused = warn }: LimitsFileOptions = {}): LimitsFile {
  if (!(pollMs >= 10)) throw new ConfigError(`limitsFile: pollMs must be 10 ms or more, not ${pollMs}`)
  const participants: ((next: LimitsView) => () => void)[] = []
  let text = textOf(path)
  let current = viewOf(path, text)

  function reload(): boolean {
    try {
      const nextText = textOf(path)
      if (nextText === text) return true
      const next = viewOf(path, nextText)
      const commits = participants.map((prepare) => prepareFor(path, prepare, next))
      text = nextText
      current = next
      for (const commit of commits) commit()
      publish({ kind: 'limits', path, accepted: true, message: `${path}: new limits for ${next.service} are in force` })
      return true
    } catch (error) {
      const line = (error as Error).message.replaceAll(/\s+/g, ' ')
      publish({ kind: 'limits', path, accepted: false, message: line })
      onRefused(`${line}; the limits before it stay in force`)
      return false
    }
  }

  const listener = (): void => void reload()
  watchFile(path, { persistent: false, interval: pollMs }, listener)
  // The watcher takes its first look a little later: a change between our reading and that look would go unseen.
  const secondLook = arm(now() + pollMs, { onDue: listener })
  return {
    path,
    get current() {
      return current
    },
    register(prepare) {
      prepareFor(path, prepare, current)()
      participants.push(prepare)
    },
    reload,
    close() {
      disarm(secondLook)
      unwatchFile(path, listener)
    },
  }
}

function prepareFor(path: string, prepare: (next: LimitsView) => () => void, next: LimitsView): () => void {
  try {
    return prepare(next)
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message}`)
  }
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > MOST_BYTES) throw new Error(`it has ${size} bytes, more than ${MOST_BYTES}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${path}: cannot be read: ${(error as Error).message}`)
  }
}

function viewOf(path: string, text: string): LimitsView {
  try {
    return readLimits(text)
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message}`)
  }
}

function warn(line: string): void {
  process.emitWarning(line, 'SandglassLimits')
}
