import { describe, expect, it } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

const code = "import { Pool } from 'pg'\nconst pool = new Pool({ host: 'orders-db' })\nexport const all = () => pool.query('select 1')\n"

/** A chain made of code, checked after `change`. */
async function checked(change: (files: Map<string, string>) => void, ...args: readonly string[]) {
  const system = memorySystem({ 'src/a.ts': code, 'package.json': '{ "name": "order" }' })
  await run(['scan', '--chain', 'sandglass.yaml'], system)
  change(system.files)
  system.said.stdout = ''
  await run(['check', '--rule', 'missing-timeout', ...args], system)
  return system.said.stdout
}

describe('check of a chain that was made of code', () => {
  it('names the line of code behind each finding', async () => {
    expect(await checked(() => {})).toMatch(
      /^sandglass\.yaml:\d+:\d+: error missing-timeout order\.request can wait for orders-db\.query for ever: .* \(src\/a\.ts:3\)\n$/,
    )
  })

  it('shows it beside the line of the chain file', async () => {
    const text = await checked(() => {}, '--format', 'text')
    expect(text).toContain('src/a.ts:3:1')
    expect(text).toContain("export const all = () => pool.query('select 1')")
    expect(text).toContain('this is where it comes from')
  })

  it('is silent about code that has changed since, is gone, or never was there', async () => {
    for (const change of [
      (files: Map<string, string>) => files.set('src/a.ts', `// new\n${code}`),
      (files: Map<string, string>) => files.delete('src/a.ts'),
      (files: Map<string, string>) =>
        files.set('sandglass.yaml', (files.get('sandglass.yaml') ?? '').replaceAll('src/a.ts:3', 'src/a.ts:99999')),
    ])
      expect(await checked(change)).not.toContain('src/a.ts')
  })
})
