import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cliUnderTest } from './cli-under-test.js'

/** What a check of a small chain may read: how long a start takes depends on the machine (a step of the checks compares it with an empty Node), what it reads does not. */
const MOST_FILES = 50
const MOST_BYTES = 815_000
const PACKAGES = ['commander', 'fastest-levenshtein', 'js-yaml', 'picocolors']

/** The scripts of ours and of packages that a run has loaded, as V8 tells them. */
function loaded(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }).result)
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => fileURLToPath(url))
}

it('checks a small chain with the code for that alone: no parser of sources, no reader of other configurations', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-start-'))
  const run = await cliUnderTest()
  const text =
    'sandglass: 1\njourneys: { j: { promise: 9s, starts: a.o } }\nservices:\n  a: { operations: { o: { calls: [{ to: b.o, timeout: 1s }] } } }\n  b: { operations: { o: { does: read } } }\n'
  writeFileSync(join(folder, 'sandglass.yaml'), text)
  const coverage = join(folder, 'coverage')
  mkdirSync(coverage)
  const { exit } = await run(['check'], { cwd: folder, env: { NODE_V8_COVERAGE: coverage } })
  const files = loaded(coverage)
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0)
  const texts = files.map((path) => readFileSync(path, 'utf8'))
  rmSync(folder, { recursive: true })
  expect(exit).toBe(0)
  const packages = texts.flatMap((text) => [...text.matchAll(/^\/\/ \S*node_modules\/([^/\n]+)\//gm)].map((found) => found[1]))
  expect(files.filter((path) => /oxc-|tree-sitter/.test(path))).toEqual([])
  expect([...new Set(packages)].sort()).toEqual(PACKAGES)
  expect(files.length).toBeGreaterThan(1)
  expect(files.length).toBeLessThanOrEqual(MOST_FILES)
  expect(bytes).toBeLessThan(MOST_BYTES)
}, 60_000)
