import { type ChainDrawing, type DrawnEdge, type DrawnNode, limitDrawing } from './chain-drawing.js'
import { edgeText } from './edge-text.js'
import { printable } from './printable.js'

/** A chain as a Graphviz digraph. */
export function dotDrawing(drawing: ChainDrawing): string {
  const { nodes, edges, leftOut } = limitDrawing(drawing)
  const lines = [
    'digraph chain {',
    '  rankdir=LR',
    '  node [shape=box, fontname="sans-serif"]',
    '  edge [fontname="sans-serif", fontsize=10]',
  ]
  lines.push(...nodes.map(nodeLine), ...edges.map(edgeLine))
  if (leftOut > 0) lines.push(`  more [shape=plaintext, label="${leftOut} more operations are not drawn"]`)
  return `${[...lines, '}'].join('\n')}\n`
}

const shapes: Partial<Readonly<Record<DrawnNode['kind'], string>>> = {
  client: 'oval',
  database: 'cylinder',
  cache: 'cylinder',
  queue: 'cds',
  'third-party': 'hexagon',
}

function nodeLine(node: DrawnNode): string {
  const shape = shapes[node.kind]
  return `  ${quoted(node.id)}${shape ? ` [shape=${shape}]` : ''}`
}

function edgeLine(edge: DrawnEdge): string {
  const attributes = [`label=${quoted(edgeText(edge))}`]
  if (edge.state === 'unbounded') attributes.push('penwidth=3')
  if (edge.optional || edge.async) attributes.push('style=dashed')
  return `  ${quoted(edge.from)} -> ${quoted(edge.to)} [${attributes.join(', ')}]`
}

function quoted(text: string): string {
  return `"${printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
