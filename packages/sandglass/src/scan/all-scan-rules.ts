import { defaultBound } from './rules/default-bound.js'
import { unboundedCall } from './rules/unbounded-call.js'
import type { ScanRule } from './scan-rule.js'

/** Every rule of `scan`; a new one is a file in `rules/`, its test, its page, and a line here. */
export const allScanRules: readonly ScanRule[] = [unboundedCall, defaultBound]
