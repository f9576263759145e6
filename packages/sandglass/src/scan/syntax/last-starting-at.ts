/** Where the last of some nodes is that starts at a place or before it, those in the order of the text; -1 where none does. */
export function lastStartingAt(nodes: readonly { readonly start: number }[], place: number): number {
  let low = -1
  let high = nodes.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((nodes[middle]?.start ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}
