/** Folders of tests and of what only tests use: `integration-tests/`, `testing/`, `test-utils/`. */
const FOLDER =
  /(^|\/)(__\w+__|([\w-]+-)?tests?|testing|test-?(utils?|helpers?|kit)|testcontainers|spec|e2e|cypress|playwright|fixtures|mocks)\//i
const FILE =
  /[.-](\w*test|\w*spec|e2e|bench|stories|mocks?|fixtures?|cy)\.[cm]?[jt]sx?$|(^|\/)(tests?\.[cm]?[jt]sx?|(jest|vitest|playwright|cypress)([.-][\w-]+)*[.-](config|setup|teardown)[^/]*|global-?(setup|teardown)\.[cm]?[jt]s)$|\.d\.[cm]?ts$|\.min\.js$/i

/** True for files that never run in production: tests, mocks, declarations, what is minified. */
export function isTestPath(file: string): boolean {
  return FOLDER.test(file) || FILE.test(file)
}
