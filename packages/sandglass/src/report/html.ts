import { formatDuration } from '@sandglass/runtime/core'
import { placeOf } from '../model/sourced.js'
import { edgeKey } from './chain-drawing.js'
import { type CheckReport, inOrder, type JourneyTimes, summaryOf } from './check-report.js'
import { escapeHtml as e } from './escape-html.js'
import { htmlFinding } from './html-finding.js'
import { htmlScript } from './html-script.js'
import { htmlStyle } from './html-style.js'
import { markedEdges } from './marked-edges.js'
import { svgPicture } from './svg.js'
import { counted, coverageText } from './text.js'

const MAX_FINDINGS = 500

/** Findings as one page that needs nothing else: the chain drawn, findings on its calls, then each in full. */
export function htmlReport(report: CheckReport): string {
  const diagnostics = inOrder(report.diagnostics)
  const shown = diagnostics.slice(0, MAX_FINDINGS)
  const rest = diagnostics.length - shown.length
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${e(titleOf(report))}</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<h1>${LOGO}<span>Sandglass</span></h1>
<ul class="counts">${countsOf(report)}</ul>
<p class="coverage">In ${e(coverageText(report.coverage))}</p>
</header>
<main>
${journeysOf(report.journeys)}
${chainOf(report)}
<section aria-labelledby="findings-title">
<div class="bar"><h2 id="findings-title">${diagnostics.length === 0 ? 'Nothing found' : counted(diagnostics.length, 'finding')}</h2></div>
${shown.map((one) => htmlFinding(one, keyOf(one.path), report)).join('\n')}
${rest > 0 ? `<p>… and ${rest} more; <code>--format json</code> has all.</p>` : ''}
</section>
${notesOf(report)}
</main>
<div id="peek" role="status" hidden></div>
<script>${htmlScript}</script>
</body>
</html>
`
}

/** The chain drawn; nothing where code was scanned, which has no chain. */
function chainOf(report: CheckReport): string {
  if (report.coverage.files !== undefined) return ''
  return `<section aria-labelledby="chain-title">
<div class="bar"><h2 id="chain-title">The chain</h2><p class="hint">${marksHint(report)}</p></div>
<div class="canvas" tabindex="0" role="region" aria-label="The chain, drawn; scrolls sideways">
${svgPicture(report.drawing, markedEdges(report.diagnostics), false)}
</div>
</section>`
}

const LOGO =
  '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 2.5h12M6 21.5h12M7.5 2.5v3.7c0 2.6 4.5 4 4.5 5.8s-4.5 3.2-4.5 5.8v3.7M16.5 2.5v3.7c0 2.6-4.5 4-4.5 5.8s4.5 3.2 4.5 5.8v3.7"/><path class="grain" d="M9.3 20.2c.4-2 2.7-2.3 2.7-4.2c0 1.9 2.3 2.2 2.7 4.2zM9.4 6.5h5.2c-.6 1.4-2 2-2.6 3c-.6-1-2-1.6-2.6-3z"/></svg>'

function titleOf(report: CheckReport): string {
  const { errors, warnings } = summaryOf(report.diagnostics)
  return `Sandglass: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`
}

function countsOf(report: CheckReport): string {
  const { errors, warnings, infos } = summaryOf(report.diagnostics)
  if (errors + warnings + infos === 0) return '<li class="good">✓ nothing found</li>'
  const parts = [
    { count: errors, word: 'error', sign: '✕' },
    { count: warnings, word: 'warning', sign: '!' },
    { count: infos, word: 'note', sign: 'i' },
  ]
  return parts
    .filter(({ count }) => count > 0)
    .map(
      ({ count, word, sign }) =>
        `<li class="${word === 'note' ? 'info' : word}"><b aria-hidden="true">${sign}</b>${counted(count, word)}</li>`,
    )
    .join('')
}

function marksHint(report: CheckReport): string {
  return report.diagnostics.length === 0
    ? 'Each line is a call with the longest it may hold its caller.'
    : 'A marked call has findings: point at it, or Tab to it, to see them; click or Enter goes to the first.'
}

function keyOf(path: readonly string[]): string {
  const [caller, callee] = path.slice(-2)
  return caller !== undefined && callee !== undefined ? edgeKey(caller, callee) : (caller ?? '')
}

/** What was promised against what may happen, as bars on one scale. */
function journeysOf(journeys: readonly JourneyTimes[]): string {
  if (journeys.length === 0) return ''
  const most = Math.max(1, ...journeys.flatMap(({ promiseMs, worstMs, typicalMs }) => [promiseMs ?? 0, worstMs ?? 0, typicalMs ?? 0]))
  return `<section aria-labelledby="journeys-title"><div class="bar"><h2 id="journeys-title">${journeys.length === 1 ? 'The journey' : 'Journeys'}</h2></div><div class="journeys">${journeys
    .slice(0, 60)
    .map((journey) => journeyCard(journey, most))
    .join('')}</div></section>`
}

function journeyCard({ name, promiseMs, worstMs, typicalMs }: JourneyTimes, mostMs: number): string {
  const isBroken = promiseMs !== null && (worstMs === null || worstMs > promiseMs)
  const verdict = promiseMs === null ? 'no promise' : isBroken ? '✕ can break its promise' : '✓ keeps its promise'
  return `<article class="journey"><h3>${e(name)}</h3><p class="verdict ${promiseMs === null ? '' : isBroken ? 'error' : 'good'}">${verdict}</p><dl>${[
    bar('promise', promiseMs, mostMs, 'none'),
    bar('worst', worstMs, mostMs, 'no limit, or unknown'),
    bar('typical', typicalMs, mostMs, 'unknown'),
  ].join('')}</dl></article>`
}

function bar(name: string, ms: number | null, mostMs: number, absent: string): string {
  const share = ms === null ? (name === 'worst' ? 100 : 0) : Math.max(0.5, (100 * ms) / mostMs)
  return `<dt>${name}</dt><dd><span class="track"><span class="fill ${name}${ms === null ? ' open' : ''}" style="width:${Math.round(share * 10) / 10}%"></span></span><b>${ms === null ? absent : formatDuration(ms)}</b></dd>`
}

function notesOf({ notes, coverage }: CheckReport): string {
  const lines = [
    ...coverage.notRead.map(({ file, why }) => `not read: ${file}: ${why}`),
    ...coverage.servicesWithoutData.slice(0, 100).map((service) => `no times are known of ${service}`),
    ...notes.slice(0, 100).map(({ message, spot }) => {
      if (!spot) return message
      const { file, line } = placeOf(spot)
      return `${file}:${line}: ${message}`
    }),
  ]
  if (lines.length === 0) return ''
  return `<details class="notes"><summary>What was assumed, and what was not covered (${lines.length})</summary><ul>${lines.map((line) => `<li>${e(line)}</li>`).join('')}</ul></details>`
}
