/** Ends a run with the line `N passed, N failed, N skipped`, which CI reads. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0
    let skipped = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
        else skipped++
      }
    }
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}
