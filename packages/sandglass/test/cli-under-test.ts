import { spawn } from 'node:child_process'
import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** What a process said and how it ended. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
  readonly tookMs: number
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array | string
  /** Stops reading after the first bytes, as `head` does. */
  readonly closeStdoutEarly?: boolean
  /** A device that stdout is written to. */
  readonly stdoutTo?: string
  /** Of V8, in MB: what needs more memory ends badly. */
  readonly heapMb?: number
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What cannot be bundled, because it is compiled for each machine. */
const native = ['oxc-parser', 'oxc-resolver']

function installed(name: string): string {
  const places = ['../node_modules', '../../../node_modules'].map((folder) => file(`${folder}/${name}`))
  return places.find((place) => existsSync(place)) ?? name
}

/** Bundles the CLI as it stands in `src`, as the build does, and gives a way to run it as its own process. */
export async function cliUnderTest(): Promise<(args: readonly string[], options: RunOptions) => Promise<Ran>> {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-cli-'))
  await build({
    entryPoints: [{ in: file('../src/cli/main.ts'), out: 'cli' }],
    outdir: join(folder, 'dist'),
    alias: { '@sandglass/runtime/core': file('../../runtime/src/core/index.ts') },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20.19',
    external: ['node:*', ...native],
    logLevel: 'error',
    banner: { js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);" },
  })
  copyFileSync(file('../package.json'), join(folder, 'package.json'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of native) symlinkSync(installed(name), join(folder, 'node_modules', name), 'junction')
  if (existsSync(file('../dist/tree-sitter'))) symlinkSync(file('../dist/tree-sitter'), join(folder, 'dist/tree-sitter'), 'junction')
  return (args, options) => runNode([join(folder, 'dist/cli.js'), ...args], options)
}

function runNode(
  args: readonly string[],
  { cwd, env = {}, stdin = '', heapMb, stdoutTo, closeStdoutEarly = false }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const flags = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]
    const device = stdoutTo === undefined ? null : openSync(stdoutTo, 'w')
    const child = spawn(process.execPath, [...flags, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['pipe', device ?? 'pipe', 'pipe'],
    })
    if (device !== null) closeSync(device)
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => {
      out.push(chunk)
      if (closeStdoutEarly) child.stdout?.destroy()
    })
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin?.on('error', () => {}) // it may end without having read its input
    child.stdin?.end(stdin)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({
        stdout: String(Buffer.concat(out)),
        stderr: String(Buffer.concat(err)) + (signal ?? ''),
        exit: code ?? 128,
        tookMs: performance.now() - startedAt,
      })
    })
  })
}
