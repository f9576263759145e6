import type { ArmName } from '../arms/arm.js'
import { goodputSeries, offeredSeries, sampledSeries } from '../measure/series.js'
import type { RunFacts } from '../measure/summary.js'
import type { ArmRun } from '../run/run-arm.js'
import { type ChartLine, escaped, lineChart } from './line-chart.js'
import { reasonsFor } from './reasons.js'
import { type ArmPair, differencesOf, msText, percent } from './table.js'
import { targetsOf } from './targets.js'

/** One arm of a report. */
export interface ReportedArm {
  readonly name: ArmName
  readonly what: string
  readonly pair: ArmPair
  /** The last run, for what is only of one. */
  readonly run: ArmRun
  /** All runs together. */
  readonly facts: RunFacts
  readonly simulatedGoodputPerS: readonly number[]
}

/** What a report is about. */
export interface LabReport {
  readonly scenario: string
  readonly what: string
  readonly command: string
  /** One line each: the machine, the rate, what stands behind the services. */
  readonly facts: readonly string[]
  readonly arms: readonly ReportedArm[]
}

const COLORS: Readonly<Record<ArmName, string>> = {
  uniform: '#d1242f',
  funnel: '#9a6700',
  sandglass: '#1a7f37',
  cockatiel: '#8250df',
  opossum: '#0969da',
}

/** The chart of the report that says most: useful answers per second, all arms over one another, and what was asked for. */
export function goodputChart({ arms, scenario }: LabReport, withSimulated: boolean): string {
  const perRun = (values: readonly number[], { runs = 1 }: RunFacts): number[] => values.map((value) => value / runs)
  const [first] = arms
  const offered: ChartLine[] = first
    ? [
        {
          name: 'asked for',
          color: '#818b98',
          values: perRun(offeredSeries(first.facts.requests, first.facts.times.durationMs), first.facts),
          isDashed: true,
        },
      ]
    : []
  const lines = arms.flatMap(({ name, facts, simulatedGoodputPerS }): ChartLine[] => [
    { name, color: COLORS[name], values: perRun(goodputSeries(facts.requests, facts.times.promiseMs, facts.times.durationMs), facts) },
    ...(withSimulated ? [{ name: `${name}, simulated`, color: COLORS[name], values: simulatedGoodputPerS, isDashed: true }] : []),
  ])
  const title = withSimulated
    ? 'Useful answers per second: measured, and simulated (dotted)'
    : `${scenario}: useful answers per second (dotted: asked for)`
  return chartOf(arms, title, '/s', withSimulated ? lines : [...offered, ...lines], 1000)
}

function chartOf(arms: readonly ReportedArm[], title: string, unit: string, lines: readonly ChartLine[], windowMs: number): string {
  const times = arms[0]?.run.facts.times
  const fault = times?.fault ?? null
  return lineChart({
    title,
    unit,
    lines,
    windowMs,
    durationMs: times?.durationMs ?? 1000,
    band: fault === null ? null : { ...fault, text: 'while the fault lasts' },
  })
}

function sampledChart(arms: readonly ReportedArm[], title: string, unit: string, of: Parameters<typeof sampledSeries>[1]): string {
  const lines = arms.map(({ name, run }) => ({
    name,
    color: COLORS[name],
    values: sampledSeries(run.samples, of, run.facts.times.durationMs),
  }))
  return chartOf(arms, title, unit, lines, 500)
}

