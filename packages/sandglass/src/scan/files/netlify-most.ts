const FUNCTION = /(^|\/)netlify\/functions\/[^_]/
const IN_BACKGROUND = /-background(\/index)?\.\w+$/

/** After how many ms Netlify ends a function at most, by its file: 15 minutes in the background, a minute else; null for no function. Netlify, "Functions configuration". */
export function netlifyMostMs(file: string): number | null {
  if (!FUNCTION.test(file)) return null
  return IN_BACKGROUND.test(file) ? 900_000 : 60_000
}
