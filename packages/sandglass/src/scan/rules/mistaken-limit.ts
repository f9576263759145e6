import type { ScanRule } from '../scan-rule.js'

/** A setting that is taken for a limit of the call and limits something else. The models of the libraries find it, in their readings. */
export const mistakenLimit: ScanRule = {
  id: 'mistaken-limit',
  severity: 'warning',
  summary: 'a setting that limits something else than it seems to',
  check: () => [],
}
