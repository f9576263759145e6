import type { Project } from './project.js'

const STARTS = /\bnew\s+(?:Shared)?Worker\(\s*new\s+URL\(\s*['"`]([^'"`]+)['"`]\s*,\s*import\.meta\.url/g
const OF_BUNDLERS = /['"]([^'"\n]+)\?(?:shared)?worker\b/g
/** Node has a `Worker` only where it is imported. */
const OF_NODE = /['"](?:node:)?worker_threads['"]/

/** The files that others start as workers of a page: `new Worker(new URL('./draw.js', import.meta.url))`, `import Draw from './draw?worker'`. */
export function workersOfPages({ sources, resolve }: Project): ReadonlySet<string> {
  const files = new Set<string>()
  for (const { file, text } of sources) {
    const started = OF_NODE.test(text) ? [] : [...text.matchAll(STARTS), ...text.matchAll(OF_BUNDLERS)]
    for (const [, request = ''] of started) {
      const to = resolve(request, file)
      if (to.kind === 'file') files.add(to.file)
    }
  }
  return files
}
