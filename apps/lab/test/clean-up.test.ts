import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  buildLab,
  commandOf,
  descendants,
  gone,
  type Listener,
  listenersOf,
  type RunningLab,
  startLab,
  stillListening,
} from './lab-under-test.js'

beforeAll(buildLab)

/** A lab in the middle of an arm: its processes and the sockets they listen at. */
async function inTheMiddle(...args: string[]): Promise<{ lab: RunningLab; pids: number[]; listening: Listener[] }> {
  const lab = startLab('--arms', 'sandglass', '--rate', '20', '--duration', '30', '--stand-ins', '--report', '/dev/null', ...args)
  await lab.said('last good answers')
  let pids: number[] = []
  // Five services, the probe, the client and the keeper.
  while (listenersOf(pids).length < 6) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    pids = descendants(lab.child.pid!)
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { lab, pids, listening: listenersOf(pids) }
}

describe('nothing of a lab is left', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('after %s', async (signal) => {
    const { lab, pids, listening } = await inTheMiddle()
    const askedAt = Date.now()
    lab.child.kill(signal)
    expect(await lab.ended()).toBe(signal === 'SIGINT' ? 130 : 143)
    // The arm would have gone on for half a minute.
    expect(Date.now() - askedAt).toBeLessThan(10_000)
    expect(await gone(pids, 1000)).toEqual([])
    expect(stillListening(listening)).toEqual([])
  })

  it('after the lab itself was killed, even of a service that was stopped', async () => {
    const { lab, pids, listening } = await inTheMiddle('--fault', 'promotion:stop@1ms')
    await new Promise((resolve) => setTimeout(resolve, 500))
    lab.child.kill('SIGKILL')
    await once(lab.child, 'exit')
    expect(await gone(pids, 4000)).toEqual([])
    // What was stopped gives its sockets back a moment after it is gone.
    for (let k = 0; k < 40 && stillListening(listening).length > 0; k++) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(stillListening(listening)).toEqual([])
  })

  it('after an arm that could not be run', async () => {
    const { lab, pids, listening } = await inTheMiddle()
    // Without its client a run has no result.
    const client = pids.find((pid) => commandOf(pid).includes('load-process'))
    process.kill(client!, 'SIGKILL')
    expect(await lab.ended()).toBe(3)
    expect(lab.stderr()).toContain('the client ended before the run was over')
    expect(await gone(pids, 1000)).toEqual([])
    expect(stillListening(listening)).toEqual([])
  })
})
