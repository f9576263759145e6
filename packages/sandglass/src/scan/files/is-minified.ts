/** A text of a bundle: this long, and with so many signs a line. */
const MIN_LENGTH = 5_000
const MIN_LINE = 500
/** One in so many signs of code ends something or separates it; a picture or a certificate in a text has hardly any. */
const MAX_SIGNS_A_MARK = 50

/** True for JavaScript that a bundler wrote without the line ends of people. */
export function isMinified({ file, text }: { readonly file: string; readonly text: string }): boolean {
  if (text.length < MIN_LENGTH || !/\.[cm]?js$/.test(file)) return false
  if (text.length / (count(text, '\n') + 1) <= MIN_LINE) return false
  return text.length / (count(text, ';') + count(text, ',') + count(text, '(') + 1) < MAX_SIGNS_A_MARK
}

function count(text: string, sign: string): number {
  let found = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found++
  return found
}
