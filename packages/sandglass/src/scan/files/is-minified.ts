/** A text of a bundle: this long, and with so many signs a line. */
const MIN_LENGTH = 20_000
const MIN_LINE = 500

/** True for JavaScript that a bundler wrote without the line ends of people. */
export function isMinified({ file, text }: { readonly file: string; readonly text: string }): boolean {
  if (text.length < MIN_LENGTH || !/\.[cm]?js$/.test(file)) return false
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text.length / lines > MIN_LINE
}
