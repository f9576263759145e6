import { expect, test } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

test('the lockfile of Rush tells the versions of all folders of its repository', async () => {
  const lock = `lockfileVersion: '9.0'
importers:
  .: {}
  ../../services/bot:
    dependencies:
      openai:
        specifier: ^4.0.0
        version: 4.104.0
packages:
  openai@4.104.0:
    resolution: {integrity: sha512-a}
snapshots:
  openai@4.104.0: {}
`
  const code = `import OpenAI from 'openai'\nconst client = new OpenAI()\nexport const ask = () => client.chat.completions.create({})\n`
  const system = memorySystem({ 'common/config/rush/pnpm-lock.yaml': lock, 'services/bot/src/ask.ts': code })
  await run(['scan', 'services'], system)
  expect(system.said.stdout).toContain('the default of openai 4.104.0 ends this call: 600 s for the answer')
})
