const TEST =
  /(^|\/)(__tests__|__mocks__|__fixtures__|tests?|spec|e2e|cypress|fixtures|mocks)\/|[.-](test|spec|e2e|bench|stories|mock|fixture|cy)\.[cm]?[jt]sx?$|(^|\/)(jest|vitest|playwright|cypress)\.(config|setup)[^/]*$|\.d\.[cm]?ts$|\.min\.js$/i

/** True for files that never run in production: tests, mocks, declarations, what is minified. */
export function isTestPath(file: string): boolean {
  return TEST.test(file)
}
