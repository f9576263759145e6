const FOLDERS =
  /(^|\/)(tests?|testing|testdata|test[-_]?(utils?|helpers?|support|fixtures|cases|suites?)|e2e|mocks?|fixtures|__tests__|vendor|third[-_]party|node_modules|site-packages|\.?venv|\.tox|(androidTest|integrationTest|functionalTest|intTest|testFixtures))\//i
const NAMES =
  /(^|\/)(test_[^/]*\.py|[^/]*_tests?\.(py|go)|tests?\.py|conftest\.py|mock_[^/]*\.(go|py)|[^/]*_mock\.go|[^/]*(Test|Tests|TestCase|IT|ITCase)\.java|Test[A-Z][^/]*\.java)$/

/** True for tests and what belongs to them, and for code of others that is kept in the tree. */
export function isTestFile(file: string): boolean {
  const path = file.replaceAll('\\', '/')
  return FOLDERS.test(path) || NAMES.test(path)
}
