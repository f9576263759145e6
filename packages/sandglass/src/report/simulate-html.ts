import { formatDuration } from '@sandglass/runtime/core'
import { placeOf } from '../model/sourced.js'
import type { Interval } from '../simulate/interval.js'
import type { JourneyMeasures, OperationMeasures } from '../simulate/measure.js'
import { escapeHtml as e } from './escape-html.js'
import { simulateHtmlScript } from './simulate-html-script.js'
import { simulateHtmlStyle } from './simulate-html-style.js'
import { pageData } from './simulate-page-data.js'
import { entriesOf, halfWidthOf, type Measured, meanOf, type ReportArm, type SimulateReport } from './simulate-report.js'
import { sweptText } from './simulate-text.js'
import { uplotScript, uplotStyle } from './uplot.generated.js'

/** A simulation as one page that needs nothing else: what came of each journey, all chains over one time axis, operations in numbers. */
export function simulateHtml(report: SimulateReport): string {
  const { facts, sweep } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Sandglass: ${e(facts.name)}</title>
<style>${uplotStyle}
${simulateHtmlStyle}</style>
</head>
<body>
<header>
<h1>${LOGO}<span>${e(facts.name)}</span></h1>
<p class="scenario">${e(facts.summary)}${facts.faults.map(({ text, atMs, endsAtMs }) => `<br><span class="fault">${e(text)}</span> from ${formatDuration(atMs)} to ${formatDuration(endsAtMs)}`).join('')}${seedsOf(report)}</p>
</header>
<main>
${sweep === null ? armCards(report) : ''}
<section aria-labelledby="charts-title">
<div class="bar"><h2 id="charts-title">${sweep === null ? 'Over time' : `By ${e(sweep.sweep.target)}`}</h2><div class="pick">${picks(report)}</div></div>
<div class="charts" id="panels"></div>
</section>
${sweep === null ? operationTables(report) : sweepTable(report)}
${notesOf(report)}
</main>
<script type="application/json" id="data">${JSON.stringify(pageData(report)).replaceAll('<', '\\u003c')}</script>
<script>${uplotScript}</script>
<script>${simulateHtmlScript}</script>
</body>
</html>
`
}

const LOGO =
  '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 2.5h12M6 21.5h12M7.5 2.5v3.7c0 2.6 4.5 4 4.5 5.8s-4.5 3.2-4.5 5.8v3.7M16.5 2.5v3.7c0 2.6-4.5 4-4.5 5.8s4.5 3.2 4.5 5.8v3.7"/><path class="grain" d="M9.3 20.2c.4-2 2.7-2.3 2.7-4.2c0 1.9 2.3 2.2 2.7 4.2zM9.4 6.5h5.2c-.6 1.4-2 2-2.6 3c-.6-1-2-1.6-2.6-3z"/></svg>'

type AnyJourney = JourneyMeasures<number> | JourneyMeasures<Interval>
type AnyOperation = OperationMeasures<number> | OperationMeasures<Interval>

function seedsOf({ arms, sweep }: SimulateReport): string {
  const seeds = (arms[0]?.result ?? sweep?.points[0])?.seeds ?? []
  return seeds.length > 1
    ? `<br>${seeds.length} runs, seeds ${seeds[0]} to ${seeds[seeds.length - 1]}; ± and bands are the 99 % interval`
    : `<br>seed ${seeds[0] ?? 1}`
}

function armCards({ arms, facts }: SimulateReport): string {
  const cards = arms.flatMap((arm, i) =>
    entriesOf(arm.result.journeys).map(([name, one]) => armCard(arm.name, name, one, i, facts.faults.length > 0)),
  )
  return `<section class="arms">${cards.join('\n')}</section>`
}

function armCard(arm: string, journey: string, one: AnyJourney, index: number, hasFaults: boolean): string {
  const offered = meanOf(one.offered) ?? 0
  const parts = (['succeeded', 'degraded', 'late', 'failed'] as const).map((name) => ({
    name,
    share: (meanOf(one[name]) ?? 0) / Math.max(1, offered),
  }))
  const ended = parts.reduce((sum, { share }) => sum + share, 0)
  const all: { name: string; share: number }[] = ended < 0.9995 ? [...parts, { name: 'open', share: 1 - ended }] : parts
  return `<article class="arm" style="--tone:var(--arm${1 + (index % 6)})"><header><h3>${arm === '' ? e(journey) : `${e(arm)} <i>${e(journey)}</i>`}</h3>${hasFaults ? recoveryVerdict(one) : ''}</header>
<dl class="figures">${[
    figure('success', percent(one.successShare), ''),
    figure('goodput', number(one.goodputPerS), 'per second'),
    figure('p50', duration(one.p50Ms), ''),
    figure('p99', duration(one.p99Ms), ''),
    figure('attempts', number(one.attemptsPerRequest), 'per request'),
  ].join('')}</dl>
<div class="split" role="img" aria-label="${all.map(({ name, share }) => `${name} ${percent(share)}`).join(', ')}">${all.map(({ name, share }) => `<span class="${name}" style="width:${(100 * share).toFixed(2)}%"></span>`).join('')}</div>
<ul class="key">${all
    .filter(({ share }) => share > 0)
    .map(({ name, share }) => `<li class="${name}"><i></i>${name === 'open' ? 'not ended' : name} <b>${percent(share)}</b></li>`)
    .join('')}</ul></article>`
}

function recoveryVerdict(one: AnyJourney): string {
  const recovery = meanOf(one.recoveryMs)
  if (recovery === null) return '<p class="verdict error">✕ does not recover within the run</p>'
  return `<p class="verdict good">✓ ${recovery === 0 ? 'recovers at once' : `recovers after ${duration(one.recoveryMs)}`}</p>`
}

function figure(name: string, value: string, unit: string): string {
  const [main = '', half = ''] = value.split(' ±')
  return `<div><dt>${name}</dt><dd>${main}${half || unit ? `<small>${half ? `±${half}${unit ? ' ' : ''}` : ''}${unit}</small>` : ''}</dd></div>`
}

function picks({ arms, sweep }: SimulateReport): string {
  const first = arms[0]?.result ?? sweep?.points[0]
  const journeys = Object.keys(first?.journeys ?? {})
  const seconds = sweep === null ? servicesByStrain(arms) : operationsByCompletion(sweep.points[0]?.operations ?? {}, sweep.sweep.target)
  const options = (names: readonly string[]) => names.map((name) => `<option>${e(name)}</option>`).join('')
  return `<label${journeys.length > 1 ? '' : ' hidden'}>journey<select id="pick-journey">${options(journeys)}</select></label><label>${sweep === null ? 'service' : 'operation'}<select id="pick-second">${options(seconds)}</select></label>`
}

/** Services with the one first that ran out of slots first, then by the longest queue. */
function servicesByStrain(arms: readonly ReportArm[]): readonly string[] {
  const strain = new Map<string, { at: number; queue: number; limited: boolean }>()
  for (const { result } of arms) {
    for (const [name, { exhaustedAtMs, slots }] of entriesOf(result.resources)) {
      const before = strain.get(name) ?? { at: Number.POSITIVE_INFINITY, queue: 0, limited: false }
      const waiting = result.series.services[name]?.queue ?? []
      const queue = Math.max(0, ...('mean' in waiting ? waiting.mean : (waiting as readonly number[])))
      strain.set(name, {
        at: Math.min(before.at, meanOf(exhaustedAtMs) ?? Number.POSITIVE_INFINITY),
        queue: Math.max(before.queue, queue),
        limited: before.limited || slots !== null,
      })
    }
  }
  return [...strain]
    .sort(([, a], [, b]) => (a.at === b.at ? b.queue - a.queue || Number(b.limited) - Number(a.limited) : a.at - b.at))
    .map(([name]) => name)
}

/** Operations with the caller of a swept call first. */
function operationsByCompletion(operations: Readonly<Record<string, AnyOperation>>, target: string): readonly string[] {
  const caller = target.split('>')[0]?.trim() ?? ''
  const names = Object.keys(operations)
  return [...names.filter((name) => name === caller), ...names.filter((name) => name !== caller)]
}

function operationTables({ arms }: SimulateReport): string {
  const head =
    '<tr><th>operation</th><th>arrivals per request</th><th>busy</th><th>waiting</th><th>mean wait</th><th>p99 wait</th><th>useful</th><th>dropped</th><th>rejected</th><th>orphaned work</th><th>breaker open</th></tr>'
  return arms
    .map(({ name, result }, i) => {
      const rows = entriesOf(result.operations)
        .filter(([, one]) => (meanOf(one.arrivals) ?? 0) > 0)
        .map(([id, one]) => operationRow(id, one, i))
      return `<section><div class="bar"><h2>${arms.length > 1 ? e(name) : 'Operations'}</h2><p class="hint">${exhaustedText(result.resources)}</p></div><div class="wide" tabindex="0" role="region" aria-label="Operations in numbers"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div></section>`
    })
    .join('\n')
}

function operationRow(id: string, one: AnyOperation, index: number): string {
  const arrivals = meanOf(one.arrivals) ?? 0
  const of = (value: Measured) => ((meanOf(value) ?? 0) === 0 ? '–' : percent((meanOf(value) ?? 0) / arrivals))
  const time = (value: Measured) => ((meanOf(value) ?? 0) === 0 ? '–' : duration(value))
  const hot = (meanOf(one.amplification) ?? 0) > 1.5 ? ' class="hot"' : ''
  return `<tr><td class="dot" style="--tone:var(--arm${1 + (index % 6)})">${e(id)}</td><td${hot}>${number(one.amplification)}</td><td>${number(one.busyMean)}</td><td>${number(one.meanQueue)}</td><td>${time(one.meanWaitMs)}</td><td>${time(one.p99WaitMs)}</td><td>${of(one.useful)}</td><td>${of(one.expiredDropped)}</td><td>${of(one.rejected)}</td><td>${(meanOf(one.orphanedMs) ?? 0) === 0 ? '–' : `${digits((meanOf(one.orphanedMs) ?? 0) / 1000)} s`}</td><td>${time(one.breakerOpenMs)}</td></tr>`
}

function exhaustedText(resources: ReportArm['result']['resources']): string {
  const lines = entriesOf(resources)
    .map(([name, { exhaustedAtMs }]) => ({ name, at: meanOf(exhaustedAtMs) }))
    .filter((one): one is { name: string; at: number } => one.at !== null)
    .sort((a, b) => a.at - b.at)
  if (lines.length === 0) return 'no service ran out of slots'
  return `out of slots: ${lines.map(({ name, at }) => `${e(name)} at ${formatDuration(Math.round(at / 100) * 100)}`).join(', ')}`
}

function sweepTable({ sweep }: SimulateReport): string {
  if (sweep === null) return ''
  const { target, unit } = sweep.sweep
  const rows = sweep.points.flatMap(({ value, journeys }) =>
    entriesOf(journeys).map(
      ([name, one]) =>
        `<tr><td>${e(sweptText(value, unit))}</td><td>${e(name)}</td><td>${number(one.goodputPerS)}</td><td>${percent(one.successShare)}</td><td>${duration(one.p50Ms)}</td><td>${duration(one.p99Ms)}</td><td>${number(one.attemptsPerRequest)}</td></tr>`,
    ),
  )
  return `<section><div class="bar"><h2>In numbers</h2></div><div class="wide" tabindex="0" role="region" aria-label="The curve in numbers"><table><thead><tr><th>${e(target)}</th><th>journey</th><th>goodput per second</th><th>success</th><th>p50</th><th>p99</th><th>attempts per request</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`
}

function notesOf({ notes }: SimulateReport): string {
  if (notes.length === 0) return ''
  const lines = notes.slice(0, 200).map(({ message, spot }) => {
    if (!spot) return message
    const { file, line } = placeOf(spot)
    return `${file}:${line}: ${message}`
  })
  return `<details class="notes"><summary>What was assumed (${notes.length})</summary><ul>${lines.map((line) => `<li>${e(line)}</li>`).join('')}</ul></details>`
}

function number(value: Measured): string {
  const mean = meanOf(value)
  if (mean === null) return '–'
  const half = halfWidthOf(value)
  return half > 0 ? `${digits(mean)} ±${digits(half)}` : digits(mean)
}

function digits(value: number): string {
  const text =
    Math.abs(value) >= 100
      ? value.toFixed(0)
      : Math.abs(value) >= 10
        ? value.toFixed(1)
        : Number.isInteger(value)
          ? String(value)
          : value.toFixed(2)
  return text.replace(/\B(?=(\d{3})+$)/g, ' ')
}

function percent(value: Measured): string {
  const mean = meanOf(value)
  if (mean === null) return '–'
  const half = halfWidthOf(value)
  const text = (share: number) => (share > 0.9995 ? '100' : (share * 100).toFixed(share > 0 && share < 0.001 ? 2 : 1))
  return half > 0 ? `${text(mean)} % ±${text(half)} %` : `${text(mean)} %`
}

function duration(value: Measured): string {
  const mean = meanOf(value)
  if (mean === null) return '–'
  const half = halfWidthOf(value)
  const text = (ms: number) =>
    formatDuration(ms >= 10_000 ? Math.round(ms / 100) * 100 : ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(2)))
  return half > 0 ? `${text(mean)} ±${text(half)}` : text(mean)
}
