import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const names = readdirSync(join(root, 'packages/runtime/src/adapters'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3))

/** A folder from which no framework can be reached. */
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandglass-adapters-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const args = [
    '--composite',
    'false',
    '--incremental',
    'false',
    '--declaration',
    'false',
    '--declarationMap',
    'false',
    '--isolatedDeclarations',
    'false',
    '--sourceMap',
    'false',
    '--noCheck',
  ]
  await run(process.execPath, [
    join(root, 'node_modules/ts7/bin/tsc'),
    '-p',
    join(root, 'packages/runtime/tsconfig.json'),
    '--outDir',
    folder,
    '--tsBuildInfoFile',
    'null',
    ...args,
  ]).catch((error: unknown) => {
    throw new Error(String((error as { stdout?: unknown }).stdout), { cause: error })
  })
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(names)('%s can be imported and required where no framework is installed, and says server or client', async (name) => {
  const script = `
    const path = ${JSON.stringify(join(folder, 'adapters', `${name}.js`))}
    const required = require(path)
    import(path).then((imported) => {
      if (imported.server !== required.server || imported.client !== required.client) throw new Error('exists twice')
      console.log(JSON.stringify(Object.keys(imported)))
    })`
  const { stdout } = await run(process.execPath, ['--no-warnings', '-e', script], { cwd: folder })
  const exported = JSON.parse(stdout) as string[]
  expect(exported.filter((one) => one === 'server' || one === 'client').length).toBe(1)
})
