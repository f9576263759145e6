import type { Spot } from '../../model/sourced.js'
import type { ScanView, SeenCall } from '../scan-view.js'

/** The calls in their order, those last whose cause holds up nobody who is served: of two with the same lack the other one is told. */
export function asideLast(
  calls: readonly SeenCall[],
  causeOf: (seen: SeenCall) => Spot,
  isAside: ScanView['isAside'],
): readonly SeenCall[] {
  const aside = new Set(calls.filter((seen) => isAside(causeOf(seen))))
  return aside.size === 0 ? calls : [...calls.filter((seen) => !aside.has(seen)), ...aside]
}
