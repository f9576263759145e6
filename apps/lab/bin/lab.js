#!/usr/bin/env node
// Builds what is not built yet, then runs the lab.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const steps = [
  [`${root}tools/build.mjs`, '--quiet'],
  [`${root}node_modules/ts7/bin/tsc`, '-b', `${root}apps/lab/tsconfig.json`],
]
for (const step of steps) {
  if (!existsSync(step[0] ?? '')) continue
  const { status } = spawnSync(process.execPath, step, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}
await import('../dist/main.js')
