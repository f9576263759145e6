import type { Source } from '../../model/sourced.js'

const COMPILED = /\bexports,\s*["']__esModule["']|\/\/# sourceMappingURL=\S+\s*$/
const SOURCE = /(?<!\.d)\.[cm]?tsx?$/
const ENDING = /\.[cm]?[jt]sx?$/
/** How much of a text's start and end is looked at. */
const EDGE = 2000

/** Tells files that a compiler wrote from another file that is there, too: what they say is said there. */
export function compiledAmong(sources: readonly Source[]): (source: Source) => boolean {
  const written = new Set(sources.filter(({ file }) => SOURCE.test(file)).map(({ file }) => nameOf(file)))
  return ({ file, text }) => {
    if (!/\.[cm]?js$/.test(file) || !written.has(nameOf(file))) return false
    return COMPILED.test(text.slice(0, EDGE)) || COMPILED.test(text.slice(-EDGE))
  }
}

/** The name without its ending, and the folder it stands in: `routes/orders`. */
function nameOf(file: string): string {
  return file.replace(ENDING, '').split('/').slice(-2).join('/')
}
