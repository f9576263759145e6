import { kindOf } from '../chain/plain-chain.js'
import type { Arm } from './arm.js'

/** The chain as it is written, its budget handed down by every service of ours. */
export const sandglass: Arm = {
  name: 'sandglass',
  protection: 'sandglass',
  what: 'one budget handed down, by @sandglass/runtime',
  chainOf(chain) {
    const copy = structuredClone(chain)
    for (const service of Object.values(copy.services)) {
      const kind = kindOf(service)
      // What others run does not know our header; a database's driver carries the limit there and cancels.
      if (kind === 'client' || kind === 'third-party') continue
      service['deadline'] = 'propagate'
    }
    return copy
  },
}
