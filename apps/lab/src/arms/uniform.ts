import { plainCalls } from '../chain/plain-chain.js'
import type { Arm } from './arm.js'
import { withoutBudget } from './without-budget.js'

/** What every layer was given, whatever it calls. */
const EVERYWHERE = '30s'

/** 30 s on every layer, two retries on every layer, at once; no statement limit; nothing else. */
export const uniform: Arm = {
  name: 'uniform',
  protection: 'plain',
  what: '30 s and two retries on every layer',
  chainOf(chain) {
    const copy = withoutBudget(chain, (call) => {
      for (const field of Object.keys(call)) if (!['to', 'share', 'optional', 'async'].includes(field)) delete call[field]
      Object.assign(call, { attempt: EVERYWHERE, attempts: 3 })
    })
    for (const { service, call } of plainCalls(copy)) if (service['kind'] === 'client') call['timeout'] = EVERYWHERE
    for (const service of Object.values(copy.services))
      for (const operation of Object.values(service.operations)) delete operation['limits']
    return copy
  },
}
