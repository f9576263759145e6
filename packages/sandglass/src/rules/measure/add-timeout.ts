import { durationText, formatDuration, longestDurationMs } from '@sandglass/runtime/core'
import type { Call } from '../../model/chain.js'
import { advice, type Change } from '../../model/change.js'
import { insertField } from './insert-field.js'

/** A total of `ms` (1 or more) for a call that has none, in the words `because`; instead of a written `none`, else beside its name. */
export function addTimeout(call: Call, ms: number, because: string): Change {
  const { timeoutMs } = call
  if (timeoutMs?.fixed) return advice(`give ${call.to.value} a limit of ${formatDuration(ms)} ${because}`)
  const text = durationText(Math.min(ms, longestDurationMs))
  if (!timeoutMs) return { text: `add timeout: ${text} ${because}`, edits: insertField(call, 'timeout', text) }
  const { spot } = timeoutMs.origin
  const isWritten = timeoutMs.origin.kind === 'declared' && spot.source.text.slice(spot.start, spot.end) === 'none'
  return { text: `timeout none -> ${text} ${because}`, edits: isWritten ? [{ spot, text }] : [] }
}
