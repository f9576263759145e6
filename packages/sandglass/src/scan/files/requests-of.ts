const REQUEST = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(?:\/\*.*?\*\/\s*)?['"`]([^'"`\n]{1,300})['"`]/g

/** Every import of a text, once: told by the text alone; a comment that looks like an import does no harm. */
export function requestsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(REQUEST)].map(([, request = '']) => request))
}
