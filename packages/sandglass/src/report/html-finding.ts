import type { Diagnostic, Related } from '../model/diagnostic.js'
import { lineText, placeOf } from '../model/sourced.js'
import { boundText } from './bound-text.js'
import type { CheckReport } from './check-report.js'
import { escapeHtml as e } from './escape-html.js'

const signs = { error: '✕', warning: '!', info: 'i' } as const

/** One finding in full, as an article; `key` is the call it belongs to. */
export function htmlFinding(one: Diagnostic, key: string, report: CheckReport): string {
  const places: Related[] = [...one.related.slice(0, 1), { spot: one.spot, label: one.label }, ...one.related.slice(1)]
  return `<article class="finding ${one.severity}" data-key="${e(key)}" tabindex="-1">
<h3><span class="badge ${one.severity}"><b aria-hidden="true">${signs[one.severity]}</b>${one.severity}</span> <code>${e(one.rule)}</code> ${e(one.message)}</h3>
${one.arithmetic === '' ? '' : `<p class="sum">${e(one.arithmetic)}</p>`}
${pathOf(one, report)}
<div class="frames">${places.map((place, index) => frameOf(place, index === (one.related.length > 0 ? 1 : 0))).join('')}</div>
${one.why === '' ? '' : `<p class="why">${e(one.why)}</p>`}
${one.consequences.length === 0 ? '' : `<ul class="after">${one.consequences.map((each) => `<li>${e(each.message)}</li>`).join('')}</ul>`}
<p class="fix">${one.suggestion ? `<span><b>fix</b> ${e(one.suggestion.text)}</span>` : ''}<span class="explain"><code>sandglass explain ${e(one.rule)}</code></span></p>
</article>`
}

function pathOf(one: Diagnostic, report: CheckReport): string {
  if (one.path.length === 0) return ''
  const hops = one.path.map((operation, index) => {
    const next = one.path[index + 1]
    if (next === undefined) return `<li><span>${e(operation)}</span></li>`
    return `<li><span>${e(operation)}</span><i>${e(limitOf(one, index, report.hopOf(operation, next)?.state))}</i></li>`
  })
  return `<ol class="path" aria-label="The path${one.journey === null ? '' : ` of journey ${e(one.journey)}`}">${hops.join('')}</ol>`
}

function limitOf(one: Diagnostic, index: number, state: 'bounded' | 'unbounded' | 'unknown' | undefined): string {
  const ms = one.pathBoundsMs[index]
  if (typeof ms === 'number') return boundText({ state: 'bounded', boundMs: ms })
  return state === undefined ? '' : boundText({ state: state === 'bounded' ? 'unknown' : state, boundMs: null })
}

/** A source line with its stretch marked and what it says. */
function frameOf({ spot, label }: Related, isOwn: boolean): string {
  const { file, line, column, endColumn } = placeOf(spot)
  const text = lineText(spot.source, line)
  const start = Math.max(0, column - 1 - 60)
  const before = `${start > 0 ? '…' : ''}${text.slice(start, column - 1).replace(/^\s+/, '')}`
  const marked = text.slice(column - 1, Math.min(endColumn - 1, column + 199))
  const after = text.slice(endColumn - 1, endColumn + 59)
  return `<figure class="frame${isOwn ? ' own' : ''}"><figcaption>${e(`${file}:${line}:${column}`)}</figcaption><pre><span class="number">${line}</span>${e(before)}<mark>${e(marked)}</mark>${e(after)}</pre><p>${e(label)}</p></figure>`
}
