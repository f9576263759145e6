import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it } from 'vitest'
import { memorySystem } from '../memory-system.fixture.js'
import { run } from '../run.js'

const chain = (timeout: string) => `
sandglass: 1
journeys: { ask: { promise: 2s, starts: client.ask, rate: 50/s } }
services:
  client: { kind: client, operations: { ask: { does: read, calls: [{ to: db.read, timeout: ${timeout}, attempts: 2 }] } } }
  db: { concurrency: 5, operations: { read: { does: read, latency: { exponential: 20ms } } } }
scenarios:
  slow: { load: { ask: 50/s }, duration: 40s, warmup: 5s, faults: [{ on: db.read, at: 10s, for: 5s, latency: x20 }] }
  calm: { duration: 5s }
`

async function ran(args: readonly string[], texts: Readonly<Record<string, string>> = {}) {
  const system = memorySystem({ 'sandglass.yaml': chain('1s'), 'after.yaml': chain('100ms'), ...texts })
  const code = await run(['simulate', ...args], system)
  return { code, files: system.files, ...system.said }
}

describe('sandglass simulate', () => {
  it('says in text what came of each journey, operation and pool', async () => {
    const { code, stdout, stderr } = await ran(['--scenario', 'slow'])
    expect(code).toBe(0)
    expect(stdout).toContain('slow  ask 50/s, poisson arrivals, 40 s, counted after 5 s')
    expect(stdout).toContain('fault  db.read: latency x20, from 10 s to 15 s')
    expect(stdout).toMatch(/^ask +1 8\d\d +\d+\.\d %/m)
    expect(stdout).toMatch(/^db ran out of its 5 slots at 10\.\d+ s$/m)
    expect(stdout).toMatch(/goodput over time, 0 to 40 s/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is looked for
    expect(stdout).toMatch(/^[\x00-\x7f]*$/)
    expect(stderr).toBe('')
  })

  it('gives intervals for several seeds, and says so', async () => {
    const { stdout } = await ran(['--scenario', 'slow', '--seeds', '3', '--seed', '5'])
    expect(stdout).toContain('+-')
    expect(stdout).toContain('seeds 5 to 7')
  })

  it('compares chains under the same load, each by its name', async () => {
    const { stdout } = await ran(['--scenario', 'slow', '--compare', 'after.yaml'])
    expect(stdout).toMatch(/^sandglass\.yaml +ask/m)
    expect(stdout).toMatch(/^after\.yaml +ask/m)
  })

  it('names the other chain where the scenario does not suit it', async () => {
    const { code, stderr } = await ran(['--scenario', 'slow', '--compare', 'after.yaml'], {
      'after.yaml': chain('1s')
        .replace('{ ask: { promise', '{ query: { promise')
        .replace(/^scenarios[\s\S]*/m, ''),
    })
    expect(code).toBe(2)
    expect(stderr).toBe(
      'sandglass.yaml:8:24: compared with after.yaml: scenario "slow" loads "ask", and there is no such journey; there is query\n',
    )
  })

  it('sweeps a limit', async () => {
    const { stdout } = await ran(['--scenario', 'slow', '--sweep', 'client.ask>db.read.timeout=100ms,1s'])
    expect(stdout).toMatch(/^client\.ask>db\.read\.timeout +journey/m)
    expect(stdout).toMatch(/^100 ms +ask/m)
    expect(stdout).toMatch(/^1 s +ask/m)
  })

  it('says how many events a second only when asked', async () => {
    expect((await ran(['--scenario', 'calm', '--timing'])).stdout).toMatch(/events a second/)
    expect((await ran(['--scenario', 'calm'])).stdout).not.toMatch(/events a second/)
  })

  it.each([
    [['--scenario', 'claim'], 'sandglass simulate: there is no scenario "claim" (did you mean "calm"?); there are slow, calm'],
    [[], 'sandglass simulate: there are several scenarios; choose one with --scenario: slow, calm'],
    [['--seed', 'x'], '--seed'],
    [['--seeds', '0'], 'expected a whole number from 1 to 1000'],
    [['--scenario', 'slow', '--sweep', 'x', '--compare', 'after.yaml'], '--sweep and --compare are two different things'],
    [['--scenario', 'slow', '--seeds', '2', '--batches', '2'], 'both give intervals'],
    [
      ['--scenario', 'slow', '--sweep', 'client.ask>db.raed.timeout=1s..2s'],
      'there is no call client.ask>db.raed (did you mean "client.ask>db.read"?)',
    ],
    [['--scenario', 'slow', '--format', 'xml'], 'there is no format "xml"'],
    [['--scenario', 'slow', '--compare', 'gone.yaml'], 'gone.yaml: there is no such file'],
  ])('refuses %j in one line', async (args, message) => {
    const { code, stdout, stderr } = await ran(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain(message)
  })

  it('points at the line of a scenario that cannot be run', async () => {
    const { code, stderr } = await ran(['--scenario', 'slow'], { 'sandglass.yaml': chain('1s').replace('at: 10s', 'at: 50s') })
    expect(code).toBe(2)
    expect(stderr).toBe('sandglass.yaml:8:87: a fault on db.read begins at 50 s, after the end of scenario "slow" at 40 s\n')
  })
})

describe('its JSON', () => {
  let validate: (value: unknown) => unknown
  beforeAll(() => {
    const schema = JSON.parse(readFileSync(new URL('../../../schema/simulate.schema.json', import.meta.url), 'utf8')) as object
    const compiled = new Ajv({ allErrors: true }).compile(schema)
    validate = (value) => (compiled(value) ? 'valid' : compiled.errors)
  })

  it.each([
    [['--scenario', 'slow']],
    [['--scenario', 'slow', '--timing']],
    [['--scenario', 'slow', '--seeds', '2']],
    [['--scenario', 'slow', '--batches', '4']],
    [['--scenario', 'slow', '--compare', 'after.yaml']],
    [['--scenario', 'slow', '--sweep', 'db.concurrency=5,10', '--seeds', '2']],
  ])('of %j is what the published schema says', async (args) => {
    const { stdout } = await ran([...args, '--format', 'json'])
    expect(validate(JSON.parse(stdout))).toBe('valid')
  })

  it('has the names of the contract', async () => {
    const result = JSON.parse((await ran(['--scenario', 'slow', '--format', 'json'])).stdout)
    expect(Object.keys(result)).toEqual(['schemaVersion', 'scenario', 'seeds', 'events', 'journeys', 'operations', 'resources', 'series'])
    expect(Object.keys(result.journeys.ask)).toEqual([
      'offered',
      'answered',
      'succeeded',
      'degraded',
      'failed',
      'late',
      'successShare',
      'goodputPerS',
      'p50Ms',
      'p90Ms',
      'p99Ms',
      'attemptsPerRequest',
      'recoveryMs',
    ])
    expect(Object.keys(result.operations['db.read'])).toEqual([
      'arrivals',
      'amplification',
      'started',
      'completed',
      'useful',
      'orphanedMs',
      'waitShare',
      'meanWaitMs',
      'p99WaitMs',
      'meanQueue',
      'busyMean',
      'rejected',
      'expiredDropped',
      'breakerOpenMs',
    ])
    expect(result.resources.db).toEqual({ slots: 5, exhaustedAtMs: expect.any(Number) })
    expect(result.series.journeys.ask.offered).toHaveLength(40)
  })

  it('says that admission drops nothing where deadlines are ignored', async () => {
    const db = (more: string) => ({ 'sandglass.yaml': chain('1s').replace('db: {', `db: { admission: expired,${more}`) })
    const { stderr } = await ran(['--scenario', 'calm'], db(''))
    expect(stderr).toContain('db ignores deadlines, so its "admission: expired" drops nothing; it needs "deadline: propagate"')
    expect((await ran(['--scenario', 'calm'], db(' deadline: propagate,'))).stderr).not.toContain('drops nothing')
  })

  it('is the same bytes for the same seed', async () => {
    const args = ['--scenario', 'slow', '--format', 'json', '--seed', '9']
    expect((await ran(args)).stdout).toBe((await ran(args)).stdout)
  })
})

describe('its page', () => {
  it('is written beside the text, needs nothing from outside, and carries what it draws', async () => {
    const { stdout, files } = await ran(['--scenario', 'slow', '--compare', 'after.yaml', '--report', 'out.html'])
    const page = files.get('out.html') ?? ''
    expect(stdout).toContain('goodput over time')
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/)
    expect(page).not.toMatch(/url\(|@import|fetch\(/)
    expect(page).toContain('The MIT License')
    const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? '')
    expect(data.arms.map((arm: { name: string }) => arm.name)).toEqual(['sandglass.yaml', 'after.yaml'])
    expect(data.arms[0].services.db).toMatchObject({ slots: 5 })
    expect(data.faults).toEqual([{ text: 'db.read: latency x20', from: 10, to: 15 }])
  })

  it('shows names from a file as text, never as markup', async () => {
    const { files } = await ran(['--scenario', 'slow', '--report', 'out.html'], {
      'sandglass.yaml': chain('1s').replaceAll('db', '<img/src=x>'),
    })
    expect(files.get('out.html')).not.toContain('<img')
  })
})
