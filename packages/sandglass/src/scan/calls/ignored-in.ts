import { compareVersions } from '../../model/default-of.js'
import type { Spot } from '../../model/sourced.js'
import { settingIn } from '../limits/settings.js'
import type { SeenCall } from '../scan-view.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'
import { type IgnoredOption, ignoredOptions } from './ignored-options.js'

/** An ignored option as it was found. */
export interface FoundIgnored {
  readonly option: string
  readonly instead: string
  /** Null: nothing at all. */
  readonly effect: string | null
  readonly value: number
  readonly spot: Spot
  readonly in: IgnoredOption['in']
}

const byLibrary = new Map<string, readonly IgnoredOption[]>()
for (const each of ignoredOptions) byLibrary.set(each.library, [...(byLibrary.get(each.library) ?? []), each])

/** The numbers among the options of a call and its client that its library does not look at. */
export function ignoredIn({ site }: Pick<SeenCall, 'site'>): readonly FoundIgnored[] {
  const { model, version, evaluator, method, client } = site
  const entries = (byLibrary.get(model.id) ?? []).filter((each) => holdsFor(each, version) && (each.method?.test(method) ?? true))
  const found = entries.flatMap((each) => {
    const options = each.in === 'call' ? callOptions(site.options, site.args) : client ? [client.options] : []
    return options.flatMap((term) => ignored(each, term, evaluator))
  })
  return [...found, ...inBody({ site })]
}

/** True for a call whose own limit is one that its library ignores: `ignored-option` says so, and what is left. */
export function hasIgnoredLimit(seen: Pick<SeenCall, 'site'>): boolean {
  return ignoredIn(seen).some((each) => each.in === 'call')
}

/** The numbers among the options of something that has no model. */
export function ignoredInMade(name: string, args: readonly Term[], evaluator: Evaluator): readonly FoundIgnored[] {
  return (byLibrary.get(name) ?? []).flatMap((each) => args.flatMap((term) => ignored(each, term, evaluator)))
}

function callOptions(options: Term | undefined, args: readonly Term[]): readonly (Term | undefined)[] {
  return options ? [options] : args.slice(1)
}

/** No time is no limit that anybody would miss: `timeout: 0`. */
const IS_TIME = /time/i

function ignored(each: IgnoredOption, options: Term | undefined, evaluator: Evaluator): FoundIgnored[] {
  if (options?.kind !== 'object') return []
  const setting = settingIn(options, each.option, evaluator)
  if (setting.state !== 'given' || typeof setting.value !== 'number') return []
  const { option, instead, effect = null } = each
  if (setting.value <= 0 && IS_TIME.test(option)) return []
  return [{ option, instead, effect, value: setting.value, spot: setting.spot, in: each.in }]
}

function holdsFor({ versions }: IgnoredOption, version: string | null): boolean {
  if (versions === undefined) return true
  const bound = /^(<|>=)(.+)$/.exec(versions)
  if (!bound || version === null) return false
  const isBefore = compareVersions(version, bound[2] ?? '') < 0
  return bound[1] === '<' ? isBefore : !isBefore
}

/** Words that a body does not have and a config does. */
const CONFIG = /^(headers|params|baseURL|signal|responseType|validateStatus|auth|proxy|httpAgent|httpsAgent|maxRedirects|withCredentials)$/

/** A smaller number beside nothing else may be seconds of something in a body. */
const LEAST_MS = 100

/** `axios.post(url, { timeout, headers })`: the second argument is the body, and the config is sent to the other side. */
function inBody({ site }: Pick<SeenCall, 'site'>): FoundIgnored[] {
  const { model, method, args, evaluator } = site
  const [, body] = args
  if (model.id !== 'axios' || !/^(post|put|patch)$/.test(method) || args.length !== 2 || body?.kind !== 'object') return []
  const names = body.parts.map((part) => ('name' in part ? part.name : ''))
  const setting = settingIn(body, 'timeout', evaluator)
  if (setting.state !== 'given' || typeof setting.value !== 'number' || setting.value < LEAST_MS) return []
  if (!names.every((name) => name === 'timeout' || CONFIG.test(name))) return []
  const effect = 'is sent as the body: the config is the third argument'
  return [
    {
      option: 'timeout',
      instead: `axios.${method}(url, body, { timeout: … })`,
      effect,
      value: setting.value,
      spot: setting.spot,
      in: 'call',
    },
  ]
}
