import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

it('the library reads, checks and reports where there is neither Node nor a page', async () => {
  const { outputFiles } = await build({
    entryPoints: [file('../src/index.ts')],
    alias: { '@sandglass/runtime/core': file('../../runtime/src/core/index.ts') },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sandglass',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    logLevel: 'error',
  })
  // A worker has no `process`, no `require` and no `document`; a new context has only the language; dagre clones by `structuredClone`, which workers have.
  const context = createContext({ structuredClone })
  runInContext(outputFiles[0]?.text ?? '', context)
  const text =
    'sandglass: 1\njourneys: { j: { promise: 9s, starts: a.o } }\nservices: { a: { operations: { o: { calls: [{ to: b.o, timeout: 1s }] } } }, b: { operations: { o: { calls: [{ to: c.o, timeout: 2s }] } } }, c: { operations: { o: {} } } }\n'
  const script = `
    const { chain, problems } = sandglass.readChainText(${JSON.stringify(text)})
    const { report } = sandglass.checkChain(chain, sandglass.allRules)
    const { textReport, jsonReport, markdownReport, htmlReport, githubReport, conciseReport, sarifReport, showTable, showJson, viewOf, drawingOf, svgDrawing } = sandglass
    const texts = [textReport, jsonReport, markdownReport, htmlReport, githubReport, conciseReport].map((write) => write(report))
    JSON.stringify({ problems: problems.length, rules: report.diagnostics.map(({ rule }) => rule), lengths: [...texts, sarifReport(report, '1'), showTable(viewOf(chain)), showJson(viewOf(chain)), svgDrawing(drawingOf(viewOf(chain)))].map(({ length }) => length) })
  `
  const { problems, rules, lengths } = JSON.parse(runInContext(script, context) as string) as {
    problems: number
    rules: string[]
    lengths: number[]
  }
  expect(problems).toBe(0)
  expect(rules).toContain('inverted')
  expect(lengths.every((length) => length > 50)).toBe(true)
}, 30_000)
