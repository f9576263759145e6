import { Graph, layout } from '@dagrejs/dagre'
import { type ChainDrawing, type DrawnEdge, type DrawnNode, edgeKey } from './chain-drawing.js'
import { edgeText } from './edge-text.js'
import { textWidth } from './text-width.js'

/** A point of a picture, in pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** An operation with its place; `x` and `y` are its middle. */
export interface PlacedNode extends Point {
  readonly node: DrawnNode
  readonly width: number
  readonly height: number
}

/** A call with its line and the middle of its label. */
export interface PlacedEdge {
  readonly edge: DrawnEdge
  /** {@link edgeKey}, the same for all calls between two operations. */
  readonly key: string
  readonly points: readonly Point[]
  readonly label: Point
  readonly labelWidth: number
}

/** A chain laid out from left to right, in pixels. */
export interface Placed {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
  readonly width: number
  readonly height: number
}

/** What is used of dagre's graph: its own declarations do not resolve under `nodenext`. */
interface DagreGraph {
  setGraph: (options: object) => void
  setNode: (id: string, size: { readonly width: number; readonly height: number }) => void
  setEdge: (from: string, to: string, label: object, name: string) => void
  graph: () => { readonly width?: number; readonly height?: number }
  node: (id: string) => { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  edge: (
    from: string,
    to: string,
    name: string,
  ) => { readonly points: readonly Point[]; readonly x: number; readonly y: number; readonly width: number }
}

const DagreGraph = Graph as unknown as new (options: object) => DagreGraph
const layOut = layout as unknown as (graph: DagreGraph) => void

const MARGIN = 28
const NODE_HEIGHT = 52
const LABEL_HEIGHT = 24
/** Widths of letters of 14 (bold), 12.5 and 12 pixels in the widest of the usual fonts; wide letters count as two. */
const NAME_LETTER = 9.4
const TASK_LETTER = 7.8
const LABEL_LETTER = 7.2

/** Lays a chain out; `extraLabel` makes room for what else stands on a call's label (in letters). */
export function placeChain(drawing: ChainDrawing, extraLabel: (key: string) => number = () => 0): Placed {
  const graph = new DagreGraph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 34, edgesep: 18, ranksep: 46, marginx: MARGIN, marginy: MARGIN })
  for (const node of drawing.nodes) graph.setNode(node.id, { width: nodeWidth(node), height: NODE_HEIGHT })
  for (const [index, edge] of drawing.edges.entries()) {
    const letters = textWidth(edgeText(edge)) + extraLabel(edgeKey(edge.from, edge.to))
    graph.setEdge(edge.from, edge.to, { width: letters * LABEL_LETTER + 16, height: LABEL_HEIGHT, labelpos: 'c' }, String(index))
  }
  layOut(graph)
  const size = graph.graph()
  return {
    nodes: drawing.nodes.map((node) => ({ node, ...sizeOf(graph.node(node.id)) })),
    edges: drawing.edges.map((edge, index) => placedEdge(edge, graph.edge(edge.from, edge.to, String(index)))),
    width: Math.ceil(finite(size.width)),
    height: Math.ceil(finite(size.height)),
  }
}

/** Dagre gives -Infinity for a graph without nodes. */
function finite(size: number | undefined): number {
  return size !== undefined && Number.isFinite(size) ? size : 2 * MARGIN
}

function sizeOf({ x, y, width, height }: ReturnType<DagreGraph['node']>): ReturnType<DagreGraph['node']> {
  return { x, y, width, height }
}

function placedEdge(edge: DrawnEdge, { points, x, y, width }: ReturnType<DagreGraph['edge']>): PlacedEdge {
  return { edge, key: edgeKey(edge.from, edge.to), points, label: { x, y }, labelWidth: width }
}

function nodeWidth(node: DrawnNode): number {
  return Math.max(104, Math.max(textWidth(node.service) * NAME_LETTER, textWidth(node.operation) * TASK_LETTER) + 50)
}

/** A smooth line through points: straight ends, curves between the middles. */
export function pathData(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  const last = rest[rest.length - 1]
  if (!last || rest.length === 1) return last ? `M${at(first)}L${at(last)}` : ''
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last
    const end = index === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return `Q${at(point)} ${at(end)}`
  })
  return `M${at(first)}${curves.join('')}`
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`
}

/** One digit after the point is finer than a screen. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
