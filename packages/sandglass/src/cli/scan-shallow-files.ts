import type { Diagnostic, Problem } from '../model/diagnostic.js'
import { placeOf, type Source } from '../model/sourced.js'
import type { NotRead } from '../report/check-report.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import { severityOfPath } from '../scan/files/path-severity.js'
import { isCommandLine } from '../scan/shallow/command-line.js'
import { shallowLanguageOf } from '../scan/shallow/shallow-language.js'
import type { Folders } from './folders.js'
import { localDatabases } from './go-modules.js'
import { gunicornEnds } from './gunicorn-ends.js'
import type { Progress } from './progress.js'

/** What the syntax of files in Go, Java and Python tells. */
export interface ShallowFiles {
  readonly calls: readonly ScannedCall[]
  readonly diagnostics: readonly Diagnostic[]
  readonly notRead: readonly NotRead[]
}

/** Scans the files among some sources that are written in Go, Java or Python; the parsers are loaded only where there are any. */
export async function scanShallowFiles(
  sources: readonly Source[],
  includesTests: (file: string) => boolean,
  folders: Folders,
  progress: Progress,
): Promise<ShallowFiles> {
  const calls: ScannedCall[] = []
  const diagnostics: Diagnostic[] = []
  const notRead: NotRead[] = []
  const shallow = sources.filter(({ file }) => shallowLanguageOf(file) !== null)
  if (shallow.length === 0) return { calls, diagnostics, notRead }
  const [{ shallowParser }, { scanShallow }] = await Promise.all([
    import('./shallow-parsers.js'),
    import('../scan/shallow/scan-shallow.js'),
  ])
  const isDatabaseLocal = localDatabases(folders)
  const workerEndOf = gunicornEnds(folders)
  for (const source of shallow) {
    const language = shallowLanguageOf(source.file)
    if (!language) continue
    progress.say(`scanning ${source.file}`)
    const scanned = scanShallow(source, language, await shallowParser(language), {
      includesTests: includesTests(source.file),
      isDatabaseLocal: language === 'go' && isDatabaseLocal(source.file),
      workerEndMs: language === 'python' ? workerEndOf(source.file) : null,
    })
    calls.push(...scanned.calls)
    diagnostics.push(...scanned.diagnostics.map((one) => severityOfPath(one, () => isCommandLine(source))))
    notRead.push(...scanned.problems.map(asNotRead))
  }
  return { calls, diagnostics, notRead }
}

function asNotRead({ file, spot, message }: Problem): NotRead {
  if (!spot) return { file, why: message }
  const { line, column } = placeOf(spot)
  return { file: `${file}:${line}:${column}`, why: message }
}
