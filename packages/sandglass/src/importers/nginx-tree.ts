import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'
import { maskTemplates } from './templates.js'

/** One directive: its words, and what stands in its braces (null where it ends with a semicolon). */
export interface Directive {
  readonly name: string
  readonly spot: Spot
  readonly args: readonly Written[]
  readonly block: readonly Directive[] | null
}

/** The directives of a file, and what stands against it; what could be read is kept. */
export interface NginxTree {
  readonly directives: readonly Directive[]
  readonly problems: readonly { readonly spot: Spot; readonly message: string }[]
}

const MAX_DEPTH = 40
const MAX_VARIABLE = 200

/** Reads an nginx configuration as nginx does: words, quotes, braces; a Lua block is skipped by its braces. */
export function readNginx(source: Source): NginxTree {
  const reader = new Reader(source)
  const directives = reader.block(0)
  return { directives, problems: reader.problems }
}

/** A cursor over one text. */
class Reader {
  readonly problems: { spot: Spot; message: string }[] = []
  private at = 0
  private readonly text: string

  constructor(private readonly source: Source) {
    this.text = maskTemplates(source.text)
  }

  /** Directives up to the closing brace, or to the end of the file outside every block. */
  block(depth: number): readonly Directive[] {
    const out: Directive[] = []
    while (this.skipBlanks()) {
      if (this.text[this.at] === '}') {
        if (depth > 0) return out
        this.complain(this.at, 'a "}" that closes nothing')
        this.at++
        continue
      }
      const directive = this.directive(depth)
      if (directive) out.push(directive)
    }
    if (depth > 0) this.complain(this.text.length, 'a "{" is not closed')
    return out
  }

  private directive(depth: number): Directive | null {
    const words: Written[] = []
    const start = this.at
    while (this.skipBlanks()) {
      const char = this.text[this.at]
      if (char === ';' || char === '{') break
      if (char === '}') {
        this.complain(start, 'a directive without ";" before "}"')
        return this.made(words, null)
      }
      words.push(this.word())
    }
    const char = this.text[this.at]
    if (char === undefined) {
      this.complain(start, 'a directive without ";" at the end of the file')
      return null
    }
    this.at++
    if (char === ';') return this.made(words, null)
    if (words[0]?.text.endsWith('_by_lua_block')) {
      this.skipBraces()
      return this.made(words, null)
    }
    return this.made(words, this.nested(depth))
  }

  private nested(depth: number): readonly Directive[] {
    if (depth >= MAX_DEPTH) {
      this.complain(this.at, `nested too deeply (at most ${MAX_DEPTH} levels)`)
      this.skipBraces()
      return []
    }
    const block = this.block(depth + 1)
    this.at++
    return block
  }

  private made([name, ...args]: readonly Written[], block: readonly Directive[] | null): Directive | null {
    return name ? { name: name.text, spot: name.spot, args, block } : null
  }

  /** Moves to the next character that is neither blank nor comment; false at the end. */
  private skipBlanks(): boolean {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at] ?? ''
      if (char === '#') {
        const end = this.text.indexOf('\n', this.at)
        this.at = end < 0 ? this.text.length - 1 : end
      } else if (!/\s/.test(char)) return true
    }
    return false
  }

  private word(): Written {
    const start = this.at
    const quote = this.text[start]
    return quote === '"' || quote === "'" ? this.quoted(start, quote) : this.bare(start)
  }

  private quoted(start: number, quote: string): Written {
    let text = ''
    for (this.at++; this.at < this.text.length && this.text[this.at] !== quote; this.at++) {
      if (this.text[this.at] === '\\' && /["'\\]/.test(this.text[this.at + 1] ?? '')) this.at++
      text += this.text[this.at]
    }
    this.at++
    return { text, spot: this.spot(start, Math.min(this.at, this.text.length)) }
  }

  private bare(start: number): Written {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at] ?? ''
      if (char === '\\') this.at++
      else if (char === '{' && this.text[this.at - 1] === '$') this.at = this.closingOf(this.at)
      else if (/[\s;{]/.test(char)) break
    }
    this.at = Math.min(this.at, this.text.length)
    return { text: this.text.slice(start, this.at), spot: this.spot(start, this.at) }
  }

  /** The brace that ends `${NAME}`; the opening one where it does not end on its line. */
  private closingOf(open: number): number {
    const found = /^\{[^}\s;]*\}/.exec(this.text.slice(open, open + MAX_VARIABLE))
    return found ? open + found[0].length - 1 : open
  }

  /** Skips a block whose inside is another language; strings in it may hold braces. */
  private skipBraces(): void {
    const token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|--[^\n]*|[{}]/g
    token.lastIndex = this.at
    let open = 1
    for (let found = token.exec(this.text); found; found = token.exec(this.text)) {
      this.at = token.lastIndex
      if (found[0] === '{') open++
      if (found[0] === '}' && --open === 0) return
    }
    this.at = this.text.length
    this.complain(this.at, 'a "{" is not closed')
  }

  private spot(start: number, end: number): Spot {
    return { source: this.source, start, end }
  }

  private complain(at: number, message: string): void {
    if (this.problems.length < 20) this.problems.push({ spot: this.spot(Math.max(0, Math.min(at, this.text.length - 1)), at + 1), message })
  }
}
