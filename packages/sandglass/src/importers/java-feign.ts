import type { Spot } from '../model/sourced.js'
import { beanFor, beansIn, configurationsOf, methodGiving } from './java-beans.js'
import { closingOf, type JavaFile } from './java-file.js'
import { type JavaModule, type JavaProject, textOf } from './java-project.js'
import { type CodeRetryer, retryerBean } from './java-retryer.js'
import type { JavaToken } from './java-tokens.js'
import type { Written } from './limit-fact.js'

/** A client of Feign that code declares. */
export interface FeignClient {
  readonly spot: Spot
  /** The name of its interface. */
  readonly type: string
  /** The name under which settings mean it: its context, else the service. */
  readonly key: string
  /** The service, as it is written; placeholders are not replaced. */
  readonly name: Written
  readonly url: Written | null
  /** Where code gives it limits of its own: a configuration, or an argument of a method. */
  readonly options: Spot | null
  /** How often code has it try; null where it says nothing of that. */
  readonly retryer: CodeRetryer | null
}

/** The clients an application calls: those its module declares, and those of the modules it is built with that its code uses. */
export function feignClients(root: string, project: JavaProject): readonly FeignClient[] {
  const parts = project.partsOf(root)
  const options = beansIn(parts, (file) => methodGiving(file, 'Options')?.spot ?? null)
  const retryers = beansIn(parts, (file) => retryerBean(file, project.constants))
  return parts.flatMap((module) =>
    module.files.flatMap((file) =>
      clientsIn(file, project.constants)
        .filter(({ type }) => module.root === root || isUsed(type, module, parts))
        .map(({ configured, ...client }) => ({
          ...client,
          options: client.options ?? beanFor(configured, options),
          retryer: beanFor(configured, retryers),
        })),
    ),
  )
}

/** Its own module knows it in any case, as its fallback does; who calls it is elsewhere. */
function isUsed(type: string, home: JavaModule, parts: readonly JavaModule[]): boolean {
  return parts.some((module) => module !== home && module.files.some(({ words }) => words.has(type)))
}

interface Declared extends FeignClient {
  /** Classes that configure it. */
  readonly configured: readonly string[]
}

function clientsIn(file: JavaFile, constants: JavaProject['constants']): readonly Declared[] {
  return file.types.flatMap((type) => {
    const annotation = type.annotations.find(({ name }) => name === 'FeignClient')
    if (!annotation || type.kind !== 'interface') return []
    const text = (key: string) => {
      const value = annotation.values.get(key)
      return value ? textOf(file, value, constants) : null
    }
    const name = text('name') ?? text('value') ?? text('serviceId') ?? { text: '$' + `{${type.name}}`, spot: annotation.spot }
    const url = text('url')
    return [
      {
        spot: annotation.spot,
        type: type.name,
        key: text('contextId')?.text ?? name.text,
        name,
        url: url && url.text !== '' ? url : null,
        options: optionsArgument(file, type.spot),
        retryer: null,
        configured: configurationsOf(annotation),
      },
    ]
  })
}

/** `Request.Options options` among the arguments of a method of the interface. */
function optionsArgument({ source, tokens }: JavaFile, type: Spot): Spot | null {
  const start = tokens.findIndex((token) => token.start > type.start && token.text === '{')
  if (start < 0) return null
  const end = closingOf(tokens, start)
  for (let at = start; at < end; at++) {
    const found = optionsAt(tokens, at)
    if (found && tokens[at - 1]?.text !== 'new') return { source, start: tokens[at]?.start ?? 0, end: tokens[at]?.end ?? 1 }
  }
  return null
}

/** `Request.Options x` at a token: a type before a name. */
function optionsAt(tokens: readonly JavaToken[], at: number): boolean {
  return (
    tokens[at]?.text === 'Request' && tokens[at + 1]?.text === '.' && tokens[at + 2]?.text === 'Options' && tokens[at + 3]?.kind === 'name'
  )
}
