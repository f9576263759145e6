/** The languages that are read by their syntax tree alone. */
export type ShallowLanguage = 'go' | 'java' | 'python'

const LANGUAGES: Readonly<Record<string, ShallowLanguage>> = { go: 'go', java: 'java', py: 'python' }

/** The language of a file by its ending; null where it is none of the three. Type stubs (`.pyi`) hold no code. */
export function shallowLanguageOf(file: string): ShallowLanguage | null {
  const ending = /\.([a-z]+)$/.exec(file)?.[1] ?? ''
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? null) : null
}
