import type { Sourced } from '../model/sourced.js'

/** A number of slots, tries or instances of which there is at least one: nothing runs with 0 of them, and what a product does instead differs. */
export function atLeastOne<T>(count: Sourced<T>): Sourced<T | 'unknown'> {
  return count.value === 0 ? { ...count, value: 'unknown' } : count
}
