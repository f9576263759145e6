const TEST =
  /(^|\/)(__\w+__|tests?|spec|e2e|cypress|fixtures|mocks)\/|[.-](\w*test|\w*spec|e2e|bench|stories|mocks?|fixtures?|cy)\.[cm]?[jt]sx?$|(^|\/)(jest|vitest|playwright|cypress)\.(config|setup)[^/]*$|\.d\.[cm]?ts$|\.min\.js$/i

/** True for files that never run in production: tests, mocks, declarations, what is minified. */
export function isTestPath(file: string): boolean {
  return TEST.test(file)
}
