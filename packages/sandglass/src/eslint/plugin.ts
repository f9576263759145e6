import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { versions } from 'node:process'
import { parseDuration } from '@sandglass/runtime/core'
import type { Program } from 'oxc-parser'
import type { Diagnostic } from '../model/diagnostic.js'
import { applyIgnores, commentFaults } from '../model/ignores.js'
import { allScanRules } from '../scan/all-scan-rules.js'
import { isTestPath } from '../scan/files/is-test-path.js'
import type { Resolved } from '../scan/files/project.js'
import { scanSources } from '../scan/scan-sources.js'
import { offsetsFromRanges } from '../scan/syntax/offsets-from-ranges.js'

/** What a rule needs of ESLint, 9 or 10: no type of it is imported, so that nobody has to install it. */
interface RuleContext {
  readonly id: string
  readonly filename: string
  readonly cwd: string
  readonly options: readonly unknown[]
  readonly sourceCode: {
    readonly text: string
    readonly ast: unknown
    readonly getLocFromIndex: (index: number) => { line: number; column: number }
  }
  readonly report: (descriptor: { readonly message: string; readonly loc: unknown }) => void
}

interface EslintRule {
  readonly meta: {
    readonly type: 'problem'
    readonly docs: { readonly description: string; readonly url: string }
    readonly schema: readonly object[]
  }
  readonly create: (context: RuleContext) => Readonly<Record<string, () => void>>
}

/** A plugin for ESLint's flat configuration. */
export interface EslintPlugin {
  readonly meta: { readonly name: string; readonly namespace: string }
  readonly rules: Readonly<Record<string, EslintRule>>
  readonly configs: { readonly recommended: object }
}

/** What the options of a rule tell the scan, in ms. */
interface Told {
  readonly budgetMs: number | null
  readonly proxyIdleMs: number | null
}

const NOTHING_TOLD: Told = { budgetMs: null, proxyIdleMs: null }

const ids = allScanRules.map(({ id }) => id)

const scanned = new WeakMap<object, Map<string, readonly Diagnostic[]>>()

/** What `sandglass scan` finds where one file suffices, and no comment silences; where another file decides, nothing is said. Once for each file and what its rules tell. */
function findingsOf({ filename, cwd, sourceCode }: RuleContext, told: Told): readonly Diagnostic[] {
  const ofFile = scanned.get(sourceCode) ?? new Map<string, readonly Diagnostic[]>()
  scanned.set(sourceCode, ofFile)
  const key = JSON.stringify(told)
  const known = ofFile.get(key)
  if (known) return known
  const found = isTestPath(filename) ? [] : scanOne(filename, cwd, sourceCode, told)
  ofFile.set(key, found)
  return found
}

function scanOne(file: string, cwd: string, { text, ast }: RuleContext['sourceCode'], told: Told): readonly Diagnostic[] {
  offsetsFromRanges(ast)
  const sources = [{ file, text }]
  const input = {
    sources,
    parse: () => ({ ok: true as const, program: ast as Program }),
    resolve,
    versionOf: (name: string, from: string) => (name === 'node' ? versions.node : installedVersion(name, dirname(from), cwd)),
  }
  return applyIgnores(scanSources(input, told).diagnostics, sources, ids).diagnostics
}

