import type { Severity } from '../model/diagnostic.js'
import { type ChainDrawing, type DrawnEdge, type DrawnNode, edgeKey, limitDrawing } from './chain-drawing.js'
import { edgeText } from './edge-text.js'
import type { Marked } from './marked-edges.js'
import { printable } from './printable.js'

/** A finding is told by its word on the line and the line's width, not by colour alone. */
const edgeStyles: Readonly<Record<Severity, string>> = {
  error: 'stroke:#c62828,stroke-width:4px',
  warning: 'stroke:#b26a00,stroke-width:3px',
  info: 'stroke:#1565c0,stroke-width:2px',
}

/** Mermaid refuses more than 500 edges. */
const MAX_MERMAID_NODES = 150
const MAX_MERMAID_EDGES = 450

/** A chain as a Mermaid flowchart; `marks` are the findings by call. */
export function mermaidDrawing(drawing: ChainDrawing, marks: ReadonlyMap<string, Marked> = new Map()): string {
  const { nodes, edges: all, leftOut } = limitDrawing(drawing, MAX_MERMAID_NODES)
  const edges = all.slice(0, MAX_MERMAID_EDGES)
  const ids = new Map(nodes.map((node, index) => [node.id, `n${index}`]))
  const lines = ['flowchart LR', ...nodes.map((node) => `  ${ids.get(node.id)}${shaped(node)}`)]
  const styles: string[] = []
  for (const [index, edge] of edges.entries()) {
    const mark = marks.get(edgeKey(edge.from, edge.to))
    lines.push(`  ${ids.get(edge.from)} ${arrow(edge)}|"${escaped(markedText(edge, mark))}"| ${ids.get(edge.to)}`)
    if (mark) styles.push(`  linkStyle ${index} ${edgeStyles[mark.severity]}`)
  }
  const missing = [
    leftOut > 0 ? `${leftOut} more operations` : '',
    all.length > edges.length ? `${all.length - edges.length} more calls` : '',
  ].filter((part) => part !== '')
  if (missing.length > 0) lines.push(`  more["${missing.join(' and ')} are not drawn"]`)
  return `${[...lines, ...styles].join('\n')}\n`
}

function markedText(edge: DrawnEdge, mark: Marked | undefined): string {
  if (!mark) return edgeText(edge)
  const rules = [...new Set(mark.findings.map((one) => one.rule))]
  const shown = rules.slice(0, 3).join(', ') + (rules.length > 3 ? ` and ${rules.length - 3} more` : '')
  return `${edgeText(edge)} / ${mark.severity}: ${shown}`
}

function arrow(edge: DrawnEdge): string {
  return edge.async || edge.optional ? '-.->' : '-->'
}

function shaped(node: DrawnNode): string {
  const text = `"${escaped(node.id)}"`
  if (node.kind === 'client') return `([${text}])`
  if (node.kind === 'database' || node.kind === 'cache') return `[(${text})]`
  if (node.kind === 'queue') return `[[${text}]]`
  if (node.kind === 'third-party') return `{{${text}}}`
  return `[${text}]`
}

/** Text inside quotes of a label: quotes and what could start markup become entities, as Mermaid writes them. */
function escaped(text: string): string {
  return printable(text).replace(/[#"<>&`\\|{}[\]]/g, (char) => `#${char.charCodeAt(0)};`)
}
