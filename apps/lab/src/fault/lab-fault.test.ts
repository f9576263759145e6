import { describe, expect, it } from 'vitest'
import { readFault } from './lab-fault.js'

const faultOf = (text: string) => {
  const read = readFault(text)
  return read.ok ? read.fault : read.message
}

describe('a fault in words', () => {
  it.each([
    [
      'db.select:latency=x20@4s+6s',
      { on: 'operation', service: 'db', trouble: { operation: 'select', times: 20 }, atMs: 4000, forMs: 6000 },
    ],
    ['pay.prepare:latency=+2s', { on: 'operation', trouble: { operation: 'prepare', addMs: 2000 }, atMs: 0, forMs: null }],
    ['db.select:errors=30%', { trouble: { operation: 'select', errorShare: 0.3 } }],
    ['db.select:hang=5%', { trouble: { hangShare: 0.05 } }],
    ['db.select:lock=10%@1500ms', { trouble: { lockShare: 0.1 }, atMs: 1500, forMs: null }],
    ['db.select:capacity=x0.2', { trouble: { speed: 0.2 } }],
    ['db.select:down', { trouble: { isDown: true } }],
    ['order:kill@6s', { on: 'process', service: 'order', signal: 'SIGKILL', atMs: 6000 }],
    ['order:stop', { on: 'process', signal: 'SIGSTOP' }],
    ['order>inventory-db:delay=100ms', { on: 'wire', caller: 'order', callee: 'inventory-db', wire: { delayMs: 100 } }],
    ['a>b:jitter=50ms', { wire: { jitterMs: 50 } }],
    ['a>b:hang', { wire: { hangs: true } }],
    ['a>b:reset', { wire: { resets: true } }],
    ['a>b:refuse', { wire: { refuses: true } }],
    ['a>b:throttle=1000', { wire: { bytesPerS: 1000 } }],
    ['a>b:drip=5ms', { wire: { dripMs: 5 } }],
  ])('%s', (text, expected) => {
    expect(faultOf(text)).toMatchObject(expected)
  })

  it.each([
    '',
    'order',
    'order:explode',
    'db.select:latency=20',
    'db.select:errors=200%',
    'a>b:delay=fast',
    'a>b:throttle=-1',
    'order:kill@soon',
    'order:kill@4s+never',
  ])('%s is refused with one line', (text) => {
    expect(faultOf(text)).toMatch(/^fault "[^\n]*$/)
  })
})
