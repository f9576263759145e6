import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliUnderTest, type Ran } from './cli-under-test.js'

/**
 * Each folder below `golden/` is one run of the command line, readable by anyone: its input files, `command` (environment, arguments,
 * `< file`), and what came of it: `stdout`, `stderr`, `exit` and, below `out/`, the files that were written.
 * `UPDATE_GOLDEN=1 npx vitest run packages/sandglass/test/golden.test.ts` writes what comes of it now; read the difference.
 */
const golden = fileURLToPath(new URL('golden', import.meta.url))
const update = process.env['UPDATE_GOLDEN'] === '1'
const outcomes = new Set(['command', 'stdout', 'stderr', 'exit', 'out'])

interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string | null
}

function commandOf(folder: string): Command {
  const words = [...readFileSync(join(folder, 'command'), 'utf8').matchAll(/'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? '')
  const program = words.indexOf('sandglass')
  const env = Object.fromEntries(words.slice(0, program).map((word) => word.split('=') as [string, string]))
  const rest = words.slice(program + 1)
  const from = rest.indexOf('<')
  return { env, args: from < 0 ? rest : rest.slice(0, from), stdin: from < 0 ? null : (rest[from + 1] ?? null) }
}

/** A copy of the inputs to run in, so that nothing that is written stays. */
function workFolder(folder: string): string {
  const work = mkdtempSync(join(tmpdir(), 'sandglass-golden-'))
  for (const name of readdirSync(folder)) if (!outcomes.has(name)) cpSync(join(folder, name), join(work, name), { recursive: true })
  return work
}

function filesBelow(folder: string, prefix = ''): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name), `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
  )
}

/** Files of the run's folder that were not among the inputs, or changed. */
function writtenFiles(folder: string, work: string): ReadonlyMap<string, string> {
  const now = filesBelow(work).map((name) => [name, readFileSync(join(work, name), 'utf8')] as const)
  return new Map(now.filter(([name, text]) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), 'utf8') !== text))
}

function save(folder: string, { stdout, stderr, exit }: Ran, written: ReadonlyMap<string, string>): void {
  rmSync(join(folder, 'out'), { recursive: true, force: true })
  for (const [name, text] of Object.entries({ stdout, stderr })) {
    if (text === '') rmSync(join(folder, name), { force: true })
    else writeFileSync(join(folder, name), text)
  }
  writeFileSync(join(folder, 'exit'), `${exit}\n`)
  for (const [name, text] of written) {
    mkdirSync(dirname(join(folder, 'out', name)), { recursive: true })
    writeFileSync(join(folder, 'out', name), text)
  }
}

const expected = (folder: string, name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')

describe('the command line', () => {
  let run: Awaited<ReturnType<typeof cliUnderTest>>
  beforeAll(async () => {
    run = await cliUnderTest()
  })

  const cases = readdirSync(golden).map((name) => join(golden, name))
  it.concurrent.each(cases.map((folder) => [basename(folder), folder] as const))('does in %s what its folder shows', async (_, folder) => {
    const { args, env, stdin } = commandOf(folder)
    const work = workFolder(folder)
    const ran = await run(args, { cwd: work, env, stdin: stdin === null ? '' : readFileSync(join(work, stdin)) })
    const written = writtenFiles(folder, work)
    rmSync(work, { recursive: true })
    if (update) save(folder, ran, written)
    expect(ran.stdout).toBe(expected(folder, 'stdout'))
    expect(ran.stderr).toBe(expected(folder, 'stderr'))
    expect(`${ran.exit}\n`).toBe(expected(folder, 'exit'))
    const outs = filesBelow(join(folder, 'out')).map((name) => [name, expected(folder, `out/${name}`)] as const)
    expect(new Map(written)).toEqual(new Map(outs))
  })
})
