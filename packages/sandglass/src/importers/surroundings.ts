import type { Source } from '../model/sourced.js'
import type { Claim, Surroundings } from './facts.js'

/** Answers importers' questions about the other texts that are imported together. */
export function surroundingsOf(sources: readonly Source[], claims: readonly Claim[]): Surroundings {
  const byLength = claims.toSorted((a, b) => b.path.length - a.path.length)
  return {
    ownerOf: (file) => byLength.find(({ path }) => file === path || path === '.' || file.startsWith(`${path}/`))?.owner ?? null,
    filesLike(pattern, from) {
      const parts = pattern
        .replace(/^\.\//, '')
        .split('/')
        .filter((part) => part !== '')
      const relative = pattern.startsWith('/') ? [] : matching(sources, [...foldersOf(from), ...parts], from)
      return relative.length > 0 ? relative : matching(sources, parts.slice(-2), from)
    },
  }
}

function foldersOf(file: string): readonly string[] {
  return file.split('/').slice(0, -1)
}

/** Files whose path ends with these parts; `*` and `?` stand for characters of one name. */
function matching(sources: readonly Source[], parts: readonly string[], from: string): readonly Source[] {
  const tests = parts.map(
    (part) =>
      new RegExp(
        `^${part
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
      ),
  )
  return sources.filter(({ file }) => {
    const names = file.split('/').slice(-tests.length)
    return file !== from && names.length === tests.length && names.every((name, index) => tests[index]?.test(name) === true)
  })
}
