import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import cruiserConfig from '../.dependency-cruiser.mjs'
import { layoutProblems } from './layout.mjs'
import { linkProblems } from './links.mjs'
import { lockfileProblems } from './lockfile.mjs'
import { trioProblems } from './rule-trio.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const r = 'packages/runtime/src'
const s = 'packages/sandglass/src'
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder that holds only these files; a path is its file's whole text by default. */
function planted(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-canary-'))
  folders.push(folder)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function output(folder: string, tool: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: folder, encoding: 'utf8' })
  return stdout || stderr
}

const value = (name: string): string => `export const ${name} = 1\n`
const uses = (path: string): string => `import { x } from '${path}'\nexport const y = x\n`
const usesType = (path: string): string => `import type { x } from '${path}'\nexport type Y = typeof x\n`
const exported = (text: Record<string, string>): string => JSON.stringify({ name: '@sandglass/runtime', type: 'module', exports: text })

/** The tree in which everything is as it should be. */
const sound = {
  'package.json': JSON.stringify({ name: 'planted', type: 'module', workspaces: ['packages/*'] }),
  'packages/runtime/package.json': exported({ '.': './dist/index.js', './core': './dist/core/index.js' }),
  'packages/runtime/dist/index.js': value('x'),
  'packages/runtime/dist/core/index.js': value('x'),
  'packages/sandglass/package.json': JSON.stringify({
    name: 'sandglass',
    type: 'module',
    dependencies: { '@sandglass/runtime': '*', leftpad: '*' },
  }),
  'node_modules/leftpad/package.json': JSON.stringify({ name: 'leftpad', type: 'module', exports: './index.js' }),
  'node_modules/leftpad/index.js': value('x'),
  [`${r}/core/deadline.ts`]: value('x'),
  [`${r}/core/budget.ts`]: uses('./deadline.js'),
  [`${r}/clock.ts`]: `import { AsyncResource } from 'node:async_hooks'\nimport { x } from './core/deadline.js'\nexport const y = [x, AsyncResource]\n`,
  [`${r}/call.ts`]: uses('./clock.js'),
  [`${r}/adapters/fetch.ts`]: uses('../call.js'),
  [`${r}/testing/index.ts`]: uses('../clock.js'),
  [`${s}/model/chain.ts`]: uses('@sandglass/runtime/core'),
  [`${s}/model/ring.ts`]: `import type { Y } from './ring-type.js'\nexport const z: Y = 1\nexport const x = 1\n`,
  [`${s}/model/ring-type.ts`]: usesType('./ring.js'),
  [`${s}/rules/inverted.ts`]: uses('../model/chain.js'),
  [`${s}/rules/inverted.test.ts`]: uses('../importers/yaml.js'),
  [`${s}/importers/yaml.ts`]: uses('leftpad'),
  [`${s}/report/text.ts`]: uses('../rules/inverted.js'),
  [`${s}/cli/main.ts`]: `import { readFileSync } from 'node:fs'\nimport { x } from '../report/text.js'\nexport const y = [x, readFileSync]\n`,
  [`${s}/index.ts`]: uses('./report/text.js'),
}

/** For each rule of the directions: files that break it, under names of their own. The first is the one that must be reported. */
const detours: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core-imports-nothing': { [`${r}/core/a.ts`]: uses('../clock.js') },
  'clock-and-context-are-the-floor': { [`${r}/context.ts`]: uses('./scope.js'), [`${r}/scope.ts`]: uses('./call.js') },
  'nothing-imports-an-adapter': { [`${r}/a1.ts`]: uses('./adapters/fetch.js') },
  'adapters-are-strangers': { [`${r}/adapters/axios.ts`]: uses('./fetch.js') },
  'testing-is-for-tests': { [`${r}/a2.ts`]: uses('./testing/index.js') },
  'runtime-node-imports': { [`${r}/a3.ts`]: `import { readFileSync as x } from 'node:fs'\nexport const y = x\n` },
  'one-async-local-storage': {
    [`${r}/adapters/koa.ts`]: `import { AsyncLocalStorage as x } from 'node:async_hooks'\nexport const y = x\n`,
  },
  'runtime-has-no-dependencies': { [`${r}/adapters/hono.ts`]: usesType('leftpad') },
  'model-is-the-base': { [`${s}/model/a1.ts`]: uses('../rules/inverted.js') },
  'siblings-are-strangers': { [`${s}/plan/a.ts`]: usesType('../rules/inverted.js') },
  'report-prints-and-does-nothing-else': { [`${s}/report/a.ts`]: uses('../cli/main.js') },
  'nothing-imports-the-cli': { [`${s}/a4.ts`]: uses('./cli/main.js') },
  'the-editor-scans-and-does-nothing-else': { [`${s}/eslint/a.ts`]: uses('../report/text.js') },
  'nothing-imports-the-entry': { [`${s}/cli/a.ts`]: uses('../index.js') },
  'only-cli-imports-node': { [`${s}/scan/a.ts`]: `import { readFileSync as x } from 'node:fs'\nexport const y = x\n` },
  'engine-takes-core-only': { [`${s}/simulate/a.ts`]: uses('@sandglass/runtime') },
  'packages-meet-at-their-exports': { [`${s}/model/a2.ts`]: uses('../../../runtime/src/core/deadline.js') },
  'no-tests-in-production': { [`${s}/rules/a.ts`]: uses('./inverted.test.js') },
  'no-value-cycle': { [`${s}/model/a3.ts`]: uses('./a4.js'), [`${s}/model/a4.ts`]: `import { y } from './a3.js'\nexport const x = y\n` },
  'not-resolvable': { [`${s}/model/a5.ts`]: uses('@sandglass/runtime/dist/clock.js') },
}

