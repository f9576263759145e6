import { describe, expect, it, test } from 'vitest'
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

const npmLock = (version: string, root = '^4.0.0') =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies: { openai: root } }, 'node_modules/openai': { version } } })
const pnpmLock = (version: string) => `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      openai:
        specifier: ^4.0.0
        version: ${version}
packages:
  openai@${version}:
    resolution: {integrity: sha512-a}
snapshots:
  openai@${version}: {}
`
const asks = (range: string) => JSON.stringify({ dependencies: { openai: range } })
const code = `import OpenAI from 'openai'\nconst client = new OpenAI()\nexport const ask = () => client.chat.completions.create({})\n`

describe('what a package asks for', () => {
  const versionFor = async (texts: Readonly<Record<string, string>>) => {
    const system = memorySystem({ 'shop/src/ask.ts': code, ...texts })
    await run(['scan', 'shop'], system)
    return /(openai(?: [\w.^~]+)?)(?: ends|:)/.exec(system.said.stdout)?.[1]
  }

  it('decides between two lockfiles: one that somebody forgot is left alone', async () => {
    expect(
      await versionFor({
        'shop/package.json': asks('^3.4.0'),
        'shop/pnpm-lock.yaml': pnpmLock('4.104.0'),
        'shop/package-lock.json': npmLock('3.4.33'),
      }),
    ).toBe('openai 3.4.33')
  })

  it('is told as a line where the lockfile further up has another one', async () => {
    expect(await versionFor({ 'shop/package.json': asks('^4.4.0'), 'package-lock.json': npmLock('5.9.2', '^5.0.0') })).toBe('openai ^4.4.0')
    expect(await versionFor({ 'shop/package.json': asks('4.x') })).toBe('openai ^4.0.0')
    expect(await versionFor({ 'shop/package.json': asks('npm:openai@~4.4.0') })).toBe('openai ~4.4.0')
  })

  it('says nothing where it may be of several lines, or is no range', async () => {
    for (const range of [
      '>=4',
      '*',
      'latest',
      '^4.0.0 || ^5.0.0',
      'file:../openai',
      'no range at all',
      Array(300).fill('^4.0.0').join(' || '),
    ])
      expect(await versionFor({ 'shop/package.json': asks(range) })).toBe('openai')
  })

  it('of a package further up says nothing of what others bring to one with a lockfile of its own', async () => {
    const own = { 'shop/package.json': '{"dependencies":{"other":"1"}}', 'shop/package-lock.json': npmLock('3.4.33') }
    expect(await versionFor({ ...own, 'package.json': asks('^4.0.0'), 'package-lock.json': npmLock('4.104.0') })).toBe('openai 3.4.33')
  })

  it('is not held against a lockfile that locks this very package: somebody overrides the range there', async () => {
    expect(await versionFor({ 'shop/package.json': asks('^3.4.0'), 'shop/package-lock.json': npmLock('4.104.0') })).toBe('openai 4.104.0')
  })
})
