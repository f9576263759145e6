import { createRequire } from 'node:module'

/** A text that keeps the parser busy longer than this is no program. */
const LIMIT_MS = 20_000

/**
 * Parses as this process would, with less room on the stack. Reading the tree is part of it: it is handed over as a text.
 */
const PROBE = `
const { parseSync } = require(process.argv[1])
const below = (frames, work) => (frames > 0 ? below(frames - 1, work) + 0 : work())
let text = ''
process.stdin.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => {
  below(2000, () => parseSync(process.argv[2], text, JSON.parse(process.argv[3])).program.body.length)
})`

/** True where the parser gets through a text: tried in a process of its own, because too deep a nesting ends the process. */
export function survivesParsing(file: string, text: string, options: Readonly<Record<string, string>>): boolean {
  // Loaded here, because nearly no text needs it.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const parser = createRequire(import.meta.url).resolve('oxc-parser')
  const args = ['-e', PROBE, parser, file, JSON.stringify(options)]
  const { status } = spawnSync(process.execPath, args, { input: text, stdio: ['pipe', 'ignore', 'ignore'], timeout: LIMIT_MS })
  return status === 0
}
