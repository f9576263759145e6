import { didYouMean } from '../model/nearest.js'
import { Unusable } from './unusable.js'

/** One `--format name[=file]`; without a file it is written to stdout. */
export interface FormatChoice<N extends string> {
  readonly name: N
  readonly file: string | null
}

/** Reads `--format name[=file]`; throws `Unusable` for an unknown name, an empty file, or two formats on stdout. */
export function readFormats<const N extends string>(
  verb: string,
  given: readonly string[],
  known: readonly N[],
): readonly FormatChoice<N>[] {
  const choices = given.map((text) => {
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    const found = known.find((candidate) => candidate === name)
    if (!found)
      throw new Unusable([`sandglass ${verb}: there is no format "${name}"${didYouMean(name, known)}; there are ${known.join(', ')}`])
    if (equals === text.length - 1)
      throw new Unusable([`sandglass ${verb}: "--format ${text}" names no file; expected --format ${name}=<file>`])
    return { name: found, file: equals < 0 ? null : text.slice(equals + 1) }
  })
  const onStdout = choices.filter(({ file }) => file === null)
  if (onStdout.length > 1) {
    const names = onStdout.map(({ name }) => name).join(' and ')
    throw new Unusable([
      `sandglass ${verb}: ${names} would both be written to standard output; give one of them a file, as in --format ${onStdout[0]?.name}=<file>`,
    ])
  }
  return choices
}

/** Collects an option that may be given more than once. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}
