import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { versions } from 'node:process'
import type { Program } from 'oxc-parser'
import type { Diagnostic } from '../model/diagnostic.js'
import { applyIgnores } from '../model/ignores.js'
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
    readonly schema: readonly []
  }
  readonly create: (context: RuleContext) => Readonly<Record<string, () => void>>
}

/** A plugin for ESLint's flat configuration. */
export interface EslintPlugin {
  readonly meta: { readonly name: string; readonly namespace: string }
  readonly rules: Readonly<Record<string, EslintRule>>
  readonly configs: { readonly recommended: object }
}

const scanned = new WeakMap<object, readonly Diagnostic[]>()

/** What `sandglass scan` finds where one file suffices, and no comment silences; where another file decides, nothing is said. Once for each file. */
function findingsOf({ filename, cwd, sourceCode }: RuleContext): readonly Diagnostic[] {
  const known = scanned.get(sourceCode)
  if (known) return known
  const found = isTestPath(filename) ? [] : scanOne(filename, cwd, sourceCode)
  scanned.set(sourceCode, found)
  return found
}

function scanOne(file: string, cwd: string, { text, ast }: RuleContext['sourceCode']): readonly Diagnostic[] {
  offsetsFromRanges(ast)
  const sources = [{ file, text }]
  const { diagnostics } = scanSources({
    sources,
    parse: () => ({ ok: true, program: ast as Program }),
    resolve,
    versionOf: (name, from) => (name === 'node' ? versions.node : installedVersion(name, dirname(from), cwd)),
  })
  const ids = allScanRules.map(({ id }) => id)
  return applyIgnores(diagnostics, sources, ids).diagnostics
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

function ruleOf(id: string, description: string): EslintRule {
  return {
    meta: {
      type: 'problem',
      docs: { description, url: `https://github.com/sandglass/sandglass/blob/main/docs/rules/${id}.md` },
      schema: [],
    },
    create: (context) => ({
      'Program:exit': () => {
        for (const one of findingsOf(context)) if (one.rule === id) report(one, context)
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

const rules: Readonly<Record<string, EslintRule>> = Object.fromEntries(allScanRules.map(({ id, summary }) => [id, ruleOf(id, summary)]))

const levels = { error: 'error', warning: 'warn', info: 'off' } as const

/** The plugin: `import { sandglass } from 'sandglass/eslint'`, then `sandglass.configs.recommended` in the list of configurations. */
export const sandglass: EslintPlugin = withRecommended({ meta: { name: 'sandglass/eslint', namespace: 'sandglass' }, rules })

function withRecommended(plugin: Omit<EslintPlugin, 'configs'>): EslintPlugin {
  const levelOf = allScanRules.map(({ id, severity }): [string, string] => [`sandglass/${id}`, levels[severity]])
  const recommended: { name: string; plugins: Record<string, object>; rules: object } = {
    name: 'sandglass/recommended',
    plugins: {},
    rules: Object.fromEntries(levelOf),
  }
  const whole = { ...plugin, configs: { recommended } }
  recommended.plugins['sandglass'] = whole
  return whole
}
