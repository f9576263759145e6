import type { BoundKind } from '@sandglass/runtime/core'
import type { LimitState } from '../limits/limit-state.js'
import { defaultLimit, limitFrom } from '../limits/limits.js'
import type { Phase } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { earlier } from '../signals/signal-limit.js'
import type { Term } from '../terms/term.js'
import { dispatcherOptions } from './dispatcher.js'
import type { Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { firstSetting } from './url-settings.js'

/** What undici waits for, with the limits of the dispatcher that a call is made with, the global one, or none. */
export function fetchPhases(site: Site, own?: Term): readonly Phase[] {
  const dispatchers = [own, dispatcherOf(site), ...globalDispatchers(site)].filter((each) => each !== undefined)
  const limit = (settings: readonly string[], row: string, kind: BoundKind): LimitState => {
    const from =
      site.model.id === 'undici'
        ? { system: 'undici / fetch', version: site.version }
        : { system: 'node fetch', version: nodeVersion(site) }
    const [setting = ''] = settings
    const reading = { setting, kind, default: [from.system, row] as const, defaultVersion: from.version }
    for (const options of dispatchers) {
      const found = firstSetting(settings.map((name) => settingIn(options, name, site.evaluator)))
      if (found.state !== 'absent') return limitFrom(found, site, reading)
    }
    return defaultLimit(site, reading)
  }
  return [
    { what: 'the connection', kind: 'connect', limit: limit(['connect.timeout', 'connectTimeout'], 'connect timeout', 'connect') },
    { what: 'the headers', kind: 'headers', limit: limit(['headersTimeout'], 'headersTimeout', 'headers') },
    { what: 'each part of the body', kind: 'silence', limit: limit(['bodyTimeout'], 'bodyTimeout', 'silence') },
  ]
}

/** What is left of these limits where a client of its own asks over `fetch`: the silence after which it is over. */
export function silenceOfFetch(site: Site): LimitState {
  const none = { state: 'none' as const, name: 'bodyTimeout', spot: site.spot, isOff: false }
  return fetchPhases({ ...site, options: undefined }).at(-1)?.limit ?? none
}

/** The shorter one of `fetch` ends the call, but not for want of another where somebody wrote one, or where nobody can tell. */
export function endedByFetch(timeout: LimitState, silence: LimitState): LimitState {
  if (timeout.state === 'unknown') return timeout
  const ending = earlier(timeout, silence) ?? timeout
  return timeout.state === 'written' && ending.state === 'default' ? { ...ending, state: 'written' } : ending
}

function nodeVersion({ evaluator, at }: Site): string | null {
  return evaluator.project.versionOf('node', at.module.source.file)
}

/** The dispatcher among the options of a call. */
function dispatcherOf({ options, evaluator }: Site): Term | undefined {
  const own = optionIn(options, 'dispatcher', evaluator)
  return own && dispatcherOptions(own, evaluator)
}

/** What is set for all calls; one that cannot be followed says nothing of those of other packages, which may run elsewhere. */
function globalDispatchers({ uses, at, evaluator }: Site): readonly Term[] {
  const { project } = evaluator
  const home = project.packageOf(at.module.source.file)
  return uses.callsOf('undici:setGlobalDispatcher').flatMap((call) => {
    const options = call.args[0] && dispatcherOptions(call.args[0], evaluator)
    return options && (options.kind !== 'unknown' || project.packageOf(call.at.module.source.file) === home) ? [options] : []
  })
}
