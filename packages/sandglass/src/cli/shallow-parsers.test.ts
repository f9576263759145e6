import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scanShallow } from '../scan/shallow/scan-shallow.js'
import { shallowParser } from './shallow-parsers.js'

describe('shallowParser', () => {
  it('reads each language with the files that are published', async () => {
    const go = scanShallow(
      { file: 'a.go', text: 'package a\nimport "net/http"\nfunc f() { http.Get("x") }\n' },
      'go',
      await shallowParser('go'),
    )
    const java = scanShallow(
      { file: 'A.java', text: 'import org.springframework.web.client.*;\nclass A { Object o = new RestTemplate(); }\n' },
      'java',
      await shallowParser('java'),
    )
    const python = scanShallow({ file: 'a.py', text: 'import requests\nrequests.get("x")\n' }, 'python', await shallowParser('python'))
    expect([go, java, python].map(({ diagnostics }) => diagnostics.length)).toEqual([1, 1, 1])
  })

  it('is loaded once', () => {
    expect(shallowParser('go')).toBe(shallowParser('go'))
  })

  it('is named with its licence among the notices', () => {
    const notices = readFileSync(new URL('../../dist/third-party-notices.txt', import.meta.url), 'utf8')
    for (const name of ['web-tree-sitter', 'tree-sitter-go', 'tree-sitter-java', 'tree-sitter-python'])
      expect(notices).toContain(`\n${name} `)
  })

  it('is no part of the bundle, so that a command that does not need it does not load it', () => {
    const bundle = readFileSync(new URL('../../dist/cli.js', import.meta.url), 'utf8')
    expect(bundle).not.toContain('web-tree-sitter.wasm')
    const version = execFileSync(process.execPath, [new URL('../../bin/sandglass.js', import.meta.url).pathname, '--version'], {
      encoding: 'utf8',
    })
    expect(version).toMatch(/\d+\.\d+\.\d+/)
  })
})
