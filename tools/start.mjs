// `npm start`: builds what is missing, then checks the example chain as it was before the incident and as it is after the repair.
import { node } from './workspace.mjs'

const built = await node('tools/build.mjs', ['--quiet'], { echo: true })
if (built.code !== 0) process.exit(built.code)

const files = ['examples/avalanche/before.yaml', 'examples/avalanche/after.yaml']
for (const file of files) {
  console.log(`\n$ sandglass check ${file}\n`)
  const { code } = await node('packages/sandglass/bin/sandglass.js', ['check', file, '--format', 'text'], { echo: true })
  if (code > 1) process.exit(code) // 1 is what "before" is for
}
