import { lineText, type Source } from '../model/sourced.js'

/** What a line says, in short. */
export function saysAt(source: Source, line: number): string {
  const says = withoutSecrets(lineText(source, line).trim().replace(/\s+/g, ' '))
  return says.length > 80 ? `${says.slice(0, 80)}…` : says
}

/** Configs hold passwords, and a chain file is shown around. */
function withoutSecrets(line: string): string {
  return line
    .replace(/\/\/[^@\s/]+@/g, '//…@')
    .replace(/(passw(?:or)?d|requirepass|secret|token|api[-_]?key)(["']?(?:\s*[:=]\s*|\s+))[^\s,&}]+/gi, '$1$2…')
}
