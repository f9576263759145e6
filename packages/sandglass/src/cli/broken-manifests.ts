import type { Source } from '../model/sourced.js'
import { parsedJson } from '../scan/lockfile/json-error.js'
import { strictJson } from '../scan/lockfile/json-text.js'
import { foldersAbove } from './folders-above.js'
import { isFoundFile } from './look-at.js'
import { problemLine } from './problem-line.js'
import { readText } from './read-text.js'
import type { System } from './system.js'

const MOST = 5
/** What is not known where a file cannot be read. */
const MEANT: Readonly<Record<string, string>> = {
  'package.json': 'its name, scripts and dependencies are not known',
  'tsconfig.json': 'its paths are not followed',
}

/** A line for each manifest and `tsconfig.json` above some sources that is no JSON: imports may lead to nothing for it. */
export function brokenManifests(sources: readonly Source[], system: System): readonly string[] {
  const found = [...foldersAbove(sources)]
    .sort()
    .flatMap((folder) => Object.keys(MEANT).flatMap((name) => problemIn(folder, name, system) ?? []))
  const more = found.length > MOST ? [`and ${found.length - MOST} more manifests cannot be read`] : []
  return [...found.slice(0, MOST), ...more]
}

function problemIn(folder: string, name: string, system: System): string | null {
  const file = folder === '' ? name : `${folder}/${name}`
  try {
    if (!isFoundFile(file, system.folders)) return null
    const read = readText(file, system.folders)
    if (!read.ok) return `${problemLine(read.problem)}; ${MEANT[name]}`
    const text = name === 'package.json' ? read.source.text : strictJson(read.source.text)
    const parsed = parsedJson(text)
    if (parsed.ok) return null
    const { at, reason } = parsed
    const problem = { message: `not valid JSON: ${reason}`, file, spot: { source: read.source, start: at, end: at + 1 } }
    return `${problemLine(problem)}; ${MEANT[name]}`
  } catch {
    return null
  }
}
