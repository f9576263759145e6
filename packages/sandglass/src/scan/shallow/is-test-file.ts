import { isTestPath } from '../files/is-test-path.js'

const FOLDERS =
  /(^|\/)(tests?|testing|testdata|bench(marks?)?|test[-_]?(utils?|helpers?|support|fixtures|cases|suites?)|e2e|mocks?|fixtures|__tests__|vendor|third[-_]party|node_modules|site-packages|\.?venv|\.tox|(androidTest|integrationTest|functionalTest|intTest|testFixtures))\//i
const NAMES =
  /(^|\/)(test_[^/]*\.py|[^/]*_tests?\.(py|go)|tests?\.py|conftest\.py|mock_[^/]*\.(go|py)|[^/]*_mock\.go|[^/]*(Test|Tests|TestCase|IT|ITCase)\.java|Test[A-Z][^/]*\.java)$/

/** What only tests import; a file of production code does not. */
const FRAMEWORKS =
  /^\s*(?:\w+\s+)?"(?:testing|github\.com\/stretchr\/testify\/\w+)"|^\s*(?:import|from)\s+(?:pytest|unittest)\b(?!\.mock)|^import\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.mockito)\./m

/** True for a text that uses a framework for tests. */
export function usesTestFramework(text: string): boolean {
  return FRAMEWORKS.test(text)
}

/** True for tests and what belongs to them, and for code of others that is kept in the tree. */
export function isTestFile(file: string): boolean {
  const path = file.replaceAll('\\', '/')
  return isTestPath(path) || FOLDERS.test(path) || NAMES.test(path)
}
