import { writeFileSync } from 'node:fs'

/**
 * Ends a run with the line `N passed, N failed, N skipped`, which CI reads. Where SANDGLASS_COUNTS names a file, the numbers go there as
 * JSON instead, so that whoever runs the tests more than once can print one sum.
 */
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
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
    const file = process.env.SANDGLASS_COUNTS
    if (file) writeFileSync(file, JSON.stringify({ passed, failed, skipped }))
    else console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}
