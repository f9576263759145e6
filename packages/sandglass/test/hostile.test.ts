import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliUnderTest } from './cli-under-test.js'

/** Inputs that are too large for a golden folder, or that a folder cannot hold: bounded time and memory, one clear line, exit 2. */
describe('hostile input', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-hostile-'))
  let run: Awaited<ReturnType<typeof cliUnderTest>>
  beforeAll(async () => {
    run = await cliUnderTest()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
    return name
  }
  const refused = async (args: readonly string[], stdin?: Uint8Array | string) => {
    const ran = await run(['check', ...args], { cwd: folder, heapMb: 512, ...(stdin === undefined ? {} : { stdin }) })
    expect(ran.stdout).toBe('')
    expect(ran.stderr).not.toMatch(/\n {4}at |Error:/)
    expect(ran.exit).toBe(2)
    expect(ran.tookMs).toBeLessThan(15_000)
    return ran.stderr
  }

  it('of 100 MB is refused by its size, without being read', async () => {
    write('large.yaml', 'sandglass: 1\n')
    truncateSync(join(folder, 'large.yaml'), 100 * 1024 * 1024)
    expect(await refused(['large.yaml'])).toBe('large.yaml: 100 MB; at most 32 MB are read\n')
  })

  it('of 100 MB on standard input is refused as well', async () => {
    expect(await refused(['-'], new Uint8Array(100 * 1024 * 1024).fill(35))).toMatch(/^stdin: \d+ MB; at most 32 MB are read\n$/)
  })

  it('of 30 MB of random bytes names the first bad one', async () => {
    const bytes = new Uint8Array(30 * 1024 * 1024).map((_, i) => 128 + ((i * 7919) % 128))
    expect(await refused([write('random.yaml', bytes)])).toMatch(/^random\.yaml:1:1: not valid UTF-8/)
  })

  it('of brackets nested a million deep is too deep', async () => {
    expect(await refused([write('deep.yaml', `sandglass: 1\nx-a: ${'['.repeat(1_000_000)}`)])).toMatch(
      /^deep\.yaml:2:\d+: not valid YAML: nested too deeply/,
    )
    expect(await refused([write('deep-keys.yaml', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'))])).toMatch(
      /nested too deeply/,
    )
  })

  it('of aliases that expand to a billion nodes is a bomb', async () => {
    const levels = Array.from({ length: 30 }, (_, i) => `x-${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`)
    expect(await refused([write('bomb.yaml', `sandglass: 1\nx-0: &a0 [x, x]\n${levels.join('\n')}\n`)])).toMatch(
      /aliases expand to \d+ nodes/,
    )
  })

  it('of one key a hundred thousand times, or a key of a megabyte, is one line', async () => {
    expect((await refused([write('twice.yaml', `sandglass: 1\n${'a: 1\n'.repeat(100_000)}`)])).length).toBeLessThan(5000)
    expect((await refused([write('wide.yaml', `sandglass: 1\n${'k'.repeat(1_000_000)}: 1\n`)])).length).toBeLessThan(5000)
  })

  it('of ten thousand mistakes prints the first and counts the rest', async () => {
    const lines = (
      await refused([
        write('mistakes.yaml', `sandglass: 1\nservices:\n${Array.from({ length: 10_000 }, (_, i) => `  s${i}: { x: 1 }\n`).join('')}`),
      ])
    ).split('\n')
    expect(lines.length).toBeLessThan(60)
    expect(lines.at(-2)).toMatch(/^… and \d+ more problems$/)
  })

  it('that may not be read, is a device or goes in a circle is one line', async () => {
    symlinkSync('circle.yaml', join(folder, 'circle.yaml'))
    expect(await refused(['circle.yaml'])).toBe('circle.yaml: cannot be read: its links go in a circle\n')
    expect(await refused(['/dev/zero'])).toBe('/dev/zero: this is neither a file nor a folder\n')
    chmodSync(join(folder, write('locked.yaml', 'sandglass: 1\n')), 0o000)
    const ran = await run(['check', 'locked.yaml'], { cwd: folder })
    // Root may read everything.
    if (ran.exit !== 0) expect(ran.stderr).toBe('locked.yaml: cannot be read: permission denied\n')
  })

  it('of files that include each other is read once', async () => {
    write(
      'circle/a.yaml',
      'sandglass: 1\ninclude: b.yaml\nservices: { a: { operations: { o: { does: read, latency: { p50: 1ms, p99: 2ms } } } } }\n',
    )
    write('circle/b.yaml', 'sandglass: 1\ninclude: [a.yaml, "*.yaml"]\n')
    const ran = await run(['check', 'circle/a.yaml', './circle/../circle/a.yaml'], { cwd: folder })
    expect(ran.stderr).toBe('Nothing found in 0 journeys, 0 calls. Nothing was left out.\n')
    expect(ran.exit).toBe(0)
  })

  it('of a thousand includes, each in the last, is read without a deep stack', async () => {
    for (let i = 0; i < 1000; i++) write(`links/${i}.yaml`, `sandglass: 1\n${i < 999 ? `include: ${i + 1}.yaml\n` : ''}`)
    expect((await run(['check', 'links/0.yaml'], { cwd: folder })).exit).toBe(0)
  })

  it('with names that would move the cursor shows none of them', async () => {
    const text = 'sandglass: 1\nservices: { a: { operations: { o: { calls: [{ to: "b.\\e[2Jo" }] } } } }\n'
    const ran = await run(['check', write('escape.yaml', text), '--format', 'text'], { cwd: folder })
    expect(ran.stdout + ran.stderr).not.toContain('\u001b')
    expect(ran.exit).toBeLessThan(2)
  })

  it('as a named pipe is read like a file', async () => {
    const pipe = join(folder, 'pipe.yaml')
    execFileSync('mkfifo', [pipe])
    const writer = spawn('sh', ['-c', 'printf "sandglass: 1\\nservices: {}\\n" > "$0"', pipe])
    const ran = await run(['check', 'pipe.yaml'], { cwd: folder })
    writer.kill()
    expect(ran).toMatchObject({ exit: 0, stderr: 'Nothing found in 0 journeys, 0 calls. Nothing was left out.\n' })
  })

  it('of ten thousand services is checked and shown in bounded time', async () => {
    const services = Array.from(
      { length: 10_000 },
      (_, i) =>
        `  s${i}: { operations: { o: { does: read, calls: [${i < 9999 ? `{ to: s${i + 1}.o, timeout: ${20_000 - i}ms }` : ''}] } } }\n`,
    )
    const chain = write('many.yaml', `sandglass: 1\njourneys: { j: { promise: 30s, starts: s0.o } }\nservices:\n${services.join('')}`)
    for (const format of ['table', 'json', 'mermaid', 'dot', 'svg']) {
      const ran = await run(['show', chain, '--format', format], { cwd: folder })
      expect([format, ran.exit]).toEqual([format, 0])
      expect(ran.tookMs).toBeLessThan(20_000)
    }
  }, 120_000)

  it('of a reader that goes away is no error', async () => {
    const chain = write(
      'wide-chain.yaml',
      `sandglass: 1\nservices:\n${Array.from({ length: 5000 }, (_, i) => `  s${i}: { operations: { o: { does: read, calls: [{ to: t.o, timeout: 1s }] } } }\n`).join('')}  t: { operations: { o: { does: read } } }\n`,
    )
    const ran = await run(['show', chain, '--format', 'json'], { cwd: folder })
    expect(ran.stdout.length).toBeGreaterThan(1_000_000)
    const { exit, stderr } = await run(['show', chain, '--format', 'json'], { cwd: folder, closeStdoutEarly: true })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  })

  it.runIf(existsSync('/dev/full'))('says in one line that what it writes cannot be written: exit 2', async () => {
    writeFileSync(join(folder, 'full.ts'), "import axios from 'axios'\naxios.get('http://x')\naxios.get('http://y')\n")
    for (const args of [['--help'], ['explain', 'inverted'], ['scan', 'full.ts'], ['scan', 'full.ts', '--format', 'json']]) {
      const { exit, stderr } = await run(args, { cwd: folder, stdoutTo: '/dev/full' })
      expect(exit).toBe(2)
      expect(stderr.split('\n').filter((line) => !/^$|calls? \(/.test(line))).toEqual([
        'sandglass: standard output cannot be written: the disk is full',
      ])
    }
  })
})