/** The page: one file, no scripts, nothing loaded from elsewhere. */
export function labPage(report: LabReport): string {
  const { scenario, what, command, facts, arms } = report
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Lab: ${escaped(scenario)}</title><style>${STYLE}</style></head><body><main>
<h1>${escaped(scenario)}</h1><p>${escaped(what)}. Real processes, real HTTP, real load, real faults, one arm after the other.</p>
<p class="dim">${[`<code>${escaped(command)}</code>`, ...facts.map(escaped)].join('<br>')}</p>
${targets(report)}
<figure>${goodputChart(report, true)}</figure>
<figure>${sampledChart(arms, 'Requests being worked on, all services together', '', (services) => sum(services, ({ inFlight }) => inFlight))}</figure>
<figure>${sampledChart(arms, 'Requests that wait for a slot, all services together', '', (services) => sum(services, ({ queued }) => queued))}</figure>
<h2>In numbers</h2>${numbers(arms)}
<h2>Requests received, per request of the client</h2>${amplification(arms)}
<h2>What happened</h2>${happened(arms)}
</main></body></html>
`
}

function sum<T>(services: Readonly<Record<string, T>>, of: (counters: T) => number): number {
  return Object.values(services).reduce((total, counters) => total + of(counters), 0)
}

function targets({ arms, scenario }: LabReport): string {
  const found = targetsOf(
    arms.map(({ pair }) => pair),
    scenario,
  )
  if (found.length === 0) return ''
  return `<ul class="targets">${found.map(({ text, found: value, isMet }) => `<li class="${isMet ? 'met' : 'missed'}"><b>${isMet ? 'met' : 'missed'}</b> ${escaped(text)}: ${escaped(value)}</li>`).join('')}</ul>`
}

function numbers(arms: readonly ReportedArm[]): string {
  const head = [
    '',
    'answered within the promise',
    'useful',
    'degraded',
    'useful under fault',
    'goodput',
    'under fault',
    'p50',
    'p99',
    'back after the fault',
    'orphaned work',
  ]
  const rows = arms.flatMap(({ name, what, pair, run, facts }) => {
    const row = (label: string, one: ArmPair['measured'], css: string): string =>
      `<tr class="${css}"><th>${label}</th>${[
        percent(one.answeredShare),
        percent(one.usefulShare),
        percent(one.degradedShare),
        one.underFault ? percent(one.underFault.usefulShare) : '-',
        `${one.goodputPerS.toFixed(1)}/s`,
        one.underFault ? `${one.underFault.goodputPerS.toFixed(1)}/s` : '-',
        msText(one.p50Ms),
        msText(one.p99Ms),
        one.underFault ? (one.recoveryMs === null ? 'never' : msText(one.recoveryMs)) : '-',
        percent(one.orphanedShare),
      ]
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`
    return [
      row(`<span style="color:${COLORS[name]}">${name}</span> <small>${escaped(what)}</small>`, pair.measured, ''),
      ...(pair.simulated
        ? [row('simulated', pair.simulated, 'dim'), differences(reasonsFor(name, facts, differencesOf(pair), run.hasUntoldFault), pair)]
        : []),
    ]
  })
  return `<div class="wide"><table><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>${rows.join('')}</table></div><p class="dim">Goodput counts answers when they come, as the simulator does; shares under fault count requests by when they were sent. The simulator sees time in seconds, so that its recovery is that coarse, and it counts a clear failure as an answer whenever it comes.</p>`
}

function differences(reason: string, pair: ArmPair): string {
  const words = { goodputPerS: 'goodput', p50Ms: 'p50', p99Ms: 'p99' } as const
  const all = differencesOf(pair)
  const text = all
    .map(
      ({ what, share, isNear }) =>
        `<span class="${isNear ? 'met' : 'missed'}">${words[what]} ${share === null ? 'not comparable' : `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`}</span>`,
    )
    .join(' · ')
  const why = reason === '' ? '' : `<br><small>Reason: ${escaped(reason)}.</small>`
  return `<tr class="dim"><th>difference</th><td colspan="10" class="left">${text}${why}</td></tr>`
}

function amplification(arms: readonly ReportedArm[]): string {
  const services = [...new Set(arms.flatMap(({ pair }) => Object.keys(pair.measured.amplification)))]
  const rows = arms.map(
    ({ name, pair }) =>
      `<tr><th>${name}</th>${services.map((service) => `<td>${(pair.measured.amplification[service] ?? 0).toFixed(2)} <small class="dim">${pair.simulated?.amplification[service]?.toFixed(2) ?? ''}</small></td>`).join('')}</tr>`,
  )
  return `<div class="wide"><table><tr><th></th>${services.map((service) => `<th>${escaped(service)}</th>`).join('')}</tr>${rows.join('')}</table></div><p class="dim">Small: simulated.</p>`
}

function happened(arms: readonly ReportedArm[]): string {
  return arms
    .map(({ name, run }) => {
      const seen = run.events.map(({ atMs, text }) => `<li>${(atMs / 1000).toFixed(1)} s: ${escaped(text)}</li>`)
      const last = run.samples.at(-1)?.services ?? {}
      const tiers = (['snapshot', 'default', 'empty', 'defer', 'retries', 'notSent'] as const)
        .map((what) => [what, sum(last, (counters) => counters[what])] as const)
        .filter(([, count]) => count > 0)
      const words: Readonly<Record<string, string>> = {
        snapshot: 'answered from the last good answer',
        default: 'answered with a constant',
        empty: 'left out',
        defer: 'accepted for later',
        retries: 'retries',
        notSent: 'calls not sent, too little time left',
      }
      const counted = tiers.map(([what, count]) => `${count} ${words[what]}`)
      const behind = Object.entries(run.behind)
        .filter(([, real]) => real !== '')
        .map(([service, real]) => `${service}: ${real}`)
      return `<h3>${name}</h3><ul>${seen.join('')}${counted.length > 0 ? `<li>${counted.join(', ')}</li>` : ''}<li class="dim">${behind.length > 0 ? `behind ${escaped(behind.join(', '))}; ` : ''}CPU ${(run.cpuMs / 1000).toFixed(1)} s, the client at most ${run.mostLagMs.toFixed(0)} ms late</li></ul>`
    })
    .join('')
}

const STYLE = `:root{color-scheme:light dark;--ink:#1f2328;--dim:#59636e;--line:#d1d9e0;--bg:#fff;--met:#1a7f37;--missed:#cf222e}
@media (prefers-color-scheme:dark){:root{--ink:#f0f6fc;--dim:#9198a1;--line:#3d444d;--bg:#0d1117;--met:#3fb950;--missed:#f85149}}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif}main{max-width:1080px;margin:0 auto;padding:24px}
h1{margin:0}h2{margin:32px 0 8px;font-size:19px}h3{margin:16px 0 0;font-size:16px}figure{margin:16px 0}svg{width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px}th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}td:not(.left){white-space:nowrap}th:first-child,.left{text-align:left}th small{display:block;font-weight:400;color:var(--dim);max-width:220px}
.wide{overflow-x:auto}.dim,.dim th,.dim td{color:var(--dim);font-weight:400}.met{color:var(--met)}.missed{color:var(--missed)}ul{padding-left:20px;margin:6px 0}.targets{list-style:none;padding:0;columns:2 420px}.targets b{display:inline-block;min-width:56px}code{font-size:13px}`
