import { defaultCount, defaultOf } from '../../model/default-of.js'
import { homeOf } from '../limits/limits.js'
import type { Attempts } from '../limits/reading.js'
import { type Setting, settingOfCall } from '../limits/settings.js'
import type { Site } from './library-model.js'

/** How a client's own retries are read. */
export interface RetrySettings {
  /** Where the number stands: `retry.limit`, `maxRetries`; the first that is there counts. */
  readonly settings: readonly string[]
  /** The number already counts the first attempt. */
  readonly includesFirst?: boolean
  /** The row of the defaults table; without it: none. */
  readonly default?: readonly [string, string]
  /** The waits for so many retries together, in ms: at least and at most. */
  readonly waitMs: (retries: number) => readonly [number, number]
}

/** The attempts of a call; null where there is one, `unknown` where nobody can tell. */
export function attemptsOf(site: Site, retry: RetrySettings): Attempts | null | 'unknown' {
  for (const name of retry.settings) {
    const { setting } = settingOfCall(site.options, site.client, name, site.evaluator)
    if (setting.state !== 'absent') return written(setting, name, retry)
  }
  return retry.default ? byDefault(site, retry, retry.default) : null
}

function written(setting: Setting, name: string, retry: RetrySettings): Attempts | null | 'unknown' {
  if (setting.state !== 'given') return 'unknown'
  if (setting.value === null || setting.value === false) return null
  const count = Number(setting.value)
  if (Number.isNaN(count) || typeof setting.value === 'boolean') return 'unknown'
  return attempts(retry.includesFirst ? count - 1 : count, name, retry, setting.spot, false)
}

function byDefault(site: Site, retry: RetrySettings, [system, row]: readonly [string, string]): Attempts | null | 'unknown' {
  const found = defaultOf(system, row, site.version)
  const rows = found.kind === 'none' ? [] : found.kind === 'known' ? [found.row] : found.rows
  const [first, ...others] = rows.map(defaultCount)
  if (first === undefined) return null
  if (first === null || others.some((count) => count !== first)) return 'unknown'
  return attempts(retry.includesFirst ? first - 1 : first, retry.settings[0] ?? 'retries', retry, homeOf(site), true)
}

function attempts(retries: number, name: string, { waitMs }: RetrySettings, spot: Attempts['spot'], isDefault: boolean): Attempts | null {
  if (retries === Number.POSITIVE_INFINITY) return { count: null, waitMs: [0, 0], name, spot, isDefault }
  return retries > 0 ? { count: 1 + retries, waitMs: waitMs(retries), name, spot, isDefault } : null
}

/** The parts of a reading that say how often it is tried. */
export function triesOf(found: Attempts | null | 'unknown'): { readonly attempts: Attempts | null; readonly isAttemptsUnknown: boolean } {
  return found === 'unknown' ? { attempts: null, isAttemptsUnknown: true } : { attempts: found, isAttemptsUnknown: false }
}

/** The waits of exponential back-off together: `baseMs`, twice that, … each at most `mostMs`, with up to `noiseMs` more each. */
export function doublingMs(retries: number, baseMs: number, mostMs: number, noiseMs = 0): readonly [number, number] {
  let least = 0
  let most = 0
  for (let k = 0; k < Math.min(retries, 1000); k++) {
    least += Math.min(baseMs * 2 ** k, mostMs)
    most += Math.min(baseMs * 2 ** k + noiseMs, mostMs)
  }
  return [least, most]
}
