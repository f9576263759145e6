import * as typescriptParser from '@typescript-eslint/parser'
import { ESLint as Eslint10, Linter as Linter10 } from 'eslint'
import { ESLint as Eslint9, Linter as Linter9 } from 'eslint-9'
import { describe, expect, test } from 'vitest'
import { sandglass } from '../src/eslint/plugin.js'

const CODE = `import axios from 'axios'
import { api } from './api.js'
const own = axios.create({ timeout: 500 })
own.get('/a')
own.get('/b', { timeout: 0 })
api.get('/c')
`

const TYPED = `import axios, { type AxiosInstance } from 'axios'
export class Users {
  private readonly http: AxiosInstance = axios.create({ baseURL: 'http://users' })
  load(id: string): Promise<unknown> { return this.http.get<string>('/' + id!) }
}
`

describe.each([
  ['9', Linter9, Eslint9],
  ['10', Linter10, Eslint10],
] as const)('ESLint %s', (version, Linter, Eslint) => {
  const linter = new Linter({ configType: 'flat' })
  /** Both versions take the same; only the types of the older one are used. */
  const verify = (code: string, configs: readonly unknown[], filename: string) =>
    (linter as Linter9).verify(code, configs as never, { filename })
  const config = sandglass.configs.recommended

  test(`it is version ${version}`, () => {
    expect(Eslint.version.split('.')[0]).toBe(version)
  })

  test('says at the same place what the scan says, and nothing where another file decides', () => {
    const found = verify(CODE, [config], 'src/load.js')
    expect(found.map(({ ruleId, line, column, severity }) => ({ ruleId, line, column, severity }))).toEqual([
      { ruleId: 'sandglass/unbounded-call', line: 5, column: 26, severity: 2 },
    ])
    expect(found[0]?.message).toMatch(/^axios [\d.]*\s*waits without a limit for the answer; fix: set a limit/)
  })

  test('reads the tree of the TypeScript parser', () => {
    const typed = [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser } }, config]
    const found = verify(TYPED, typed, 'src/users.ts')
    expect(found.map(({ ruleId, line }) => ({ ruleId, line }))).toEqual([{ ruleId: 'sandglass/unbounded-call', line: 3 }])
  })

  test('looks at TypeScript as the guide says, and a comment with a reason silences it', () => {
    const guide = [
      { files: ['**/*.{ts,tsx,mts,cts}'], languageOptions: { parser: typescriptParser } },
      { files: ['**/*.{ts,tsx,mts,cts,js,mjs,cjs,jsx}'], ...config },
    ]
    const silenced = TYPED.replace('  private', '  // sandglass-ignore unbounded-call: a batch job that may wait\n  private')
    expect(verify(TYPED, guide, 'src/users.ts').map(({ line }) => line)).toEqual([3])
    expect(verify(silenced, guide, 'src/users.ts')).toEqual([])
    expect(
      verify(silenced.replace(': a batch job that may wait', ''), guide, 'src/users.ts').map(({ line, ruleId }) => `${line} ${ruleId}`),
    ).toEqual(['3 sandglass/ignore-comment', '4 sandglass/unbounded-call'])
  })

  test('says of comments that cannot silence anything why', () => {
    const faults = (comment: string) =>
      verify(`${comment}\nexport {}\n`, [config], 'src/a.js').map(({ ruleId, message }) => `${ruleId} ${message}`)
    expect(faults('// sandglass-ignore unbounded-call: may wait')).toEqual([])
    expect(faults('// sandglass-ignore unbounded-call')[0]).toContain(
      'sandglass/ignore-comment sandglass-ignore unbounded-call gives no reason',
    )
    expect(faults('// sandglass-ignore unbounded: why')[0]).toContain('there is no rule "unbounded"')
    expect(faults('/** sandglass-ignore unbounded-call: why */')[0]).toContain('it describes code')
  })

  test('takes a budget and the time of what stands before a server as options', () => {
    const text = `import http from 'node:http'
export const load = () => fetch('http://a', { signal: AbortSignal.timeout(3000) })
http.createServer(load).listen(80)
`
    const plugin = { plugins: { sandglass } }
    const found = (rules: object) => verify(text, [{ ...plugin, rules }], 'src/a.js').map(({ ruleId, line }) => `${line} ${ruleId}`)
    expect(found({ 'sandglass/over-budget': ['error', { budget: '2s' }] })).toEqual(['2 sandglass/over-budget'])
    expect(found({ 'sandglass/over-budget': ['error', { budget: '5s' }] })).toEqual([])
    expect(found({ 'sandglass/keep-alive-order': ['error', { proxyIdle: '60s' }] })).toEqual(['3 sandglass/keep-alive-order'])
    expect(() => found({ 'sandglass/over-budget': ['error', { budget: 'soon' }] })).toThrow(/budget "soon": expected a duration/)
    expect(Object.keys((config as { rules: object }).rules)).not.toContain('sandglass/over-budget')
  })

  test('leaves tests alone', () => {
    expect(verify(CODE, [config], 'src/load.test.js')).toEqual([])
  })
})
