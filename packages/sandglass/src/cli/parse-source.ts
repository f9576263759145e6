import type { parseSync } from 'oxc-parser'
import type { Source } from '../model/sourced.js'
import type { Parsed } from '../scan/files/project.js'
import { scriptOfVue } from '../scan/files/script-of-vue.js'
import { mayBeTooDeep } from '../scan/files/too-deep.js'
import { survivesParsing } from './survives-parsing.js'

/** Parses TypeScript and JavaScript; the parser is loaded when it is first needed. */
export async function sourceParser(): Promise<(source: Source) => Parsed> {
  const parser = await import('oxc-parser')
  return (source) => parseSource(source, parser.parseSync)
}

function parseSource({ file, text }: Source, parse: typeof parseSync): Parsed {
  const vue = file.endsWith('.vue') ? scriptOfVue(text) : null
  const code = file.endsWith('.vue') ? (vue?.text ?? '') : text
  const options = { lang: languageOf(file, vue?.isTypeScript ?? false), sourceType: 'unambiguous' } as const
  if (mayBeTooDeep(code) && !survivesParsing(file, code, options))
    return { ok: false, message: 'nested too deep to be a program that somebody wrote', offset: 0 }
  const parsed = parse(file, code, options)
  if (!isRefused(parsed)) return understood(parsed)
  // Flow writes most types as TypeScript does.
  const typed = options.lang === 'jsx' && !file.endsWith('.vue') ? parse(file, code, { ...options, lang: 'tsx' }) : parsed
  if (!isRefused(typed)) return understood(typed)
  const [error] = parsed.errors
  return { ok: false, message: firstLine(error?.message ?? 'not understood'), offset: error?.labels[0]?.start ?? 0 }
}

type Parse = ReturnType<typeof parseSync>

/** A slip that the parser got over (a `return` outside a function) leaves the rest of the tree as it is. */
function isRefused(parsed: Parse): boolean {
  return parsed.errors.length > 0 && parsed.program.body.length === 0
}

/** Taking the tree out of the parser costs more than parsing: it is done when somebody asks. */
function understood(parsed: Parse): Parsed {
  return {
    ok: true,
    get program() {
      return parsed.program
    },
  }
}

function languageOf(file: string, isTypeScript: boolean): 'ts' | 'tsx' | 'jsx' {
  if (/\.[cm]?ts$/.test(file)) return 'ts'
  return file.endsWith('.tsx') || (file.endsWith('.vue') && isTypeScript) ? 'tsx' : 'jsx'
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message
}
