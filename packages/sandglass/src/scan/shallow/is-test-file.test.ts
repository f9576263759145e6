import { describe, expect, it } from 'vitest'
import { isTestFile, usesTestFramework } from './is-test-file.js'
import { shallowLanguageOf } from './shallow-language.js'

describe('isTestFile', () => {
  it('knows tests and what belongs to them by their path', () => {
    const tests = [
      'client_test.go',
      'pkg/testdata/a.go',
      'vendor/example.com/x/x.go',
      'e2e/run.go',
      'mocks/client.go',
      'tests/test_client.py',
      'client_test.py',
      'app/conftest.py',
      'test_client.py',
      'app/tests.py',
      '.venv/lib/python3.11/site-packages/requests/api.py',
      'src/test/java/a/B.java',
      'src/main/java/a/ClientTest.java',
      'a/ClientIT.java',
      'security/sectest.py',
      'security/py-sectest/session.py',
      'integration-tests/client.go',
      'tools/e2e_login.py',
      'src\\\\test\\\\java\\\\a\\\\B.java',
      'benchmark/src/main/java/a/RealRequest.java',
    ]
    expect(tests.filter((file) => !isTestFile(file))).toEqual([])
  })

  it('takes nothing else for a test', () => {
    const code = [
      'main.go',
      'latest.go',
      'contest/main.py',
      'attest/sign.go',
      'src/main/java/a/Client.java',
      'src/main/java/a/Latest.java',
      'src/main/java/a/Testify.java',
      'app/testimonials.py',
      'requests.py',
      'invent/ory.go',
    ]
    expect(code.filter(isTestFile)).toEqual([])
  })

  it('knows helpers of tests by what they import', () => {
    expect(usesTestFramework('package dbtest\nimport (\n\t"net/http"\n\t"testing"\n)\n')).toBe(true)
    expect(usesTestFramework('import (\n\t"github.com/stretchr/testify/require"\n)\n')).toBe(true)
    expect(usesTestFramework('import org.junit.jupiter.api.Test;\n')).toBe(true)
    expect(usesTestFramework('import pytest\n')).toBe(true)
    expect(usesTestFramework('package a\nimport "net/http"\n// see "testing"\n')).toBe(false)
    expect(usesTestFramework('import requests  # not pytest\n')).toBe(false)
  })
})

describe('shallowLanguageOf', () => {
  it('goes by the ending', () => {
    expect(['a.go', 'A.java', 'a.py', 'a.pyi', 'a.ts', 'go', 'a.toString'].map(shallowLanguageOf)).toEqual([
      'go',
      'java',
      'python',
      null,
      null,
      null,
      null,
    ])
  })
})
