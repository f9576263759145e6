import type { Arm, ArmName } from './arm.js'
import { cockatiel } from './cockatiel.js'
import { funnel } from './funnel.js'
import { opossum } from './opossum.js'
import type { PeerLimits } from './peer-limits.js'
import { sandglass } from './sandglass.js'
import { uniform } from './uniform.js'

/** The arm of a name, its peers' timeouts as asked for. */
export function armOf(name: ArmName, limits: PeerLimits): Arm {
  switch (name) {
    case 'uniform':
      return uniform
    case 'funnel':
      return funnel
    case 'sandglass':
      return sandglass
    case 'cockatiel':
      return cockatiel(limits)
    case 'opossum':
      return opossum(limits)
  }
}
