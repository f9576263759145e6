import type { Source } from '../model/sourced.js'
import type { Claim, Surroundings } from './facts.js'
import { type FileIndex, fileIndex } from './file-index.js'
import { TEMPLATE_ENDINGS, withoutTemplateEnding } from './template-ending.js'

/** What is known besides the texts: what earlier importers found, and what was asked for. */
export interface Told {
  readonly environments: Surroundings['environments']
  readonly pointedTo: ReadonlySet<string>
  readonly profiles: readonly string[]
}

/** Answers importers' questions about the other texts that are imported together. */
export function surroundingsOf(sources: readonly Source[], claims: readonly Claim[], told: Partial<Told> = {}): Surroundings {
  const byLength = claims.toSorted((a, b) => b.path.length - a.path.length)
  return {
    all: sources,
    profiles: told.profiles ?? [],
    environments: told.environments ?? new Map(),
    isPointedTo: (file) => told.pointedTo?.has(file) === true,
    ownerOf: (file) => byLength.find(({ path }) => file === path || path === '.' || file.startsWith(`${path}/`))?.owner ?? null,
    filesLike(pattern, from) {
      const parts = pattern
        .replace(/^\.\//, '')
        .split('/')
        .filter((part) => part !== '')
      const relative = pattern.startsWith('/') ? [] : indexOf(sources).endingWith([...foldersOf(from), ...parts], from)
      const found = relative.length > 0 ? relative : indexOf(sources).endingWith(parts.slice(-2), from)
      return found.length > 0 ? found : templatesBeside(sources, parts[parts.length - 1] ?? '', from)
    },
  }
}

const indexes = new WeakMap<readonly Source[], FileIndex>()

/** Every importer asks about the same texts. */
function indexOf(sources: readonly Source[]): FileIndex {
  const index = indexes.get(sources) ?? fileIndex(sources)
  indexes.set(sources, index)
  return index
}

/** A template names what templates become: the one beside it that becomes a file of this name, wherever it is put. */
function templatesBeside(sources: readonly Source[], name: string, from: string): readonly Source[] {
  if (name === '' || /[*?]/.test(name) || withoutTemplateEnding(from) === from) return []
  const path = [...foldersOf(from), name].join('/')
  return TEMPLATE_ENDINGS.flatMap((ending) => {
    const file = `${path}.${ending}`
    return indexOf(sources)
      .endingWith(file.split('/'), from)
      .filter((source) => source.file === file)
  })
}

function foldersOf(file: string): readonly string[] {
  return file.split('/').slice(0, -1)
}
