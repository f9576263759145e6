import type { Severity } from '../model/diagnostic.js'
import { type ChainDrawing, limitDrawing } from './chain-drawing.js'
import { edgeText } from './edge-text.js'
import { escapeHtml } from './escape-html.js'
import { type Placed, type PlacedEdge, type PlacedNode, pathData, placeChain, round } from './layout.js'
import type { Marked } from './marked-edges.js'
import { svgStyle } from './svg-style.js'

/** A mark's sign stands beside the word, so that nothing is told by colour alone. */
const signs: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', info: 'i' }

/** A picture on a page shrinks to fit down to this, then scrolls. */
const LEAST_SCALE = 0.72

/** A chain as a standalone SVG picture, light or dark as the viewer prefers. */
export function svgDrawing(drawing: ChainDrawing): string {
  return `${svgPicture(drawing, new Map(), true)}\n`
}

/** A chain as an SVG element; with marks each marked call can be chosen with mouse and keyboard by the page around it. */
export function svgPicture(full: ChainDrawing, marks: ReadonlyMap<string, Marked>, isAlone: boolean): string {
  const drawing = limitDrawing(full)
  const placed = placeChain(drawing, (key) => (marks.has(key) ? 4 : 0))
  const more =
    drawing.leftOut > 0 ? `<text class="more" x="16" y="${placed.height + 12}">${drawing.leftOut} more operations are not drawn</text>` : ''
  const height = placed.height + (drawing.leftOut > 0 ? 28 : 0)
  const root = isAlone ? 'xmlns="http://www.w3.org/2000/svg" ' : ''
  return `<svg ${root}class="chain" viewBox="0 0 ${placed.width} ${height}" width="${placed.width}" height="${height}"${isAlone ? '' : ` style="min-width:${Math.round(placed.width * LEAST_SCALE)}px"`} role="${isAlone ? 'img' : 'group'}" aria-label="The chain: ${placed.nodes.length} operations, ${placed.edges.length} calls">
${isAlone ? `<style>${svgStyle}</style>\n<rect class="ground" width="100%" height="100%"/>\n` : ''}${arrowHeads()}
${linesOf(placed, marks)}
${placed.nodes.map((node) => nodeOf(node, marks.get(node.node.id))).join('\n')}
${placed.edges.map((edge) => labelOf(edge, marks.get(edge.key))).join('\n')}
${more}</svg>`
}

function arrowHeads(): string {
  const heads = ['plain', 'error', 'warning', 'info'].map(
    (name) =>
      `<marker id="head-${name}" class="head ${name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M1 1L9 5L1 9z"/></marker>`,
  )
  return `<defs>${heads.join('')}</defs>`
}

function linesOf({ edges }: Placed, marks: ReadonlyMap<string, Marked>): string {
  return edges
    .map(({ edge, key, points }) => {
      const severity = marks.get(key)?.severity
      const names = [
        'line',
        severity ?? 'plain',
        ...(edge.optional || edge.async ? ['loose'] : []),
        ...(edge.state === 'unbounded' ? ['unbounded'] : []),
      ]
      return `<path class="${names.join(' ')}" data-key="${escapeHtml(key)}" d="${pathData(points)}" marker-end="url(#head-${severity ?? 'plain'})"/>`
    })
    .join('\n')
}

/** The bound on its line; where something was found, a button that names it. */
function labelOf({ edge, key, label, labelWidth }: PlacedEdge, mark: Marked | undefined): string {
  const text = edgeText(edge)
  const box = `<rect x="${round(label.x - labelWidth / 2)}" y="${round(label.y - 12)}" width="${round(labelWidth)}" height="24" rx="12"/>`
  if (!mark) {
    const title = `${edge.from} calls ${edge.to}: ${text}`
    return `<g class="label plain${edge.state === 'unbounded' ? ' unbounded' : ''}" data-key="${escapeHtml(key)}"><title>${escapeHtml(title)}</title>${box}<text x="${round(label.x)}" y="${round(label.y + 4)}">${escapeHtml(text)}</text></g>`
  }
  const rules = mark.findings.map((one) => `${one.severity} ${one.rule}: ${one.message}`).join('; ')
  const left = round(label.x - labelWidth / 2 + 14)
  const sign = `<circle cx="${left}" cy="${round(label.y)}" r="8.5"/><text class="sign" x="${left}" y="${round(label.y + 4)}">${signs[mark.severity]}</text>`
  return `<g class="label found ${mark.severity}" data-key="${escapeHtml(key)}" tabindex="0" role="button" aria-label="${escapeHtml(`${edge.from} calls ${edge.to}, ${text}. ${rules}`)}">${box}${sign}<text x="${round(label.x + 11)}" y="${round(label.y + 4)}">${escapeHtml(text)}</text></g>`
}

function nodeOf({ node, x, y, width, height }: PlacedNode, mark: Marked | undefined): string {
  const [left, top] = [round(x - width / 2), round(y - height / 2)]
  const starts = node.starts.length > 0 ? `, start of ${node.starts.join(', ')}` : ''
  const title = `<title>${escapeHtml(`${node.id} (${node.kind}${starts})`)}</title>`
  const found = mark ? ` found ${mark.severity}" data-key="${escapeHtml(node.id)}" tabindex="0" role="button` : ''
  return `<g class="node ${node.kind}${found}" transform="translate(${left} ${top})">${title}${shapeOf(node.kind, width, height)}${kindSign(node.kind)}<text class="name" x="34" y="22">${escapeHtml(node.service)}</text><text class="task" x="34" y="39">${escapeHtml(node.operation)}</text></g>`
}

function shapeOf(kind: string, width: number, height: number): string {
  const w = round(width)
  return `<rect class="box" width="${w}" height="${height}" rx="${kind === 'client' ? 26 : 10}"/>`
}

/** A small drawing of what kind of service this is, 16 pixels wide. */
function kindSign(kind: string): string {
  const drawings: Readonly<Record<string, string>> = {
    client: '<circle cx="8" cy="5" r="3.2"/><path d="M2 15c0-4 2.6-6 6-6s6 2 6 6"/>',
    edge: '<circle cx="8" cy="8" r="6.5"/><path d="M1.5 8h13M8 1.5c-4 4-4 9 0 13c4-4 4-9 0-13"/>',
    proxy: '<path d="M1.5 8h6M7.5 8l6-5M7.5 8l6 5"/><circle cx="7.5" cy="8" r="1.6"/>',
    database:
      '<ellipse cx="8" cy="3.5" rx="6" ry="2.3"/><path d="M2 3.5v9c0 1.3 2.7 2.3 6 2.3s6-1 6-2.3v-9M2 8c0 1.3 2.7 2.3 6 2.3s6-1 6-2.3"/>',
    cache: '<path d="M9.5 1.5L3 9h4.5L6.5 14.5L13 7H8.5z"/>',
    queue: '<path d="M2 3.5h12M2 8h12M2 12.5h12"/>',
    'third-party': '<path d="M6 3H2.5v10.5H13V10M9 2.5h4.5V7M13.5 2.5L7.5 8.5"/>',
    service: '<path d="M8 1.5l5.6 3.2v6.6L8 14.5l-5.6-3.2V4.7z"/>',
  }
  return `<g class="kind" transform="translate(11 18)">${drawings[kind] ?? drawings['service']}</g>`
}
