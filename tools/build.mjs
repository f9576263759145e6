// Builds both packages: declarations and the runtime by tsc, the CLI and its library by esbuild.
// What is up to date is skipped. `--force` builds all; `--quiet` says nothing when all went well.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { noticesOf } from './notices.mjs'
import { filesBelow, node, root } from './workspace.mjs'

const force = process.argv.includes('--force')
const quiet = process.argv.includes('--quiet')
const sandglass = `${root}/packages/sandglass`
const say = (/** @type {string} */ text) => quiet || console.log(text)

/**
 * The library must run where there is no Node (a browser worker), so a `node:` import in it is an error of the build.
 * Of the CLI only CommonJS dependencies still call `require`; the banner gives it to them.
 * @type {{ out: string, entry: string, name: string, options: { external: string[], banner?: { js: string } } }[]}
 */
/** commander loads it for subcommands that are programs of their own, which there are none of here: 3 ms at every start. */
const withoutChildProcess = {
  name: 'without-child-process',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'lazy' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({
      contents: "exports.spawn = (...args) => process.getBuiltinModule('node:child_process').spawn(...args)",
      loader: 'js',
    }))
  },
}

const bundles = [
  { name: 'library', entry: 'src/index.ts', out: 'index', options: { external: [] } },
  { name: 'eslint', entry: 'src/eslint/plugin.ts', out: 'eslint', options: { external: ['node:*'] } },
  {
    name: 'cli',
    entry: 'src/cli/main.ts',
    out: 'cli',
    options: {
      external: ['node:*', 'oxc-parser', 'oxc-resolver'],
      plugins: [withoutChildProcess],
      // A command reads only its own part: with scan and import in one file every start took 20 ms more. Names stay, for what exit code 3 prints.
      minifyWhitespace: true,
      minifySyntax: true,
      banner: { js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);" },
    },
  },
]

/** The parser of Go, Java and Python and its grammars: loaded by the CLI from files of their own, and only when there is such a file to read. */
const parserFiles = [
  'web-tree-sitter/web-tree-sitter.js',
  'web-tree-sitter/web-tree-sitter.wasm',
  ...['go', 'java', 'python'].map((language) => `tree-sitter-${language}/tree-sitter-${language}.wasm`),
]

function copyParser() {
  mkdirSync(`${sandglass}/dist/tree-sitter`, { recursive: true })
  for (const file of parserFiles) {
    const target = `${sandglass}/dist/tree-sitter/${file.replace(/^.*\//, '')}`
    const bytes = readFileSync(`${root}/node_modules/${file}`)
    // The map it names is not published.
    const published = file.endsWith('.js') ? Buffer.from(String(bytes).replace(/^\/\/# sourceMappingURL=.*$/m, '')) : bytes
    if (!existsSync(target) || !readFileSync(target).equals(published)) writeFileSync(target, published)
  }
}

/** Two builds at once (two terminals, a test beside a build) would read each other's half-written files. */
async function locked(/** @type {() => Promise<boolean>} */ work) {
  const lock = `${root}/.cache/build.lock`
  mkdirSync(`${root}/.cache`, { recursive: true })
  for (let waitedMs = 0; ; waitedMs += 100) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch {
      if (waitedMs > 120_000 || !isHeld(lock)) rmSync(lock, { force: true })
      await sleep(100)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function isHeld(/** @type {string} */ lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function compile() {
  const startedAt = performance.now()
  removeOrphans('packages/runtime/dist', 'packages/runtime/src')
  removeOrphans('packages/sandglass/dist/types', 'packages/sandglass/src')
  const { code, output } = await node('node_modules/ts7/bin/tsc', ['-b', ...(force ? ['--force'] : [])])
  if (code !== 0) console.error(output.trimEnd() || `tsc ended with code ${code}`)
  say(`tsc      ${Math.round(performance.now() - startedAt)} ms${code === 0 ? '' : ', with errors'}`)
  return code === 0
}

/** tsc leaves the output of a source that was renamed or removed; it would be published. */
function removeOrphans(/** @type {string} */ outDir, /** @type {string} */ srcDir) {
  for (const file of filesBelow(`${root}/${outDir}`)) {
    const stem = file.replace(/\.(d\.ts|js)(\.map)?$/, '')
    if (stem !== file && !existsSync(`${root}/${srcDir}/${stem}.ts`)) rmSync(`${root}/${outDir}/${file}`)
  }
}

/** What the last bundle was made of, and what it became. */
const stampFile = (/** @type {string} */ out) => `${root}/.cache/bundle-${out}.json`

const version = (/** @type {string} */ file) => {
  const stat = statSync(`${root}/${file}`, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs}/${stat.size}` : 'missing'
}

function isUpToDate(/** @type {string} */ out) {
  if (force || !existsSync(stampFile(out))) return false
  const stamp = JSON.parse(readFileSync(stampFile(out), 'utf8'))
  return Object.entries(stamp).every(([file, seen]) => version(file) === seen)
}

async function bundle(/** @type {(typeof bundles)[number]} */ { name, entry, out, options }) {
  if (!existsSync(`${sandglass}/${entry}`)) {
    say(`${name.padEnd(8)} skipped: there is no packages/sandglass/${entry}`)
    return true
  }
  if (isUpToDate(out)) {
    say(`${name.padEnd(8)} up to date`)
    return true
  }
  const startedAt = performance.now()
  const esbuild = await import('esbuild')
  try {
    const { metafile, outputFiles } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [{ in: `packages/sandglass/${entry}`, out }],
      outdir: 'packages/sandglass/dist',
      chunkNames: `${out}-chunks/[name]-[hash]`,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'node20.19',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'warning',
      metafile: true,
      write: false,
      ...options,
    })
    rmSync(`${sandglass}/dist/${out}-chunks`, { recursive: true, force: true })
    for (const file of outputFiles) {
      mkdirSync(file.path.replace(/[^/\\]+$/, ''), { recursive: true })
      writeFileSync(file.path, file.contents)
    }
    const files = ['tools/build.mjs', 'package-lock.json', ...Object.keys(metafile.inputs), ...Object.keys(metafile.outputs)]
    writeFileSync(stampFile(out), JSON.stringify(Object.fromEntries(files.map((file) => [file, version(file)]))))
    writeFileSync(`${root}/.cache/bundle-${out}.meta.json`, JSON.stringify(metafile))
    say(`${name.padEnd(8)} ${Math.round(performance.now() - startedAt)} ms`)
    return true
  } catch (error) {
    if (!(error instanceof Error) || !('errors' in error)) throw error
    return false // esbuild has printed them
  }
}

const ok = await locked(async () => {
  copyParser()
  const compiled = await compile()
  const results = [compiled]
  for (const each of bundles) results.push(await bundle(each)) // also after a type error: one half-written file must not stop the others
  if (results.every(Boolean))
    writeFileSync(
      `${sandglass}/dist/third-party-notices.txt`,
      noticesOf(
        bundles.map(({ out }) => out),
        parserFiles.map((file) => `node_modules/${file}`),
      ),
    )
  return results.every(Boolean)
})
process.exitCode = ok ? 0 : 1
