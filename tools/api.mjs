// The public names of every entry, as reports that a review can read. `--update` writes them; without it a difference is an error.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { filesBelow, root } from './workspace.mjs'

const update = process.argv.includes('--update')
const scratch = `${root}/.cache/api`

/** @type {{ name: string, types: string, fixed: readonly string[], folders: readonly string[] }[]} */
const packages = [
  { name: 'runtime', types: 'dist', fixed: ['index', 'core/index', 'testing/index'], folders: ['adapters', 'sinks'] },
  { name: 'sandglass', types: 'dist/types', fixed: ['index'], folders: [] },
]

function entriesOf(/** @type {(typeof packages)[number]} */ { name, types, fixed, folders }) {
  const filesOf = (/** @type {string} */ folder) =>
    filesBelow(`${root}/packages/${name}/${types}/${folder}`).map((file) => `${folder}/${file}`)
  const below = folders.flatMap(filesOf).filter((file) => file.endsWith('.d.ts'))
  const all = [...fixed, ...below.map((file) => file.slice(0, -'.d.ts'.length))]
  return all.filter((entry) => existsSync(`${root}/packages/${name}/${types}/${entry}.d.ts`))
}

/** `core/index` is reported in `core.api.md`, `adapters/fetch` in `adapters-fetch.api.md`. */
const reportName = (/** @type {string} */ entry) => `${entry.replace(/\/index$/, '').replaceAll('/', '-')}.api.md`

function configOf(/** @type {(typeof packages)[number]} */ { name, types }, /** @type {string} */ entry) {
  const folder = `${root}/packages/${name}`
  return ExtractorConfig.prepare({
    configObjectFullPath: `${folder}/api-extractor.json`,
    packageJsonFullPath: `${folder}/package.json`,
    packageJson: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: `${folder}/${types}/${entry}.d.ts`,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: { extends: `${root}/tsconfig.base.json`, include: [`${folder}/${types}`], compilerOptions: { rootDir: root } },
      },
      apiReport: {
        enabled: true,
        reportFileName: reportName(entry),
        reportFolder: `${scratch}/${name}/`,
        reportTempFolder: `${scratch}/${name}/temp/`,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.None },
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: true },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  })
}

/** Makes the reports of one package and returns them by file name. */
function reportsOf(/** @type {(typeof packages)[number]} */ pkg) {
  const configs = entriesOf(pkg).map((entry) => configOf(pkg, entry))
  const [first, ...rest] = configs
  /** @type {Map<string, string>} */
  const reports = new Map()
  if (!first) return reports
  const compilerState = CompilerState.create(first, { additionalEntryPoints: rest.map((config) => config.mainEntryPointFilePath) })
  for (const config of configs) {
    mkdirSync(`${scratch}/${pkg.name}/temp`, { recursive: true })
    Extractor.invoke(config, { localBuild: true, compilerState, messageCallback: (message) => (message.handled = true) })
    reports.set(config.reportFilePath.replace(/^.*[\\/]/, ''), readFileSync(config.reportFilePath, 'utf8'))
  }
  return reports
}

for (const pkg of packages) {
  rmSync(`${scratch}/${pkg.name}`, { recursive: true, force: true })
  const reports = reportsOf(pkg)
  const folder = `${root}/packages/${pkg.name}/api`
  const committed = filesBelow(folder).filter((file) => file.endsWith('.api.md'))
  for (const file of new Set([...reports.keys(), ...committed])) {
    const text = reports.get(file)
    const now = existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, 'utf8') : undefined
    if (text === now) continue
    if (!update) {
      console.error(
        `packages/${pkg.name}/api/${file}: the public names changed; if that is meant, run "npm run api" and add it to CHANGELOG.md`,
      )
      process.exitCode = 1
    } else if (text === undefined) {
      rmSync(`${folder}/${file}`)
    } else {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${folder}/${file}`, text)
      console.log(`wrote packages/${pkg.name}/api/${file}`)
    }
  }
}
