import { append } from '../../model/append.js'
import type { Source } from '../../model/sourced.js'
import type { LibraryModel } from '../models/library-model.js'
import type { ProjectInput } from './project.js'
import { requestsOf } from './requests-of.js'

/** What a rule looks at without any import: signals, races, timers of servers, calls of gRPC that only their shape tells, configurations of Nest. */
const WITHOUT_IMPORT =
  /\bfetch\b|AbortController|AbortSignal|Promise\.race|keepAliveTimeout|headersTimeout|requestTimeout|\bdeadline\b|[gG]rpc|\bregisterAs\b|on(?:ce)?\(\s*['"`]close/

/**
 * The files in which a scan may find something: those that import a known library, have what needs no import, or import, over any number of
 * files, from such a one. Told by the text alone, so that the others need not be kept in memory; a comment that looks like an import does no harm.
 */
export function touchingFiles(
  sources: readonly Source[],
  resolve: ProjectInput['resolve'],
  models: readonly LibraryModel[],
): ReadonlySet<string> {
  const isKnown = knownPackages(models)
  const importers = new Map<string, string[]>()
  const touching = new Set<string>()
  const waiting: string[] = []
  const take = (file: string) => {
    if (touching.has(file)) return
    touching.add(file)
    waiting.push(file)
  }
  for (const { file, text } of sources) {
    if (WITHOUT_IMPORT.test(text)) take(file)
    for (const request of requestsOf(text)) {
      if (isKnown(request)) take(file)
      else if (/^[\w@]/.test(request) && isUnlikelyAlias(request)) continue
      const to = resolve(request, file)
      if (to.kind === 'file') append(importers, to.file, file)
    }
  }
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) for (const importer of importers.get(file) ?? []) take(importer)
  return touching
}

/** Modules of Node itself are nobody's file. */
function isUnlikelyAlias(request: string): boolean {
  return request.startsWith('node:')
}

function knownPackages(models: readonly LibraryModel[]): (request: string) => boolean {
  const names = models.flatMap(({ packages }) => packages).filter((name) => name !== 'global')
  const exact = new Set(names.flatMap((name) => [name, name.replace(/^node:/, '')]))
  const prefixes = names.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : [`${name}/`]))
  const generated = models.flatMap((model) => model.generated ?? [])
  return (request) =>
    exact.has(request) || prefixes.some((prefix) => request.startsWith(prefix)) || generated.some((pattern) => pattern.test(request))
}
