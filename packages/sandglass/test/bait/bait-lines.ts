import type { Source } from '../../src/model/sourced.js'

/** Configs in which lines that begin with `~` look like limits of requests and are none. */
export interface Bait {
  readonly title: string
  readonly files: Readonly<Record<string, string>>
}

/** The configs as they stand, and without the lines of bait; a file of nothing but bait is left out of the second. */
export function withAndWithout({ files }: Bait): { readonly baited: readonly Source[]; readonly plain: readonly Source[] } {
  const lines = Object.entries(files).map(([file, text]) => ({ file, lines: text.trimStart().split('\n') }))
  return {
    baited: lines.map((each) => ({ file: each.file, text: each.lines.map((line) => line.replace(/^~/, '')).join('\n') })),
    plain: lines
      .map((each) => ({ file: each.file, text: each.lines.filter((line) => !line.startsWith('~')).join('\n') }))
      .filter(({ text }) => text.trim() !== ''),
  }
}
