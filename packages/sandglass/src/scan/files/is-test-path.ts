/** What stands beside `test` in the name of what helps tests: `test-utils`, `testing_helpers`. */
const HELPS = '(utils?|utilities|helpers?|kit|harness|support|setup|fixtures?|mocks?|data)'
/** What kinds of tests there are; `test-integration` may try an integration out, `tests-integration` are tests of one. */
const KINDS = '(e2e|integration|unit|functional|smoke|perf|api|ui|playwright|cypress|specs?|common|shared|lib)'
/** What is measured or tried out for its users, as a service does: `speed-test`, `ab-tests`. */
const NO_TESTS = '(?<!(^|[/_-])(ab|a-b|a_b|split|speed|bandwidth|network|latency)[_-]tests?)'
/** Kinds that are written as one word with it; what is called `contest` or `latest` is none. */
const TESTS_OF_A_KIND =
  '([\\w-]+[-_])?(sec(urity)?|smoke|load|stress|perf|unit|fuzz|integration|regression|acceptance|functional)[-_]?tests?'
/** `e2e` begins the name of a test, unless it is about what is encrypted from end to end. */
const END_TO_END = 'e2e[-_](?!(en|de)?crypt|ciphers?|keys?|secur|secrets?|messag|chats?|rooms?|devices?|identit)[\\w.-]*'
/** Folders that are tests where they hold what tests have: `acceptance/specs/`. */
const WITH_PARTS = '(acceptance|integration|functional|regression)/(specs?|support|steps?|features?|fixtures|helpers|setup|scripts)'
/** Folders of tests and of what only tests use: `integration-tests/`, `e2e_tests/`, `testing/`, `test-utils/`. */
const FOLDER = new RegExp(
  `(^|/)_?(__\\w+__|([\\w-]+[-_])?tests?${NO_TESTS}|${TESTS_OF_A_KIND}|testing|test(s|ing)?[-_]?${HELPS}|tests[-_]${KINDS}|testcontainers|spec|([\\w-]+[-_])?e2e|e2e[-_](tests?|${HELPS}|${KINDS})|cypress|playwright|fixtures|mocks|mock[-_]?(apis?|servers?|services?)|wiremock|${WITH_PARTS})/`,
  'i',
)
const FILE =
  /[.-](\w*test|\w*spec|e2e|bench|stories|mocks?|fixtures?|cy)\.[cm]?[jt]sx?$|(^|\/)(tests?\.[cm]?[jt]sx?|(jest|vitest|playwright|cypress)([.-][\w-]+)*[.-](config|setup|teardown)[^/]*|global-?(setup|teardown)\.[cm]?[jt]s)$|\.d\.[cm]?ts$|\.min\.js$|\{\{[^/]*\}\}[^/]*$/i
/** Files that say of themselves that they are tests, or that tests use them: `fixtures.ts`, `test-config.ts`, `loadtest.py`, `e2e-login.ts`. */
const HELPER = new RegExp(
  `(^|/)(fixtures?|mocks?|test(s|ing)?[-_]?(config|env|${HELPS})|${TESTS_OF_A_KIND}|${END_TO_END})\\.([cm]?[jt]sx?|py|go|java)$`,
  'i',
)

/** True for files that never run in production: tests, mocks, declarations, what is minified, templates whose names are still to be filled in. */
export function isTestPath(file: string): boolean {
  return FOLDER.test(file) || FILE.test(file) || HELPER.test(file)
}
