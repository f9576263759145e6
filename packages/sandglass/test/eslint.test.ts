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
    expect(verify(silenced.replace(': a batch job that may wait', ''), guide, 'src/users.ts').map(({ line }) => line)).toEqual([4])
  })

  test('leaves tests alone', () => {
    expect(verify(CODE, [config], 'src/load.test.js')).toEqual([])
  })
})