function resolve(request: string): Resolved {
  if (isBuiltin(request)) return { kind: 'package', name: `node:${request.replace(/^node:/, '')}`, subpath: '' }
  if (/^[./#~]|^@\//.test(request)) return { kind: 'nothing' }
  const parts = request.split('/')
  const name = parts.slice(0, request.startsWith('@') ? 2 : 1).join('/')
  return { kind: 'package', name, subpath: request.slice(name.length + 1) }
}

const installed = new Map<string, string | null>()

/** The version of what is installed beside a file; null where it is not. */
function installedVersion(name: string, folder: string, cwd: string): string | null {
  const key = `${folder}\0${name}`
  const known = installed.get(key)
  if (known !== undefined) return known
  const own = versionIn(join(folder, 'node_modules', name, 'package.json'))
  const above = dirname(folder)
  const version = own ?? (folder === cwd && above === folder ? null : above === folder ? null : installedVersion(name, above, cwd))
  installed.set(key, version)
  return version
}

function versionIn(file: string): string | null {
  try {
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : null
  } catch {
    return null
  }
}

/** The rules that need to be told something, and what their option is called. */
const OPTIONS: Readonly<Record<string, { readonly name: string; readonly told: keyof Told }>> = {
  'over-budget': { name: 'budget', told: 'budgetMs' },
  'keep-alive-order': { name: 'proxyIdle', told: 'proxyIdleMs' },
}

function schemaOf(id: string): readonly object[] {
  const option = OPTIONS[id]
  return option ? [{ type: 'object', properties: { [option.name]: { type: 'string' } }, additionalProperties: false }] : []
}

/** `['error', { budget: '5s' }]`; throws where that is no duration, as ESLint expects of a rule. */
function toldBy(id: string, { options: [given] }: RuleContext): Told {
  const option = OPTIONS[id]
  const text = option && (given as Readonly<Record<string, string>> | undefined)?.[option.name]
  if (!option || text === undefined) return NOTHING_TOLD
  const read = parseDuration(text)
  if (!read.ok || read.ms <= 0)
    throw new TypeError(`sandglass/${id}: ${option.name} "${text}": expected a duration above 0, such as 800ms or 5s`)
  return { ...NOTHING_TOLD, [option.told]: read.ms }
}

function ruleOf(id: string, description: string): EslintRule {
  return {
    meta: {
      type: 'problem',
      docs: { description, url: `https://github.com/sandglass/sandglass/blob/main/docs/rules/${id}.md` },
      schema: schemaOf(id),
    },
    create: (context) => ({
      'Program:exit': () => {
        for (const one of findingsOf(context, toldBy(id, context))) if (one.rule === id) report(one, context)
      },
    }),
  }
}

function report({ message, arithmetic, suggestion, spot }: Diagnostic, { sourceCode, report }: RuleContext): void {
  const sum = arithmetic === '' ? '' : ` (${arithmetic})`
  const fix = suggestion ? `; fix: ${suggestion.text}` : ''
  const loc = { start: sourceCode.getLocFromIndex(spot.start), end: sourceCode.getLocFromIndex(spot.end) }
  report({ message: `${message}${sum}${fix}`, loc })
}

/** Comments that are to silence a finding and cannot; one that finds nothing to silence is not among them: another file may decide that. */
const ignoreComment: EslintRule = {
  meta: {
    type: 'problem',
    docs: {
      description: 'a sandglass-ignore comment that silences nothing: no reason, no such rule, or within a comment that describes code',
      url: 'https://github.com/sandglass/sandglass/blob/main/docs/guide/scan.md',
    },
    schema: [],
  },
  create: ({ filename, sourceCode, report }) => ({
    'Program:exit': () => {
      for (const { message, spot } of commentFaults({ file: filename, text: sourceCode.text, isCode: true }, ids))
        report({ message, loc: { start: sourceCode.getLocFromIndex(spot.start), end: sourceCode.getLocFromIndex(spot.end) } })
    },
  }),
}

const rules: Readonly<Record<string, EslintRule>> = {
  ...Object.fromEntries(allScanRules.map(({ id, summary }) => [id, ruleOf(id, summary)])),
  'ignore-comment': ignoreComment,
}

const levels = { error: 'error', warning: 'warn', info: 'off' } as const

/** The plugin: `import { sandglass } from 'sandglass/eslint'`, then `sandglass.configs.recommended` in the list of configurations. */
export const sandglass: EslintPlugin = withRecommended({ meta: { name: 'sandglass/eslint', namespace: 'sandglass' }, rules })

function withRecommended(plugin: Omit<EslintPlugin, 'configs'>): EslintPlugin {
  // Without a budget it has nothing to compare with.
  const chosen = allScanRules.filter(({ id }) => id !== 'over-budget')
  const levelOf = chosen.map(({ id, severity }): [string, string] => [`sandglass/${id}`, levels[severity]])
  const recommended: { name: string; plugins: Record<string, object>; rules: object } = {
    name: 'sandglass/recommended',
    plugins: {},
    rules: { ...Object.fromEntries(levelOf), 'sandglass/ignore-comment': 'error' },
  }
  const whole = { ...plugin, configs: { recommended } }
  recommended.plugins['sandglass'] = whole
  return whole
}
