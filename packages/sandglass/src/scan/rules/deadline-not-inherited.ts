import type { ScanRule } from '../scan-rule.js'

/** A gRPC call in a handler whose deadline does not take over the one that came in. The model of grpc-js finds it, in its readings. */
export const deadlineNotInherited: ScanRule = {
  id: 'deadline-not-inherited',
  severity: 'warning',
  summary: "a gRPC call in a handler that does not take over the caller's deadline",
  check: () => [],
}
