import { epochNow } from '../clock.js'
import { observe, type SandglassRecord } from '../observe.js'

/** Where lines go, and which. */
export interface JsonLineOptions {
  /** Takes one line, newline included; default standard output. */
  readonly write?: (line: string) => void
  /** Whether a record is worth a line; default all. */
  readonly filter?: (record: SandglassRecord) => boolean
}

/** Writes each record as one line of JSON with `schemaVersion` and `epochAt` (ms since 1970); infinite budgets are null. Returns what ends it. */
export function jsonLineSink({ write = toStandardOutput, filter = () => true }: JsonLineOptions = {}): () => void {
  return observe((record) => {
    if (filter(record)) write(`${JSON.stringify({ schemaVersion: 1, epochAt: epochNow(), ...record })}\n`)
  })
}

function toStandardOutput(line: string): void {
  process.stdout.write(line)
}