function cruise(files: Readonly<Record<string, string>>): string[] {
  const folder = planted(files)
  copyFileSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  mkdirSync(join(folder, 'node_modules/@sandglass'), { recursive: true })
  symlinkSync(join(folder, 'packages/runtime'), join(folder, 'node_modules/@sandglass/runtime'))
  const args = ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', 'packages']
  const text = output(folder, 'dependency-cruiser/bin/dependency-cruise.mjs', args)
  const { summary } = JSON.parse(text) as { summary: { violations: { from: string; to: string; rule: { name: string } }[] } }
  return summary.violations.map(({ from, rule }) => `${rule.name} ${from}`)
}

describe('the directions', () => {
  it('lets the sound tree pass', () => {
    expect(cruise(sound)).toEqual([])
  })

  it('has a planted violation for every rule', () => {
    const rules = (cruiserConfig.forbidden ?? []).map(({ name }) => String(name))
    expect(Object.keys(detours).sort()).toEqual(rules.sort())
  })

  const caught = once(() => cruise(Object.assign({}, sound, ...Object.values(detours))))

  it.each(Object.entries(detours))('catches a violation of %s', (rule, files) => {
    expect(caught()).toContain(`${rule} ${Object.keys(files)[0]}`)
  })
})

const core = `${r}/core/*.ts`
/** The rule, where (`*` becomes a name of its own), and what breaks it there. */
const lint = (
  [
    ['no-restricted-globals', core, 'export const at = (): number => Date.now()\n'],
    ['no-restricted-globals', core, 'export const at = (): number => performance.now()\n'],
    ['no-restricted-globals', core, 'export const later = (f: () => void): unknown => setTimeout(f, 1)\n'],
    ['no-restricted-globals', core, 'export const at = (): number => globalThis.Date.now()\n'],
    ['no-restricted-properties', core, 'export const chance = (): number => Math.random()\n'],
    ['no-restricted-globals', `${r}/*.ts`, 'export const later = (f: () => void): unknown => setTimeout(f, 1)\n'],
    ['no-restricted-properties', `${r}/*.ts`, 'export const any = (a: AbortSignal): AbortSignal => AbortSignal.any([a])\n'],
    ['no-restricted-globals', `${s}/plan/*.ts`, 'export const where = (): string => process.cwd()\n'],
    ['no-restricted-properties', `${s}/simulate/*.ts`, 'export const chance = (): number => Math.random()\n'],
    ['no-floating-promises', `${r}/*.ts`, 'export function go(f: () => Promise<void>): void {\n  f()\n}\n'],
    ['no-misused-promises', `${r}/*.ts`, 'export const all = (f: (n: number) => Promise<void>): void => [1].forEach(f)\n'],
    ['await-thenable', `${r}/*.ts`, 'export async function go(): Promise<number> {\n  return await 1\n}\n'],
    ['no-explicit-any', `${r}/*.ts`, 'export const same = (x: any): unknown => x\n'],
    ['no-unsafe-assignment', `${r}/*.ts`, 'export const n: number = JSON.parse("1")\n'],
    ['no-default-export', `${r}/*.ts`, 'export default 1\n'],
    ['ban-ts-comment', `${r}/*.ts`, '// @ts-ignore because\nexport const n: number = ""\n'],
    ['no-console', `${r}/*.ts`, 'console.log(1)\n'],
    ['max-lines', `${r}/*.ts`, 'export const n = 1\n'.padEnd(420, '\n')],
    ['max-depth', `${r}/*.ts`, 'export function f(x: number): void {\n  if (x) { if (x > 1) { if (x > 2) { if (x > 3) f(x) } } }\n}\n'],
    ['no-focused-tests', `${r}/*.test.ts`, "import { it } from 'vitest'\nit.only('works', () => {})\n"],
  ] as const
).map(([rule, file, text], i) => ({ rule, file: file.replace('*', `a${i}`), text }))

/** What the linter says about these files, one finding a line. */
function linted(files: Readonly<Record<string, string>>): string[] {
  const tsconfig = JSON.stringify({ extends: './tsconfig.base.json', include: ['packages'] })
  const folder = planted({ ...files, 'package.json': '{ "type": "module" }', 'tsconfig.json': tsconfig })
  for (const config of ['.oxlintrc.json', 'tsconfig.base.json']) copyFileSync(join(root, config), join(folder, config))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const text = output(folder, 'oxlint/bin/oxlint', ['--type-aware', '--format=unix', 'packages'])
  return text.split('\n').filter((line) => line.startsWith('packages/'))
}

