// The leaf: ten seconds of work in small steps, which stops as soon as nobody wants the answer.
import { currentSignal } from '@sandglass/runtime'
import { startService } from './service.mjs'

const STEPS = Number(process.env.STEPS ?? 1000)

startService('inventory', 1500, async () => {
  const signal = currentSignal()
  for (let step = 0; step < STEPS; step++) {
    signal?.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { left: 41 }
})
