import { expect, it } from 'vitest'
import { memorySystem } from '../memory-system.fixture.js'
import { run } from '../run.js'

const chain = `sandglass: 1
journeys: { list: { promise: 1s, starts: web.list } }
services:
  web: { operations: { list: { does: read, calls: [{ to: items.list }] } } }
  items: { operations: { list: { does: read, latency: { p50: 10ms, p99: 40ms } } } }
`

it.each(['', '\ufeff'])('plan --write keeps the byte order mark of a file as it is: "%s"', async (mark) => {
  const system = memorySystem({ 'sandglass.yaml': mark + chain })
  expect(await run(['plan', '--write'], system)).toBe(0)
  const written = system.files.get('sandglass.yaml') ?? ''
  expect(written).toContain('timeout: 1s')
  expect(written.startsWith('\ufeff')).toBe(mark !== '')
  await run(['plan', '--write'], system)
  expect(system.files.get('sandglass.yaml')).toBe(written)
})
