import { declared, type Sourced, type Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'

/** One of several to which a request may go. */
export interface Weighed {
  readonly spot: Spot
  /** Null where it is written and not known. */
  readonly weight: number | null
  /** Asked only while no other one answers. */
  readonly isBackup?: boolean
}

/** The part of the requests that each of several gets: by weight, and nothing for backups while there are others. Undefined where it is not known. */
export function sharesOf(all: readonly Weighed[]): readonly (Sourced<number> | undefined)[] {
  const ordinary = all.filter(({ isBackup }) => isBackup !== true)
  const isEach = ordinary.length === 0
  const counted = isEach ? all : ordinary
  const total = counted.reduce((sum, { weight }) => sum + (weight ?? Number.NaN), 0)
  return all.map(({ spot, weight, isBackup }) => {
    if (isBackup === true && !isEach) return { ...declared(0, spot), worked: 'a backup, asked while no other one answers' }
    if (all.length > 1 && counted.length === 1) return { ...declared(1, spot), worked: 'the only one that is no backup' }
    if (all.length < 2 || !(total > 0)) return undefined
    return { ...declared(rounded((weight ?? 0) / total), spot), worked: `weight ${weight} of ${total}` }
  })
}

/** A part of a part. */
export function shareWithin(outer: Sourced<number> | undefined, inner: Sourced<number> | undefined): Sourced<number> | undefined {
  if (!outer || !inner) return inner ?? outer
  return {
    ...inner,
    value: rounded(outer.value * inner.value),
    worked: `${inner.worked ?? inner.value}, of ${outer.worked ?? outer.value}`,
  }
}

/** A weight as it is written; null where it is no number. */
export function weightOf(written: Written | undefined, otherwise: number): number | null {
  if (!written) return otherwise
  return /^\d{1,9}$/.test(written.text) ? Number(written.text) : null
}

function rounded(share: number): number {
  return Math.round(share * DIGITS) / DIGITS
}

const DIGITS = 1e4
