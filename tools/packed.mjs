// What a user gets: packs both packages, looks at the tarballs, installs them into an empty folder, and uses every entry there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow, node, root, run } from './workspace.mjs'

/** Without them the CLI cannot read Go, Java and Python. */
const parserFiles = [
  'web-tree-sitter.js',
  'web-tree-sitter.wasm',
  'tree-sitter-go.wasm',
  'tree-sitter-java.wasm',
  'tree-sitter-python.wasm',
].map((file) => `dist/tree-sitter/${file}`)

/** @typedef {{ name: string, version: string, filename: string, size: number, files: { path: string }[] }} Tarball */

const folder = mkdtempSync(join(tmpdir(), 'sandglass-packed-'))
const consumer = join(folder, 'consumer')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
let failed = false

function fail(/** @type {string} */ text) {
  failed = true
  console.error(text)
}

async function step(/** @type {string} */ name, /** @type {Promise<{ code: number, output: string }>} */ running) {
  const { code, output } = await running
  if (code !== 0) fail(`${name}:\n${output.trimEnd()}`)
  return { ok: code === 0, output: output.trim() }
}

/** @returns {Promise<Tarball[]>} */
async function pack() {
  const { ok, output } = await step(
    'npm pack',
    run(npm, [
      'pack',
      '--workspace=packages/runtime',
      '--workspace=packages/sandglass',
      '--json',
      '--loglevel=error',
      `--pack-destination=${folder}`,
    ]),
  )
  return ok ? JSON.parse(output.slice(output.indexOf('['))) : []
}

async function look(/** @type {Tarball} */ { name, filename, files }) {
  const paths = files.map(({ path }) => path)
  const needed = [
    'LICENSE',
    'README.md',
    ...(name === 'sandglass' ? ['dist/third-party-notices.txt', 'schema/chain.schema.json', ...parserFiles] : []),
  ]
  for (const file of needed) if (!paths.includes(file)) fail(`${name}: the tarball has no ${file}`)
  for (const path of paths)
    if (/\.test\.|tsbuildinfo|(^|\/)(test|bench)\//.test(path)) fail(`${name}: ${path} has no business in the tarball`)
  await step(`publint ${name}`, node('node_modules/publint/src/cli.js', ['run', '--strict', join(folder, filename)]))
  await step(
    `attw ${name}`,
    node('node_modules/@arethetypeswrong/cli/dist/index.js', [
      join(folder, filename),
      '--profile',
      'esm-only',
      '--no-definitely-typed',
      '--format',
      'ascii',
      '--no-color',
      '--no-emoji',
    ]),
  )
}

/** The names a user may import from an installed package, patterns resolved to what is there. */
function entriesOf(/** @type {string} */ name) {
  const installed = join(consumer, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const code = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object')
  return code.flatMap(([entry, target]) => {
    if (!entry.includes('*')) return [name + entry.slice(1)]
    const [before, after] = target.default.slice(2).split('*')
    const files = filesBelow(installed).filter((file) => file.startsWith(before) && file.endsWith(after))
    return files.map((file) => name + entry.slice(1).replace('*', file.slice(before.length, -after.length)))
  })
}

async function install(/** @type {readonly Tarball[]} */ tarballs) {
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  return step(
    'npm install of both tarballs',
    run(npm, [...args, ...tarballs.map(({ filename }) => join(folder, filename))], { cwd: consumer }),
  )
}

async function useEntries(/** @type {readonly string[]} */ entries) {
  const script = `
    import { createRequire } from 'node:module'
    const require = createRequire(import.meta.url)
    for (const entry of ${JSON.stringify(entries)}) {
      const imported = await import(entry)
      if (Object.keys(imported).length === 0) console.log(entry + ' exports nothing at run time')
      if (require(entry) !== imported) throw new Error(entry + ' exists twice, once for import and once for require')
    }
    process.stdout.write('')`
  writeFileSync(join(consumer, 'use.mjs'), script)
  const { output } = await step('import and require of every entry', run(process.execPath, ['use.mjs'], { cwd: consumer }))
  if (output && !failed) console.log(output)
}

/** Every entry's declarations, with the libraries checked too: they must not need a package the user does not have. */
async function checkTypes(/** @type {readonly string[]} */ entries) {
  const lines = entries.map((entry, i) => `export * as e${i} from '${entry}'`)
  writeFileSync(join(consumer, 'use.ts'), `${lines.join('\n')}\n`)
  const options = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
  }
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['use.ts'] }))
  mkdirSync(join(consumer, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(consumer, 'node_modules/@types/node'))
  await step('types of every entry', node('node_modules/ts7/bin/tsc', ['-p', consumer]))
}

async function runBin(/** @type {string} */ version) {
  const bin = join(consumer, 'node_modules/sandglass/bin/sandglass.js')
  const { ok, output } = await step('sandglass --version', run(process.execPath, [bin, '--version'], { cwd: consumer }))
  if (ok && !output.includes(version)) fail(`sandglass --version says "${output}" and not ${version}`)
}

function checkDependencies() {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(consumer, 'node_modules/@sandglass/runtime/package.json'), 'utf8'),
  )
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  if (names.length > 0) fail(`@sandglass/runtime depends on ${names.join(', ')}; it must depend on nothing`)
}

try {
  for (const name of ['runtime', 'sandglass']) {
    const same = readFileSync(join(root, 'packages', name, 'LICENSE'), 'utf8') === readFileSync(join(root, 'LICENSE'), 'utf8')
    if (!same) fail(`packages/${name}/LICENSE is not the LICENSE of the repository`)
  }
  const tarballs = await pack()
  await Promise.all(tarballs.map(look))
  if (tarballs.length > 0 && (await install(tarballs)).ok) {
    checkDependencies()
    const entries = tarballs.flatMap(({ name }) => entriesOf(name))
    await useEntries(entries)
    await checkTypes(entries)
    await runBin(tarballs.find(({ name }) => name === 'sandglass')?.version ?? '?')
    for (const { filename, size } of tarballs) console.log(`${filename} ${(size / 1000).toFixed(0)} kB`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
