import { printable } from './printable.js'

/** Text in a table's cell: markup, mentions and links in names from a file stay text. */
export function markdownCell(text: string): string {
  return printable(text)
    .replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'))
    .replace(/[\\`*_{}[\]()#!|~]/g, '\\$&')
    .replaceAll('@', '@\u200b')
}
