// Checks the types of what the build does not compile: tests, benchmarks, apps and tools.
import { existsSync, readdirSync } from 'node:fs'
import { node, root } from './workspace.mjs'

const packages = readdirSync(`${root}/packages`).map((name) => `packages/${name}/tsconfig.test.json`)
const apps = existsSync(`${root}/apps`)
  ? readdirSync(`${root}/apps`).flatMap((name) => [`apps/${name}/tsconfig.json`, `apps/${name}/tsconfig.test.json`])
  : []
const projects = [...packages, ...apps, 'tools/tsconfig.json'].filter((file) => existsSync(`${root}/${file}`))

const { code } = await node('node_modules/ts7/bin/tsc', ['-b', ...projects], { echo: true })
process.exitCode = code
