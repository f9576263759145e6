import type { Node } from 'oxc-parser'
import { isGlobal } from '../terms/term.js'
import type { Guard } from './guard.js'
import { type Timer, timerIn } from './timer.js'
import { limitGuard, type ReadWrapper, type Wrapping } from './wrapping.js'

/** `Promise.race([work, timer])`: the caller goes on when the timer is first. */
export const readRace: ReadWrapper = (wrapping) => {
  if (!isGlobal(wrapping.callee, 'Promise.race') && !isOtherRace(wrapping)) return null
  const others = othersOf(wrapping)
  const timers = others.flatMap((item) => timerIn(item, wrapping.reckoning) ?? [])
  if (timers.length > 0) return [raceGuard(wrapping, timers)]
  // What else is raced may well be a timer that could not be followed: then nobody knows how long it takes.
  return others.length > 0 ? [limitGuard(wrapping, 'Promise.race', null)] : []
}

function isOtherRace({ callee }: Wrapping): boolean {
  return callee.kind === 'external' && callee.package === 'bluebird' && callee.path.join('.') === 'race'
}

function othersOf({ node, item }: Wrapping): Node[] {
  const [list] = node.arguments
  if (list?.type !== 'ArrayExpression') return []
  return list.elements.flatMap((each) =>
    each === null || each.type === 'SpreadElement' || holds(each as Node, item) ? [] : [each as Node],
  )
}

function holds(outer: Node, inner: Node): boolean {
  return outer.start <= inner.start && outer.end >= inner.end
}

function raceGuard(wrapping: Wrapping, timers: readonly Timer[]): Guard {
  const known = timers.flatMap(({ span }) => (span ? [span[1]] : []))
  const ms = known.length < timers.length && known.length === 0 ? null : Math.min(...known)
  return limitGuard(wrapping, 'Promise.race', ms, { timerLeft: timers.find(({ isLeft }) => isLeft) ?? null })
}
