// Writes every generated file of the repository; `--check` writes nothing and fails where a file differs from what would be written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { filesBelow, root } from './workspace.mjs'

/**
 * To register a generator, put a file `tools/generate-<what>.mjs` here that exports
 * `generate(root)`: a record, or a promise of one, from file (relative to the repository) to its whole text.
 * It runs after the build and may import what the packages export.
 */
const generators = filesBelow(`${root}/tools`).filter((name) => /^generate-[a-z0-9-]+\.mjs$/.test(name))
const checkOnly = process.argv.includes('--check')

for (const generator of generators) {
  const { generate } = await import(`./${generator}`)
  /** @type {Record<string, string>} */
  const files = await generate(root)
  for (const [file, text] of Object.entries(files)) {
    const now = existsSync(`${root}/${file}`) ? readFileSync(`${root}/${file}`, 'utf8') : null
    if (now === text) continue
    if (checkOnly) {
      console.error(`${file} differs from what tools/${generator} writes; run "npm run generate"`)
      process.exitCode = 1
    } else {
      mkdirSync(dirname(`${root}/${file}`), { recursive: true })
      writeFileSync(`${root}/${file}`, text)
      console.log(`wrote ${file}`)
    }
  }
}
