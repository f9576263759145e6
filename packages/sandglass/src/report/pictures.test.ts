import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainDrawing } from './chain-drawing.js'
import { dotDrawing } from './dot.js'
import { htmlReport } from './html.js'
import { markdownReport } from './markdown.js'
import { markedEdges } from './marked-edges.js'
import { mermaidDrawing } from './mermaid.js'
import { exampleFinding, exampleReport } from './report.fixture.js'
import { svgDrawing } from './svg.js'

const { drawing } = exampleReport()

/** A line of `count` operations. */
function line(count: number): ChainDrawing {
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: `s${i}.o`,
    service: `s${i}`,
    operation: 'o',
    kind: 'service' as const,
    starts: [],
  }))
  const edges = nodes
    .slice(1)
    .map(({ id }, i) => ({ from: `s${i}.o`, to: id, bound: '1s', state: 'bounded' as const, attempts: 1, optional: false, async: false }))
  return { nodes, edges, leftOut: 0 }
}

/** What a name may try to break out of quotes, tags and labels. */
const NASTY = `"><script>alert(1)</script>'&|]}\\--> \u001b[31m`
const nasty: ChainDrawing = {
  nodes: [
    { id: `${NASTY}.a`, service: NASTY, operation: 'a', kind: 'service', starts: [NASTY] },
    { id: 'b.b', service: 'b', operation: 'b', kind: 'database', starts: [] },
  ],
  edges: [{ from: `${NASTY}.a`, to: 'b.b', bound: '1s', state: 'unbounded', attempts: 3, optional: true, async: false }],
  leftOut: 0,
}

describe('a Mermaid drawing', () => {
  it('draws operations by kind and calls with their bound, the found ones named and wider', () => {
    expect(
      mermaidDrawing(drawing, markedEdges([exampleFinding(), exampleFinding({ rule: 'uniform', severity: 'warning' })])),
    ).toBe(`flowchart LR
  n0(["app.pay"])
  n1["gateway.pay"]
  n2["checkout.pay"]
  n3{{"payments.charge"}}
  n0 -->|"5s"| n1
  n1 -->|"4s"| n2
  n2 -->|"4.6s, 2 tries / error: inverted, uniform"| n3
  linkStyle 2 stroke:#c62828,stroke-width:4px
`)
  })

  it('keeps within what Mermaid draws, and says what is missing', () => {
    const text = mermaidDrawing(line(10_000))
    expect(text.split('\n').length).toBeLessThan(700)
    expect(text).toContain('9850 more operations are not drawn')
  })

  it('lets no name end its label', () => {
    expect(mermaidDrawing(nasty).match(/"[^"]*"/g)).toHaveLength(3)
    expect(mermaidDrawing(nasty)).not.toContain('<')
  })
})

describe('a Graphviz drawing', () => {
  it('quotes names, so that each stays one', () => {
    expect(dotDrawing(nasty)).toContain('"\\"><script>')
    expect(dotDrawing(drawing)).toContain('  "checkout.pay" -> "payments.charge" [label="4.6s, 2 tries"]\n')
  })
})

describe('an SVG drawing', () => {
  it('shows each operation and each bound once', () => {
    const svg = svgDrawing(drawing)
    for (const text of ['>gateway<', '>charge<', '>4.6s, 2 tries<']) expect(svg.split(text)).toHaveLength(2)
  })

  it('contains no tag that a name wrote', () => {
    expect(svgDrawing(nasty)).not.toContain('<script')
    expect(svgDrawing(nasty)).not.toContain('\u001b')
  })

  it('of ten thousand operations draws the first and says so, in seconds', () => {
    const startedAt = performance.now()
    expect(svgDrawing(line(10_000))).toContain('9600 more operations are not drawn')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  it('of nothing is still a picture', () => {
    expect(svgDrawing({ nodes: [], edges: [], leftOut: 0 })).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/)
  })

  it('is well formed whatever the names', () => {
    const name = fc.string({ unit: 'binary', maxLength: 12 })
    fc.assert(
      fc.property(name, name, (a, b) => {
        const node = (id: string) => ({ id, service: id, operation: id, kind: 'service' as const, starts: [] })
        const svg = svgDrawing({ nodes: [node(`a${a}`), node(`b${b}`)], edges: [], leftOut: 0 })
        expect(svg.match(/<(?!\/?(svg|style|rect|defs|marker|path|g|title|text|circle|ellipse)\b)/g)).toBeNull()
      }),
      { numRuns: 30 },
    )
  })
})

describe('the page', () => {
  const page = htmlReport(exampleReport())

  it('asks nothing of any other place', () => {
    expect(page).not.toMatch(/(src|href)=|url\((?!#)|@import|https?:\/\//)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"`)
  })

  it('makes each found call a button that keyboard and screen reader reach, and tells severity by sign and word', () => {
    expect(page).toContain(
      'tabindex="0" role="button" aria-label="checkout.pay calls payments.charge, 4.6s, 2 tries. error inverted: payments can outlive',
    )
    expect(page).toContain('<b aria-hidden="true">✕</b>error</span> <code>inverted</code>')
  })

  it('joins a call and its findings by the same key', () => {
    const keys = [...page.matchAll(/data-key="([^"]*)"/g)].map((match) => match[1])
    expect(keys.filter((key) => key === '[&quot;checkout.pay&quot;,&quot;payments.charge&quot;]')).toHaveLength(3)
  })

  it('contains no tag that a name or a message wrote', () => {
    const text = htmlReport({
      ...exampleReport([exampleFinding({ message: NASTY, path: [`${NASTY}.a`, 'b.b'] })]),
      drawing: nasty,
      journeys: [{ name: NASTY, promiseMs: null, worstMs: null, typicalMs: null }],
    })
    expect(text.split('<script')).toHaveLength(2)
  })

  it('says so when nothing was found', () => {
    expect(htmlReport(exampleReport([]))).toContain('✓ nothing found')
  })
})

describe('the Markdown comment', () => {
  it('draws the chain and folds the findings', () => {
    const text = markdownReport(exampleReport())
    expect(text).toMatch(/^### Sandglass: 1 error, 0 warnings\n\nIn 2 journeys/)
    expect(text).toContain('```mermaid\nflowchart LR')
    expect(text).toContain('<details>\n<summary>1 finding</summary>')
  })

  it('lets no cell end early, mention anybody or become markup', () => {
    const rows = markdownReport(exampleReport([exampleFinding({ message: 'a | b `c` @team <img src=x> [x](y)\nz' })])).split('\n')
    const row = rows.find((each) => each.startsWith('| error')) ?? ''
    expect(row.replaceAll('\\|', '').split('|')).toHaveLength(7)
    expect(row).not.toMatch(/<img|@team|(?<!\\)\[x/)
  })

  it('counts what does not fit into a comment', () => {
    const text = markdownReport(exampleReport(Array.from({ length: 130 }, () => exampleFinding())))
    expect(text).toContain('… and 30 more findings')
    expect(text.length).toBeLessThan(65_536)
  })
})
