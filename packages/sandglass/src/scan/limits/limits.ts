import type { BoundKind } from '@sandglass/runtime/core'
import { defaultMs, defaultOf } from '../../model/default-of.js'
import type { Spot } from '../../model/sourced.js'
import type { Site } from '../models/library-model.js'
import type { LimitState } from './limit-state.js'
import { type Setting, settingOfCall } from './settings.js'

/** How a library's setting is read as a limit. */
export interface LimitReading {
  /** Where it stands in the options: `timeout`, `timeout.request`. */
  readonly setting: string
  readonly kind: BoundKind
  /** False where the work goes on after it. Default: true. */
  readonly cancels?: boolean
  /** The unit of a number in ms. Default: 1. */
  readonly unitMs?: number
  /** True for the written values that switch it off. Default: 0, null, false, Infinity and negative numbers. */
  readonly isOff?: (value: unknown) => boolean
  /** The row of the defaults table that holds where nothing is written: product and setting. Without it: no limit. */
  readonly default?: readonly [string, string]
  /** The version that decides about the default, where it is not the package's own. */
  readonly defaultVersion?: string | null
}

/** A limit of a call from its own options, its client's, or the library's default. */
export function limitOf(site: Site, reading: LimitReading): LimitState {
  const { setting } = settingOfCall(site.options, site.client, reading.setting, site.evaluator)
  return limitFrom(setting, site, reading)
}

/** A limit from a setting that was looked up elsewhere. */
export function limitFrom(setting: Setting, site: Site, reading: LimitReading): LimitState {
  const name = reading.setting
  switch (setting.state) {
    case 'absent':
      return defaultLimit(site, reading)
    case 'unknown':
      return { state: 'unknown', name, why: setting.why }
    case 'term':
      return { state: 'unknown', name, why: 'it is no plain number' }
    case 'given': {
      const { value, spot, isAssumed, isMost } = setting
      const isOff = reading.isOff ?? isSwitchedOff
      if (isOff(value)) return { state: 'none', name, spot, isOff: true }
      const ms = typeof value === 'number' ? value : Number(value)
      if (typeof value === 'boolean' || Number.isNaN(ms)) return { state: 'unknown', name, why: 'it is no plain number' }
      return {
        state: 'written',
        name,
        kind: reading.kind,
        ms: ms * (reading.unitMs ?? 1),
        origin: { kind: 'declared', spot },
        cancels: reading.cancels ?? true,
        isAssumed,
        ...(isMost ? { isMost } : {}),
      }
    }
  }
}

function isSwitchedOff(value: unknown): boolean {
  return value === null || value === false || value === 0 || value === Number.POSITIVE_INFINITY || (typeof value === 'number' && value < 0)
}

/** Where a limit that is missing could be written: at the client, so that all its calls have it, else at the call. */
export function homeOf(site: Site): Spot {
  return site.client && (site.client.identity !== null || site.client.options?.kind !== 'unknown') ? site.client.spot : site.spot
}

/** The library's own default of a setting, by its version. */
export function defaultLimit(site: Site, reading: LimitReading): LimitState {
  const name = reading.setting
  const spot = homeOf(site)
  if (!reading.default) return { state: 'none', name, spot, isOff: false }
  const [system, setting] = reading.default
  const version = reading.defaultVersion === undefined ? site.version : reading.defaultVersion
  const found = defaultOf(system, setting, version)
  if (found.kind === 'none') return { state: 'none', name, spot, isOff: false }
  const rows = found.kind === 'known' ? [found.row] : found.rows
  const times = rows.map(defaultMs)
  if (times.every((ms) => ms === 'none')) return { state: 'none', name, spot, isOff: false }
  const numbers = times.filter((ms): ms is number => typeof ms === 'number')
  if (numbers.length < times.length) return { state: 'unknown', name, why: `it differs by the version of ${system}` }
  return {
    state: 'default',
    name,
    kind: reading.kind,
    ms: Math.max(...numbers),
    origin: { kind: 'default', product: system, version, spot, setting },
    cancels: reading.cancels ?? true,
    isAssumed: false,
  }
}
