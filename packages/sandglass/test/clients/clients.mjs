// `npm run clients -- [--quick] [--long] [--watch <s>] [--only <words>] [--print] [--page]`: runs every client library against peers that
// misbehave, and compares with what the cases say. `--quick` takes the libraries CI has time for, `--long` those whose limit is above the cap
// (defaults of minutes), `--watch` looks that long at every call that is said to have no limit, `--only` takes cases whose name has these words, `--print` shows what was
// measured, `--page` writes docs/clients.md.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const home = file('../../../../.cache/clients')
const outfile = `${home}/clients-main.mjs`
await build({
  entryPoints: [file('clients-main.ts')],
  outfile,
  // The child's code is found beside the sources, not beside the bundle.
  define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  alias: { '@sandglass/runtime/core': file('../../../runtime/src/core/index.ts') },
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
})
const { main } = await import(pathToFileURL(outfile).href)
process.exit(await main(process.argv.slice(2), { here: file('.'), home, root: file('../../../..') }))
