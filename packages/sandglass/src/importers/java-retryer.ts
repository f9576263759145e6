import { methodGiving } from './java-beans.js'
import { argumentsIn, closingOf, type JavaFile } from './java-file.js'
import { type JavaProject, spotOf, textOf } from './java-project.js'
import type { Written } from './limit-fact.js'

/** A retryer of Feign that code gives: its numbers where they are written there, `never`, or one that cannot be read. */
export type CodeRetryer =
  | { readonly kind: 'default'; readonly at: Written; readonly arguments: readonly Written[] }
  | { readonly kind: 'never' }
  | { readonly kind: 'unknown'; readonly at: Written }

/** `@Bean Retryer x() { return new Retryer.Default(100, 1000, 3); }`. */
export function retryerBean(file: JavaFile, constants: JavaProject['constants']): CodeRetryer | null {
  const { tokens, source } = file
  const method = methodGiving(file, 'Retryer')
  if (!method) return null
  const open = tokens.findIndex(({ text }, index) => index > method.at && text === '{')
  const body = open < 0 ? [] : tokens.slice(open, closingOf(tokens, open))
  const at = { text: 'Retryer', spot: method.spot }
  if (body.some(({ text }) => text === 'NEVER_RETRY')) return { kind: 'never' }
  const made = body.findIndex(({ text }, index) => text === 'Default' && body[index + 1]?.text === '(')
  if (made < 0) return { kind: 'unknown', at }
  const values = argumentsIn(body.slice(made + 2, closingOf(body, made + 1)))
  const numbers = values.map(
    (value) => textOf(file, value, constants) ?? { text: '$' + '{code}', spot: spotOf(source, value), isWhole: false },
  )
  const written = numbers.map(({ text, spot, isWhole }) => ({ text: isWhole ? text.replace(/[_lL]/g, '') : '$' + '{code}', spot }))
  return { kind: 'default', at, arguments: written }
}
