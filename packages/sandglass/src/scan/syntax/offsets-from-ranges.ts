/** Gives the nodes of a tree whose parser writes only `range` the offsets `start` and `end`. */
export function offsetsFromRanges(root: unknown): void {
  const stack: unknown[] = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) stack.push(item)
      continue
    }
    const node = value as Record<string, unknown>
    if (typeof node['type'] !== 'string') continue
    const range = node['range']
    if (Array.isArray(range) && node['start'] === undefined) {
      node['start'] = range[0]
      node['end'] = range[1]
    }
    for (const field in node) if (field !== 'parent' && field !== 'tokens' && field !== 'comments') stack.push(node[field])
  }
}
