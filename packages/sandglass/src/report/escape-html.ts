import { printable } from './printable.js'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand in HTML, SVG and their quoted attributes. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => entities[char] ?? char)
}
