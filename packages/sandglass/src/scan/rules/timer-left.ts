import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import type { Spot } from '../../model/sourced.js'
import { endsByExitAmong } from '../files/ends-by-exit.js'
import { exitsAfterwards } from '../files/exits-afterwards.js'
import { inBrowserAmong } from '../files/in-browser.js'
import { type FunctionUses, functionUsesAmong } from '../guards/function-uses.js'
import { isReached } from '../guards/is-reached.js'
import { type Timer, timerIn } from '../guards/timer.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { ScanView } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import type { Module } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import { isGlobal } from '../terms/term.js'
import { placeOf } from './unbounded-call.js'

interface LeftTimer {
  readonly spot: Spot
  readonly armed: Spot
  readonly ms: number | null
}

/** The timer of a race that nothing clears when the race is over. */
export const timerLeft: ScanRule = {
  id: 'timer-left',
  severity: 'info',
  summary: 'the timer of a race that nothing clears',
  *check(view) {
    const isInBrowser = inBrowserAmong(view.modules, view.evaluator.project)
    const endsByExit = endsByExitAmong(view.evaluator.project)
    const isExited = ({ spot }: LeftTimer) => {
      const module = view.evaluator.project.moduleOf(spot.source.file)
      return module !== null && (endsByExit(spot.start, module) || exitsAfterwards(spot.start, module, view.evaluator))
    }
    const byPlace = new Map<string, LeftTimer>()
    const byTimer = new Map<string, LeftTimer[]>()
    for (const timer of timersOf(view)) {
      if (isInBrowser(timer.spot) || isOnADesk(timer, view) || endsTheProcess(timer) || isExited(timer)) continue
      const key = placeOf(timer.spot)
      const known = byPlace.get(key)
      if (!known || (timer.ms ?? 0) > (known.ms ?? 0)) byPlace.set(key, timer)
    }
    for (const timer of byPlace.values()) append(byTimer, causeOf(timer), timer)
    for (const [first, ...others] of byTimer.values()) if (first) yield scanFinding(findingOf(first, others))
  },
}

/** A program of Electron ends when its user says so, whatever is still to come. */
function isOnADesk({ spot }: LeftTimer, { evaluator }: ScanView): boolean {
  return evaluator.project.manifestOf(spot.source.file)?.dependencies.has('electron') === true
}

/** How far behind a timer the end of the process is looked for: in the statements after its race. */
const NEAR = 600

/** The process ends right after the race, with all its timers. */
function endsTheProcess({ spot: { source, end } }: LeftTimer): boolean {
  const [after = ''] = source.text.slice(end, end + NEAR).split(/\n(?:\}|export\b|async\b|function\b|const\b)/)
  return /\b(process|app)\.(exit|quit)\(/.test(after)
}

function timersOf({ calls, modules, evaluator, callersOf }: ScanView): LeftTimer[] {
  const functionUses = functionUsesAmong(modules, evaluator, callersOf)
  const around = calls.flatMap(({ guards }) =>
    guards.flatMap((guard): LeftTimer[] => (guard.kind === 'limit' && guard.timerLeft ? [{ ...guard.timerLeft, ms: guard.ms }] : [])),
  )
  const races = modules.flatMap((module) => timersOfRaces(module, evaluator, functionUses))
  return [...around, ...races.flatMap(({ isLeft, spot, armed, span }) => (isLeft ? [{ spot, armed, ms: span?.[1] ?? null }] : []))]
}

/** The timers in the races of a module that some caller gets to, whatever they race with. */
function timersOfRaces(module: Module, evaluator: Evaluator, functionUses: FunctionUses): Timer[] {
  return module.calls.flatMap((node) => {
    if (node.type !== 'CallExpression' || !isGlobal(evaluator.termOf(node.callee, module), 'Promise.race')) return []
    const [list] = node.arguments
    if (list?.type !== 'ArrayExpression') return []
    const items = list.elements.filter((item): item is Exclude<typeof item, null> => item !== null && item.type !== 'SpreadElement')
    const timers = items.map((item) => timerIn(item as Node, { evaluator, module, frame: null, counted: new Map() }))
    if (timers.every((timer) => timer !== null) || timers.every((timer) => timer === null)) return []
    const isLost = isReached({ node, module }, functionUses, { evaluator, module, frame: null, counted: new Map() }) === false
    return isLost ? [] : timers.filter((timer) => timer !== null)
  })
}

/** The timer that a function of the same file arms; one from elsewhere is a sleep for everybody, which only its race could clear. */
const causeOf = ({ spot, armed }: LeftTimer) => placeOf(spot.source.file === armed.source.file ? armed : spot)

/** How many of the others are shown. */
const MOST_OTHERS = 4

/** Races whose timer one function arms are told once, by the first of them. */
function findingOf({ spot, ms: own }: LeftTimer, others: readonly LeftTimer[]): ScanFinding {
  const all = [own, ...others.map(({ ms }) => ms)]
  const ms = all.every((each) => each !== null) ? Math.max(...all) : null
  const long = ms === null ? 'until it fires' : `for up to ${secondsText(ms)}`
  return {
    rule: 'timer-left',
    severity: 'info',
    message: `this timer is never cleared: it keeps the process alive ${long} after the race is over`,
    why: 'Every call leaves one behind, with all that its function holds on to; a test, a script or a shutdown waits for it.',
    spot,
    label: 'never cleared',
    related: others.slice(0, MOST_OTHERS).map((other) => ({ spot: other.spot, label: 'is armed by the same function' })),
    values: { ms },
    suggestion: { text: 'keep its handle and clear it in a finally, or use AbortSignal.timeout, which holds nothing up', edits: [] },
  }
}
