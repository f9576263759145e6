import type { Rule } from '../model/rule.js'
import { inversionFindings } from './measure/inversions.js'

/** A single call may take longer than the layer that waits for it. */
export const inverted: Rule = {
  id: 'inverted',
  severity: 'error',
  summary: 'the inner layer outlives the outer one',
  check: (view) => inversionFindings(view, 'inverted'),
}
