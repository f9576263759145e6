import type { ServiceKind } from '../model/chain.js'

/** An operation of a drawn chain. */
export interface DrawnNode {
  /** `service.operation`. */
  readonly id: string
  readonly service: string
  readonly operation: string
  readonly kind: ServiceKind
  /** Journeys that start here. */
  readonly starts: readonly string[]
}

/** A call of a drawn chain. */
export interface DrawnEdge {
  readonly from: string
  readonly to: string
  /** The bound in words: `1.45s`, `no limit`, `unknown`. */
  readonly bound: string
  readonly state: 'bounded' | 'unbounded' | 'unknown'
  /** All tries, the first included; null where unknown. */
  readonly attempts: number | null
  readonly optional: boolean
  readonly async: boolean
}

/** A chain as nodes and edges: the one input of every picture. */
export interface ChainDrawing {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
  /** Operations that were left out because the chain is too large for a picture. */
  readonly leftOut: number
}

/** A picture of more operations than this says nothing; the rest is left out, and the picture says so. */
export const MAX_DRAWN_NODES = 400

/** Keeps at most `most` operations, those first in the list, and the calls between them. */
export function limitDrawing(drawing: ChainDrawing, most: number = MAX_DRAWN_NODES): ChainDrawing {
  if (drawing.nodes.length <= most) return drawing
  const nodes = drawing.nodes.slice(0, most)
  const kept = new Set(nodes.map((node) => node.id))
  const edges = drawing.edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to))
  return { nodes, edges, leftOut: drawing.leftOut + drawing.nodes.length - most }
}

/** One key for the call between two operations. */
export function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to])
}
