import type { Palette } from '../report/palette.js'

/** A page in Markdown for the terminal: headings and code stand out, links keep their text and lose their address where it is a file. */
export function renderPage(markdown: string, palette: Palette): string {
  let isCode = false
  const lines: string[] = []
  for (const line of markdown.trimEnd().split('\n')) {
    if (line.startsWith('```')) {
      isCode = !isCode
      continue
    }
    lines.push(isCode ? palette.place(`    ${line}`).trimEnd() : proseLine(line, palette))
  }
  return `${lines.join('\n')}\n`
}

function proseLine(line: string, palette: Palette): string {
  const heading = /^#+\s+(.*)$/.exec(line)
  if (heading) return palette.strong(plain(heading[1] ?? '', palette))
  return plain(line, palette)
}

function plain(text: string, palette: Palette): string {
  return text
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, label: string, target: string) => (/^https?:/.test(target) ? `${label} (${target})` : label))
    .replace(/\*\*([^*]+)\*\*/g, (_, bold: string) => palette.strong(bold))
    .replace(/`([^`]+)`/g, (_, code: string) => palette.place(code))
}
