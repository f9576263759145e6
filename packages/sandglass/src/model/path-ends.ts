import type { Visit } from './situations.js'

/** A path of more names than this is shown by its ends, with `…` between: thousands of findings on a path of thousands stay small and quick. */
export const MAX_PATH = 256
const HEAD_LAYERS = 127
const TAIL_LAYERS = 127

/** The layers of a path, outermost first: all of them, or the first and the last where there are more than a path shows. */
export interface PathEnds {
  readonly head: readonly Visit[]
  /** Empty where `head` holds all layers. */
  readonly tail: readonly Visit[]
}

/** The outermost layers of a path that is longer than they are; shared by all visits below, so that each is found once. */
const headOf = new WeakMap<Visit, readonly Visit[]>()

function findHead(from: Visit): readonly Visit[] {
  const below: Visit[] = []
  let at: Visit | null = from
  while (at && !headOf.has(at)) {
    below.push(at)
    at = at.arrival.via
  }
  let head = (at && headOf.get(at)) ?? []
  for (let i = below.length - 1; i >= 0; i--) {
    const visit = below[i]
    if (!visit) continue
    if (head.length < HEAD_LAYERS) head = [...head, visit]
    headOf.set(visit, head)
  }
  return head
}

/** The ends of the path of a visit. */
export function pathEnds(visit: Visit): PathEnds {
  const layers: Visit[] = []
  let at: Visit | null = visit
  while (at && layers.length < MAX_PATH) {
    layers.push(at)
    at = at.arrival.via
  }
  // MAX_PATH names are one more than the layers they stand for.
  if (layers.length < MAX_PATH) return { head: layers.reverse(), tail: [] }
  return { head: findHead(visit), tail: layers.slice(0, TAIL_LAYERS).reverse() }
}
