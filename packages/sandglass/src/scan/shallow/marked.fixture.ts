import { expect } from 'vitest'
import { scanText } from './parse.fixture.js'
import type { ShallowLanguage } from './shallow-language.js'

const SIGN = { error: '!', warning: '?', info: 'i' } as const

/** Scans a text whose lines say what they expect: `!` at the end of a comment is an error, `?` a warning, all others are silent. */
export async function expectMarked(language: ShallowLanguage, text: string): Promise<void> {
  const { diagnostics, findings } = await scanText(language, text)
  const found = findings.map((finding, index) => `${finding.split(' ')[0]} ${SIGN[diagnostics[index]?.severity ?? 'info']}`)
  const comment = language === 'python' ? /# ([!?])$/ : /\/\/ ([!?])$/
  const wanted = text.split('\n').flatMap((line, index) => (comment.test(line) ? [`${index + 1} ${line.at(-1)}`] : []))
  expect(found).toEqual(wanted)
}
