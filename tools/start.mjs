// `npm start`: builds what is missing, then checks the example chain as it was before the incident and as it is after the repair.
import { existsSync } from 'node:fs'
import { node, root } from './workspace.mjs'

const built = await node('tools/build.mjs', ['--quiet'], { echo: true })
if (built.code !== 0) process.exit(built.code)

for (const state of ['before', 'after']) {
  const chain = ['sandglass.yaml', `${state}.yaml`]
    .map((name) => `examples/avalanche/${state}/${name}`)
    .find((file) => existsSync(`${root}/${file}`))
  if (!chain) {
    console.error(`examples/avalanche/${state} is not there`)
    process.exit(2)
  }
  console.log(`\n$ sandglass check ${chain}\n`)
  await node('packages/sandglass/bin/sandglass.js', ['check', chain, '--format', 'text'], { echo: true }) // exit 1 is what "before" is for
}
