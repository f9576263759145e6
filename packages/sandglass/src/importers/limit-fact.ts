import { formatDuration, longestDurationMs } from '@sandglass/runtime/core'
import type { LimitMs } from '../model/chain.js'
import { type DefaultRow, defaultCount, defaultMs, defaultOf } from '../model/default-of.js'
import { declared, type Origin, type Sourced, type Spot } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft } from './facts.js'
import { type DurationDialect, parseDuration } from './parse-duration.js'
import { templateIn } from './templates.js'

/** A text in a file, and where. */
export interface Written {
  readonly text: string
  readonly spot: Spot
}

/** Which product's setting is read, and where it would stand. */
export interface Setting {
  readonly draft: FactsDraft
  /** The system's name in the table of defaults. */
  readonly system: string
  readonly version: string | null
  /** Its key there. */
  readonly key: string
  /** As people write it in this file; the key unless it is given. */
  readonly shown?: string
  /** Where it is missing, when it is. */
  readonly at: Spot
}

/** The limit that holds for a setting: what is written, else the product's default; undefined where that is no limit. */
export function limitFact(
  setting: Setting,
  written: Written | undefined,
  dialect: DurationDialect,
  zero: 'as-is' | 'none' = 'as-is',
): Sourced<LimitMs> | undefined {
  if (!written) return defaultLimit(setting, setting.at)
  const template = templateIn(written.text)
  if (template !== null) return unresolved(setting, written, template)
  const parsed = parseDuration(written.text, dialect)
  if (parsed.ok) return declared(parsed.ms === 0 && zero === 'none' ? 'none' : Math.min(parsed.ms, longestDurationMs), written.spot)
  const instead = defaultLimit(setting, written.spot)
  addDead(setting.draft, {
    setting: setting.shown ?? setting.key,
    written: written.text,
    spot: written.spot,
    because: parsed.message,
    effective: effectiveText(setting, instead),
  })
  return instead
}

function effectiveText(setting: Setting, limit: Sourced<LimitMs> | undefined): string {
  return `${formatLimit(limit)}, the default of ${setting.system}`
}

function unresolved({ draft, key, shown }: Setting, written: Written, template: string): Sourced<'unknown'> {
  addNote(draft, 'unknown', written.spot, `${shown ?? key}: ${template} is not resolved; the value is unknown`)
  return declared('unknown', written.spot)
}

function originOf({ system, version, key }: Setting, spot: Spot): Origin {
  return { kind: 'default', product: system, version, setting: key, spot }
}

/** A product's default of a time: undefined where it is no limit, `unknown` where versions differ and the version is not known. */
export function defaultLimit(setting: Setting, spot: Spot): Sourced<LimitMs> | undefined {
  const row = knownRow(setting, spot)
  if (row === null) return { value: 'unknown', origin: originOf(setting, spot) }
  const ms = defaultMs(row)
  if (ms === 'none') return undefined
  return { value: ms ?? 'unknown', origin: originOf(setting, spot) }
}

/** A product's default of a count; `unknown` where versions differ and the version is not known. */
export function defaultNumber(setting: Setting): Sourced<number | 'unknown'> {
  const row = knownRow(setting, setting.at)
  return { value: (row && defaultCount(row)) ?? 'unknown', origin: originOf(setting, setting.at) }
}

/** A product's default as the table writes it. */
export function defaultText(setting: Setting): Sourced<string> {
  return { value: knownRow(setting, setting.at)?.text ?? '', origin: originOf(setting, setting.at) }
}

function knownRow(setting: Setting, spot: Spot): DefaultRow | null {
  const { draft, system, version, key, shown } = setting
  const found = defaultOf(system, key, version)
  if (found.kind === 'known') return found.row
  const versions =
    found.kind === 'differs' ? found.rows.map(({ text, version: of }) => `${text} in ${of}`).join(', ') : 'no default is known'
  addNote(draft, 'unknown', spot, `${shown ?? key}: depends on the version of ${system}, which is not known: ${versions}`)
  return null
}

/** A whole number that is written, else the product's default; a text that is none is dropped, and said. */
export function countFact(setting: Setting, written: Written | undefined): Sourced<number | 'unknown'> {
  if (!written) return defaultNumber(setting)
  const template = templateIn(written.text)
  if (template !== null) return unresolved(setting, written, template)
  if (/^\d{1,10}$/.test(written.text)) return declared(Number(written.text), written.spot)
  const instead = defaultNumber({ ...setting, at: written.spot })
  addDead(setting.draft, {
    setting: setting.shown ?? setting.key,
    written: written.text,
    spot: written.spot,
    because: `"${written.text.slice(0, 40)}" is not a whole number`,
    effective: `${instead.value}, the default of ${setting.system}`,
  })
  return instead
}

/** A limit for people. */
export function formatLimit(limit: Sourced<LimitMs> | undefined): string {
  return limit === undefined || limit.value === 'none' ? 'no limit' : limit.value === 'unknown' ? 'unknown' : formatDuration(limit.value)
}
