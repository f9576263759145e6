import type { ArmPair } from './table.js'
import { percent } from './table.js'

/** One promise of the lab about the avalanche, and whether this run kept it. */
export interface Target {
  readonly text: string
  readonly found: string
  readonly isMet: boolean
}

/** What is promised of `sandglass`; in the avalanche also what `uniform` and the peers are expected to do on the same run. */
export function targetsOf(pairs: readonly ArmPair[], scenario: string): readonly Target[] {
  const of = (name: string): ArmPair['measured'] | undefined => pairs.find(({ measured }) => measured.name === name)?.measured
  const [ours, uniform] = [of('sandglass'), of('uniform')]
  const peers = [of('cockatiel'), of('opossum')].filter((peer) => peer !== undefined)
  const targets: Target[] = []
  const add = (text: string, found: string, isMet: boolean): void => void targets.push({ text, found, isMet })
  if (ours) {
    const most = Math.max(...Object.values(ours.amplification))
    add('sandglass: answered within the promise >= 99.9 %', percent(ours.answeredShare), ours.answeredShare >= 0.999)
    if (ours.underFault)
      add('sandglass: useful under fault >= 97.2 %', percent(ours.underFault.usefulShare), ours.underFault.usefulShare >= 0.972)
    add('sandglass: amplification <= 1.1', most.toFixed(2), most <= 1.1)
    add('sandglass: orphaned work < 1 %', percent(ours.orphanedShare), ours.orphanedShare < 0.01)
    if (ours.underFault)
      add(
        'sandglass: back within 2 s',
        ours.recoveryMs === null ? 'never' : `${Math.round(ours.recoveryMs)} ms`,
        ours.recoveryMs !== null && ours.recoveryMs <= 2000,
      )
  }
  if (uniform && scenario === 'avalanche') {
    const most = Math.max(...Object.values(uniform.amplification))
    add('uniform: success < 50 %', percent(uniform.usefulShare), uniform.usefulShare < 0.5)
    add('uniform: amplification >= 4', most.toFixed(2), most >= 4)
  }
  if (ours?.underFault && peers.length > 0 && scenario === 'avalanche') {
    const best = Math.max(...peers.map(({ underFault }) => underFault?.goodputPerS ?? 0))
    const factor = best === 0 ? Infinity : ours.underFault.goodputPerS / best
    add('goodput under fault >= 1.5 x the better peer', `${factor.toFixed(2)} x`, factor >= 1.5)
  }
  return targets
}
