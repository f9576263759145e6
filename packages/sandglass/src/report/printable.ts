/** C0 and C1 controls, DEL, and the marks that reverse the direction of text: they could rewrite a terminal's screen or hide what is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Text from a file made safe for one line of a terminal: what cannot be shown becomes U+FFFD, a tab two spaces. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (char) => (char === '\t' ? '  ' : char === '\n' ? ' ' : '\ufffd'))
}
