import type { Spot } from '../model/sourced.js'
import type { JavaAnnotation, JavaFile } from './java-file.js'
import type { JavaModule } from './java-project.js'

/** A bean of one type in code: for every client where Spring finds its class by itself, else for those that name the class. */
export interface CodeBeans<T> {
  /** By the class that has it. */
  readonly byClass: ReadonlyMap<string, T>
  readonly all: T | null
}

const CONFIGURES = /^(Configuration|AutoConfiguration|SpringBootApplication|Component)$/

/** The beans that a reader finds in code, by the classes they are in. */
export function beansIn<T>(parts: readonly JavaModule[], beanOf: (file: JavaFile) => T | null): CodeBeans<T> {
  const byClass = new Map<string, T>()
  let all: T | null = null
  const files = parts.flatMap((module) => module.files)
  const enabling = files.flatMap(({ types }) =>
    types.flatMap(({ annotations }) => annotations.filter(({ name }) => name === 'EnableFeignClients')),
  )
  const defaults = new Set(enabling.flatMap(configurationsOf))
  for (const file of files) {
    const bean = file.words.has('Bean') ? beanOf(file) : null
    if (bean === null) continue
    for (const type of file.types) byClass.set(type.name, bean)
    const isFound = file.types.some((type) => defaults.has(type.name) || type.annotations.some(({ name }) => CONFIGURES.test(name)))
    if (isFound) all ??= bean
  }
  return { byClass, all }
}

/** The bean for a client: of a class it names, else the one for all. */
export function beanFor<T>(configured: readonly string[], { byClass, all }: CodeBeans<T>): T | null {
  return configured.flatMap((name) => byClass.get(name) ?? [])[0] ?? all
}

/** Classes an annotation names: `configuration = A.class`. */
export function configurationsOf({ values }: JavaAnnotation): readonly string[] {
  const tokens = values.get('configuration') ?? values.get('defaultConfiguration') ?? []
  return tokens.flatMap((token, index) => (token.kind === 'name' && tokens[index + 2]?.text === 'class' ? [token.text] : []))
}

/** A method that gives a type: `Type name(`. */
export function methodGiving({ source, tokens }: JavaFile, type: string): { readonly spot: Spot; readonly at: number } | null {
  const at = tokens.findIndex(
    (token, index) =>
      token.text === type && tokens[index + 1]?.kind === 'name' && tokens[index + 2]?.text === '(' && tokens[index - 1]?.text !== 'new',
  )
  return at < 0 ? null : { spot: { source, start: tokens[at]?.start ?? 0, end: tokens[at + 1]?.end ?? 1 }, at }
}
