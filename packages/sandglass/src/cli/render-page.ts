import type { Palette } from '../report/palette.js'
import { wrap } from '../report/wrap.js'

const WIDEST = 100

/** A page in Markdown for the terminal: headings and code stand out, prose is wrapped, links keep their text and lose the address of a file. */
export function renderPage(markdown: string, palette: Palette, width: number): string {
  let isCode = false
  const lines: string[] = []
  for (const line of markdown.trimEnd().split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    else if (isCode) lines.push(palette.place(`    ${line}`.trimEnd()))
    else lines.push(...proseLines(line, palette, Math.min(width, WIDEST)))
  }
  return `${lines.join('\n')}\n`
}

function proseLines(line: string, palette: Palette, width: number): string[] {
  const heading = /^#+\s+(.*)$/.exec(line)
  if (heading) return [palette.strong(withoutMarkup(heading[1] ?? ''))]
  if (/^ {4}|^\|/.test(line)) return [palette.place(line)]
  const lead = /^\s*/.exec(line)?.[0] ?? ''
  const marker = /^(?:[-*]|\d+\.)\s+/.exec(line.trimStart())?.[0] ?? ''
  const parts = wrap(linksAsText(line.trimStart()), width - lead.length, ' '.repeat(marker.length))
  return parts.map((part) => (lead + withoutMarkup(painted(part, palette))).trimEnd())
}

function linksAsText(text: string): string {
  return text.replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, label: string, target: string) =>
    /^https?:/.test(target) ? `${label} (${target})` : label,
  )
}

function painted(text: string, palette: Palette): string {
  return text
    .replace(/\*\*([^*]+)\*\*/g, (_, bold: string) => palette.strong(bold))
    .replace(/`([^`]+)`/g, (_, code: string) => palette.place(code))
}

/** What is left of marks whose other half stands on another line, and single stars. */
function withoutMarkup(text: string): string {
  return text.replace(/\*\*|`/g, '').replace(/(^|\s)\*([^\s*][^*]*)\*/g, '$1$2')
}
