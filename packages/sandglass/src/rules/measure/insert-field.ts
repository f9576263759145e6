import type { Call } from '../../model/chain.js'
import type { Edit } from '../../model/diagnostic.js'
import { placeOf } from '../../model/sourced.js'

/** The edit that adds a field to a call, behind its `to`; none where the call does not stand in a chain file. */
export function insertField(call: Call, field: string, value: string): Edit[] {
  const { spot } = call.to.origin
  const { text } = spot.source
  const isChainFile = text.slice(spot.start, spot.end).replace(/^["']|["']$/g, '') === call.to.value
  if (call.to.origin.kind !== 'declared' || !isChainFile) return []
  const inFlow = text[call.spot.start] === '{'
  const added = inFlow ? `, ${field}: ${value}` : `\n${' '.repeat(placeOf(call.spot).column - 1)}${field}: ${value}`
  const quoted = /["']/.test(text[spot.end] ?? '') && text[spot.start - 1] === text[spot.end]
  const at = quoted ? spot.end + 1 : spot.end
  return [{ spot: { source: spot.source, start: at, end: at }, text: added }]
}