describe('the linter', () => {
  const findings = once(() => linted(Object.fromEntries(lint.map(({ file, text }) => [file, text]))))

  it('lets sound files pass', () => {
    const pure = 'export const left = (deadlineAt: number, now: number): number => Math.max(0, deadlineAt - now)\n'
    const timer = 'export const later = (f: () => void): unknown => setTimeout(f, 1)\n'
    expect(
      linted({
        [`${r}/core/a.ts`]: pure,
        [`${r}/clock.ts`]: timer,
        [`${s}/cli/a.ts`]: 'export const where = (): string => process.cwd()\n',
      }),
    ).toEqual([])
  })

  it.each(lint)('reports $rule in $file', ({ rule, file }) => {
    expect(findings().filter((line) => line.startsWith(`${file}:`) && line.includes(rule))).not.toEqual([])
  })
})

describe('the style', () => {
  const styled = (text: string): string[] => {
    const folder = planted({ 'package.json': '{}', 'packages/a.ts': text })
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
    const findings = output(folder, '@biomejs/biome/bin/biome', [
      'ci',
      '--vcs-enabled=false',
      '--error-on-warnings',
      '--reporter=concise',
      'packages',
    ])
    return findings.split('\n').filter((line) => line.includes('packages/a.ts'))
  }

  it('lets a sound file pass', () => {
    expect(styled("import { a } from './a.js'\n\nexport const b = a\n")).toEqual([])
  })

  it.each([
    ['format', 'export const n = "1";\n'],
    ['organizeImports', "import { b } from './b.js'\nimport { a } from './a.js'\n\nexport const n = [a, b]\n"],
    ['noEnum', 'export enum Kind {\n  A = 0,\n}\n'],
    ['noReExportAll', "export * from './b.js'\n"],
    ['useImportType', "import { type A } from './a.js'\n\nexport type B = A\n"],
  ])('is told %s', (rule, text) => {
    expect(styled(text).join('\n')).toContain(rule)
  })
})

describe('the layout', () => {
  it('lets the sound tree pass', () => {
    expect(layoutProblems(planted(sound))).toEqual([])
  })

  it.each([
    ['a name that says nothing', `${s}/model/helpers.ts`, value('x')],
    ['a file of types', `${r}/types.ts`, value('x')],
    ['a folder that says nothing', `${r}/core/common/a.ts`, value('x')],
    ['a folder the layout does not know', `${s}/engine/a.ts`, value('x')],
    ['a name in camel case', `${s}/model/callFields.ts`, value('x')],
    ['an inner index file', `${s}/model/index.ts`, value('x')],
    ['an inner barrel', `${s}/model/all.ts`, "export { x } from './a.js'\nexport { y } from './b.js'\n"],
    ['a variable of the module in core', `${r}/core/a.ts`, 'export let count = 0\n'],
    [
      'a collection of the module in core',
      `${r}/core/a.ts`,
      'const seen = new Map<string, number>()\nexport const has = (x: string): boolean => seen.has(x)\n',
    ],
  ])('refuses %s', (_, file, text) => {
    expect(layoutProblems(planted({ [file]: text })).join('\n')).toContain(file)
  })
})

describe.each(['rules', 'scan/rules'])('the rule trio of %s', (rules) => {
  const trio = { [`${s}/${rules}/inverted.ts`]: '', [`${s}/${rules}/inverted.test.ts`]: '', 'docs/rules/inverted.md': '' }

  it('lets a rule with its test and its page pass', () => {
    expect(trioProblems(planted(trio))).toEqual([])
  })

  it.each(Object.keys(trio))('misses %s', (file) => {
    const rest = Object.fromEntries(Object.entries(trio).filter(([name]) => name !== file))
    expect(trioProblems(planted(rest))).toHaveLength(1)
  })
})

describe('the lock file', () => {
  const lock = (entry: Record<string, unknown>): Record<string, string> => ({
    'package-lock.json': JSON.stringify({ packages: { '': {}, 'node_modules/zod': entry } }),
  })

  it('of this repository can be installed anywhere', () => {
    expect(lockfileProblems(root)).toEqual([])
  })

  it.each([
    ['a mirror', { resolved: 'http://10.0.0.1:4873/zod/-/zod-4.6.7.tgz', integrity: 'sha512-x' }],
    ['no checksum', { resolved: 'https://registry.npmjs.org/zod/-/zod-4.6.7.tgz' }],
  ])('is refused with %s', (_, entry) => {
    expect(lockfileProblems(planted(lock(entry)))).toHaveLength(1)
  })
})

describe('the links', () => {
  const page = { 'docs/a.md': '# One: *two*\n\n## One two\n\n```md\n[x](gone.md)\n```\n' }

  it('lets a link to a page and to a heading pass', () => {
    expect(linkProblems(planted({ ...page, 'README.md': '[a](docs/a.md) [b](docs/a.md#one-two-1) [c](https://example.org)' }))).toEqual([])
  })

  it.each(['docs/gone.md', 'docs/a.md#gone'])('catches a link to %s', (target) => {
    expect(linkProblems(planted({ ...page, 'README.md': `[a](${target})` }))).toHaveLength(1)
  })
})
