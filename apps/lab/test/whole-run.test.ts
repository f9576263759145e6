import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LabJson } from '../src/report/lab-json.js'
import { buildLab, startLab } from './lab-under-test.js'

const schema = JSON.parse(readFileSync(new URL('../schema/lab.schema.json', import.meta.url), 'utf8')) as object

/** Runs a lab with stand-ins to its end. */
async function result(...args: string[]): Promise<{ json: LabJson; stderr: string }> {
  const lab = startLab(...args, '--stand-ins', '--json', '--report', '/dev/null')
  expect(await lab.ended(), lab.stderr()).toBe(0)
  return { json: JSON.parse(lab.stdout()) as LabJson, stderr: lab.stderr() }
}

beforeAll(buildLab)

// A machine that stands still for seconds breaks promises too: such a run is repeated once.
describe('a whole run over real sockets', { retry: 1 }, () => {
  it('answers everything within the promise while the database is slow, and says so in a document that keeps its schema', async () => {
    const { json, stderr } = await result('--arms', 'sandglass', '--rate', '25', '--duration', '5')
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
    expect(json).toMatchObject({ schemaVersion: 1, scenario: 'avalanche', rate: 25, runs: 1 })
    const [arm] = json.arms
    expect(arm).toMatchObject({ name: 'sandglass', answeredShare: 1 })
    expect(arm!.underFault!.usefulShare).toBeGreaterThan(0.97)
    expect(arm!.degradedShare).toBeGreaterThan(0.1)
    expect(json.simulated.map(({ name }) => name)).toEqual(['sandglass'])
    expect(stderr).toContain('stand-ins')
  })

  it('collapses with 30 s and retries on every layer', async () => {
    const { json } = await result('--arms', 'uniform', '--rate', '25', '--duration', '6')
    expect(json.arms[0]!.underFault!.usefulShare).toBeLessThan(0.5)
    expect(json.arms[0]!.recoveryMs).toBeNull()
  })

  it('goes on answering when a service is killed, and tells what happened', async () => {
    const { json, stderr } = await result(
      '--arms',
      'sandglass',
      '--rate',
      '25',
      '--duration',
      '5',
      '--fault',
      'none',
      '--fault',
      'inventory:kill@2s',
    )
    expect(stderr).toContain('inventory ended (SIGKILL)')
    expect(json.arms[0]).toMatchObject({ answeredShare: 1 })
    expect(json.arms[0]!.underFault!.usefulShare).toBeGreaterThan(0.97)
    expect(json.arms[0]!.underFault!.usefulShare - json.arms[0]!.degradedShare).toBeLessThan(0.7)
  })

  it('puts a proxy between two services that are under way, and takes it away again', async () => {
    const { json } = await result(
      '--arms',
      'funnel',
      '--rate',
      '25',
      '--duration',
      '5',
      '--fault',
      'none',
      '--fault',
      'order>promotion:hang@2s+1500ms',
    )
    expect(json.arms[0]!.degradedShare).toBeGreaterThan(0.05)
    expect(json.arms[0]!.degradedShare).toBeLessThan(0.9)
    expect(json.arms[0]!.answeredShare).toBe(1)
  })

  it('accepts a payment for later where too little time is left for it', async () => {
    const { json } = await result(
      'confirm-order',
      '--arms',
      'sandglass',
      '--rate',
      '25',
      '--duration',
      '5',
      '--fault',
      'none',
      '--fault',
      'gateway.confirm:latency=+620ms@2s+2s',
    )
    expect(json.arms[0]!.answeredShare).toBeGreaterThan(0.99)
    expect(json.arms[0]!.degradedShare).toBeGreaterThan(0.2)
    // Nobody asks the payment channel for what it cannot do in time.
    expect(json.arms[0]!.amplification['payment']).toBeLessThan(0.8)
  })
})
