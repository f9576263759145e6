import type { Source } from '../model/sourced.js'
import { composeServices } from './compose-alternatives.js'

/** A name that a text gives to something it runs or offers, or under which it calls something. */
export interface Sign {
  readonly file: string
  readonly name: string
  readonly does: 'offers' | 'calls'
}

const MAX_CHARACTERS = 200_000

/** Which texts run what and call what, by names that nobody gives twice in one system; looked up roughly, for it only tells systems apart. */
export function signsOf(sources: readonly Source[]): readonly Sign[] {
  const started = composeServices(sources).flatMap(({ source: { file }, programs }) =>
    [...programs].flatMap(([name, isProgram]) => (isProgram ? both(file, `compose ${name}`) : [])),
  )
  return [...started, ...sources.flatMap(textSigns)]
}

function both(file: string, name: string): readonly Sign[] {
  return [
    { file, name, does: 'offers' },
    { file, name, does: 'calls' },
  ]
}

const PATTERNS: readonly { readonly files: RegExp; readonly pattern: RegExp; readonly of: string; readonly does: Sign['does'] }[] = [
  { files: /\.xml$/, pattern: /<dubbo:service\b[^>]{0,500}?\binterface="([\w.$]+)"/g, of: 'dubbo', does: 'offers' },
  { files: /\.xml$/, pattern: /<dubbo:reference\b[^>]{0,500}?\binterface="([\w.$]+)"/g, of: 'dubbo', does: 'calls' },
  {
    files: /\.java$/,
    pattern: /@DubboService\b[^{;]{0,500}?\bclass\s+\w+[^{;]{0,200}?\bimplements\s+([\w.$]+)/g,
    of: 'dubbo',
    does: 'offers',
  },
  { files: /\.java$/, pattern: /\bServiceConfig<([\w.$]+)>/g, of: 'dubbo', does: 'offers' },
  {
    files: /\.java$/,
    pattern: /@DubboReference\b(?:\([^)]{0,500}\))?\s+(?:(?:private|protected|public|final|static)\s+)*([\w.$]+)\s+\w+\s*[;=]/g,
    of: 'dubbo',
    does: 'calls',
  },
  { files: /\.java$/, pattern: /\bReferenceConfig<([\w.$]+)>/g, of: 'dubbo', does: 'calls' },
  {
    files: /(^|\/)(application|bootstrap)[\w.-]*\.ya?ml$/,
    pattern: /^[ \t]+application:[ \t]*(?:#.*)?\r?\n[ \t]+name:[ \t]*["']?([\w-]+)/gm,
    of: 'spring',
    does: 'offers',
  },
  {
    files: /(^|\/)(application|bootstrap)[\w.-]*\.properties$/,
    pattern: /^[ \t]*spring\.application\.name[ \t]*[=:][ \t]*([\w-]+)/gm,
    of: 'spring',
    does: 'offers',
  },
  { files: /\.(java|ya?ml|properties)$/, pattern: /\blb:\/\/([\w-]+)/g, of: 'spring', does: 'calls' },
  { files: /\.java$/, pattern: /@FeignClient\([^)]{0,300}?"([\w-]+)"/g, of: 'spring', does: 'calls' },
  { files: /\.java$/, pattern: /"https?:\/\/([\w-]+)[/":]/g, of: 'spring', does: 'calls' },
]

function textSigns({ file, text }: Source): readonly Sign[] {
  const start = text.slice(0, MAX_CHARACTERS)
  return PATTERNS.filter(({ files }) => files.test(file)).flatMap(({ pattern, of, does }) =>
    [...start.matchAll(pattern)].map(([, name = '']) => ({ file, name: `${of} ${name.replace(/^.*\./, '').toLowerCase()}`, does })),
  )
}
