const SCRIPT = /<script\b[^>]*>([\s\S]*?)<\/script\s*>/gi

/** The scripts of a Vue component with everything else blank, so that every offset stays what it is; null where it has none. */
export function scriptOfVue(text: string): { readonly text: string; readonly isTypeScript: boolean } | null {
  const kept: string[] = []
  let end = 0
  let isTypeScript = false
  for (const match of text.matchAll(SCRIPT)) {
    const body = match[1] ?? ''
    const start = match.index + match[0].indexOf('>') + 1
    isTypeScript ||= /\blang\s*=\s*["']?tsx?\b/i.test(match[0].slice(0, match[0].indexOf('>')))
    kept.push(blank(text.slice(end, start)), body)
    end = start + body.length
  }
  return kept.length === 0 ? null : { text: kept.join('') + blank(text.slice(end)), isTypeScript }
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}
