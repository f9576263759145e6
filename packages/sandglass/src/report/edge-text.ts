import type { DrawnEdge } from './chain-drawing.js'

/** What stands on a drawn call: its bound, tries, and whether it may be left out or is not waited for. */
export function edgeText(edge: DrawnEdge): string {
  const parts = [edge.bound]
  if (edge.attempts !== null && edge.attempts > 1) parts.push(`${edge.attempts} tries`)
  if (edge.optional) parts.push('optional')
  if (edge.async) parts.push('async')
  return parts.join(', ')
}
