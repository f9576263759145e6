import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.js'

const options = (...args: string[]) => {
  const asked = readArguments(args)
  if (asked.kind !== 'run') throw new Error(JSON.stringify(asked))
  return asked.options
}

describe('the command line', () => {
  it('plays the avalanche with all arms when nothing is asked for', () => {
    expect(options()).toMatchObject({
      scenario: { name: 'avalanche' },
      arms: ['uniform', 'funnel', 'sandglass', 'cockatiel', 'opossum'],
      ratePerS: null,
      durationMs: 14_000,
      faults: [],
      keepsOwnFaults: true,
      runs: 1,
    })
  })

  it('takes scenario, arms, rate and faults', () => {
    const asked = options(
      'long-chain',
      '--arms',
      'sandglass, opossum',
      '--rate',
      '80',
      '--fault',
      'risk:kill@2s',
      '--fault',
      'a>b:reset',
      '--duration',
      '7',
    )
    expect(asked).toMatchObject({ scenario: { name: 'long-chain' }, arms: ['sandglass', 'opossum'], ratePerS: 80, durationMs: 7000 })
    expect(asked.faults.map(({ on }) => on)).toEqual(['process', 'wire'])
  })

  it('shrinks a scenario’s own faults with its duration, and leaves them out when asked to', () => {
    expect(options('confirm-order', '--duration', '7').faults).toMatchObject([{ atMs: 5250, forMs: 750 }])
    expect(options('confirm-order', '--fault', 'none')).toMatchObject({ faults: [], keepsOwnFaults: false })
  })

  it.each([
    [['nonsense'], 'there is no scenario "nonsense"; there are avalanche, confirm-order, long-chain'],
    [['--arms', 'resilience'], 'there is no arm "resilience"; there are uniform, funnel, sandglass, cockatiel, opossum'],
    [['--rate', 'fast'], '--rate is "fast"; expected a number above 0'],
    [['--duration', '1'], '--duration is 1 s; expected at least 3'],
    [['--fault', 'order:explode'], 'fault "order:explode": a service can have kill or stop'],
    [['--peers', 'best'], '--peers is "best"; expected documented or chain'],
    [['--frobnicate'], "Unknown option '--frobnicate'"],
  ])('says what is wrong with %j', (args, message) => {
    expect(readArguments(args)).toMatchObject({ kind: 'wrong', message: expect.stringContaining(message) as string })
  })

  it('knows the fault command', () => {
    expect(readArguments(['fault', 'order:kill'])).toEqual({ kind: 'fault', text: 'order:kill' })
    expect(readArguments(['fault'])).toMatchObject({ kind: 'wrong' })
  })
})
