import { parseSync } from 'oxc-parser'
import { placeOf } from '../model/sourced.js'
import { configFiles } from './files/config-files.js'
import { manifestOf } from './files/manifest.js'
import type { ProjectInput } from './files/project.js'
import { folderOf, foldersUp } from './lockfile/folder-path.js'
import { parsedJson } from './lockfile/json-error.js'
import { type Scanned, type ScanOptions, scanSources } from './scan-sources.js'

/** Files of a project by name, with what packages are installed: `axios`, or `a/code.ts axios` as one file gets it. */
export interface TestProject {
  readonly files: Readonly<Record<string, string>>
  readonly versions?: Readonly<Record<string, string>>
}

/** Scans texts: relative imports lead to the texts, everything else is a package. */
export function scanTexts(project: TestProject | string, options: ScanOptions = {}): Scanned {
  return scanSources(projectInput(typeof project === 'string' ? { files: { 'code.ts': project } } : project), options)
}

/** What a scan of texts is given. */
export function projectInput({ files, versions = {} }: TestProject): ProjectInput {
  const packageOfFile = (file: string) => foldersUp(folderOf(file)).find((folder) => `${folder}/package.json` in files) ?? ''
  return {
    sources: Object.entries(files).flatMap(([file, text]) => (/package\.json$|\.(json5?|ya?ml)$/.test(file) ? [] : [{ file, text }])),
    parse: ({ file, text }) => {
      const { program, errors } = parseSync(file, text)
      const [error] = errors
      return error ? { ok: false, message: error.message, offset: error.labels[0]?.start ?? 0 } : { ok: true, program }
    },
    resolve: (request, from) => {
      if (!request.startsWith('.')) return packageOf(request)
      const path = joinPath(from, request)
      const file = [path, `${path}.ts`, `${path}.tsx`, `${path}.js`, path.replace(/\.js$/, '.ts'), `${path}/index.ts`].find(
        (name) => name in files,
      )
      return file === undefined ? { kind: 'nothing' } : { kind: 'file', file }
    },
    versionOf: (name, file) => versions[`${file} ${name}`] ?? versions[name] ?? null,
    packageOf: packageOfFile,
    configOf: configFiles((file) => files[file] ?? null),
    manifestOf: (file) => {
      const folder = packageOfFile(file)
      const read = parsedJson(files[folder === '' ? 'package.json' : `${folder}/package.json`] ?? '')
      return read.ok ? manifestOf(read.value as Readonly<Record<string, unknown>>) : null
    },
  }
}

function packageOf(request: string): ReturnType<ProjectInput['resolve']> {
  const builtin = /^(node:)?(http|https|http2|net|tls|timers\/promises|timers|events|child_process|stream|dns|util)$/.exec(request)
  if (builtin) return { kind: 'package', name: `node:${builtin[2]}`, subpath: '' }
  const parts = request.split('/')
  const name = request.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
  return { kind: 'package', name, subpath: request.slice(name.length + 1) }
}

function joinPath(from: string, request: string): string {
  return new URL(request, `file:///${from}`).pathname.slice(1)
}

/** Findings as `code.ts:3 unbounded-call`, in the order of the text. */
export function findingLines({ diagnostics }: Scanned): string[] {
  return diagnostics
    .map(({ rule, spot }) => ({ rule, ...placeOf(spot) }))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.rule.localeCompare(b.rule))
    .map(({ rule, file, line }) => `${file}:${line} ${rule}`)
}

/** Calls as `3 axios bounded 500 silence`, in the order of the text. */
export function callLines({ calls }: Scanned): string[] {
  return calls
    .map((call) => ({ ...call, line: placeOf(call.spot).line }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, library, outcome }) =>
      outcome.state === 'bounded' ? `${line} ${library} bounded ${outcome.ms} ${outcome.kind}` : `${line} ${library} ${outcome.state}`,
    )
}
