import type { Diagnostic } from '../model/diagnostic.js'
import { declared, type Source, type Spot } from '../model/sourced.js'
import type { CheckReport } from './check-report.js'

/** The caller's file of the example finding. */
export const callerSource: Source = {
  file: 'deploy/checkout.yaml',
  text: `${'# …\n'.repeat(13)}    timeout: 3s\n`,
}

/** The callee's file of the example finding. */
export const calleeSource: Source = {
  file: 'services/payments/client.ts',
  text: `${'//\n'.repeat(21)}axios.create({ timeout: 2000 })\n`,
}

/** The stretch of a source that reads `text`; throws where it is not there. */
export function spotAt(source: Source, text: string): Spot {
  const start = source.text.indexOf(text)
  if (start < 0) throw new Error(`no "${text}" in ${source.file}`)
  return { source, start, end: start + text.length }
}

const attempt = spotAt(calleeSource, '2000')

/** The example finding of the documentation, with other parts put in. */
export function exampleFinding(parts: Partial<Diagnostic> = {}): Diagnostic {
  return {
    rule: 'inverted',
    severity: 'error',
    message: 'payments can outlive its caller: it may take 4.6 s, checkout gives up after 3 s',
    arithmetic: '2 attempts x 2 s + back-off up to 0.6 s = 4.6 s',
    why: 'Nobody takes the answer, and the work goes on.',
    spot: attempt,
    label: 'each attempt',
    related: [{ spot: spotAt(callerSource, '3s'), label: 'the caller stops waiting' }],
    journey: 'pay',
    path: ['app.pay', 'gateway.pay', 'checkout.pay', 'payments.charge'],
    pathBoundsMs: [5000, 4000, 3000],
    values: { boundMs: 4600, callerBoundMs: 3000, orphanedMs: 1600 },
    factors: [
      { name: 'attempt', value: 2000, unit: 'ms', origin: declared(2000, attempt).origin },
      { name: 'attempts', value: 2, unit: 'count', origin: { kind: 'default', product: 'axios-retry', version: '4.5.0', spot: attempt } },
    ],
    consequences: [
      {
        message: 'bank.charge may go on 1.2 s longer than anybody waits',
        path: ['app.pay', 'bank.charge'],
        values: { orphanedMs: 1200 },
        spot: attempt,
      },
    ],
    suggestion: { text: 'attempt 2s -> 1.2s, or attempts 2 -> 1', edits: [{ spot: attempt, text: '1200' }] },
    ...parts,
  }
}

/** A report with these findings. */
export function exampleReport(diagnostics: readonly Diagnostic[] = [exampleFinding()]): CheckReport {
  const node = (id: string, kind: 'client' | 'service' | 'third-party') => ({
    id,
    service: id.split('.')[0] ?? '',
    operation: id.split('.')[1] ?? '',
    kind,
    starts: [],
  })
  const edge = { state: 'bounded', attempts: 1, optional: false, async: false } as const
  return {
    journeys: [{ name: 'pay', promiseMs: 5000, worstMs: 5000, typicalMs: 900 }],
    diagnostics,
    notes: [{ message: 'payments.charge says nothing of what it does; write is assumed', spot: attempt }],
    coverage: {
      journeys: 2,
      calls: 14,
      unboundedCalls: 1,
      unknownCalls: 0,
      notRead: [
        { file: 'a', why: 'b' },
        { file: 'c', why: 'd' },
      ],
      servicesWithoutData: ['bank'],
    },
    hopOf: (from, to) =>
      from === 'gateway.pay' && to === 'nowhere'
        ? { state: 'unbounded', spot: attempt }
        : { state: 'bounded', spot: spotAt(callerSource, '3s') },
    drawing: {
      nodes: [
        node('app.pay', 'client'),
        node('gateway.pay', 'service'),
        node('checkout.pay', 'service'),
        node('payments.charge', 'third-party'),
      ],
      edges: [
        { ...edge, from: 'app.pay', to: 'gateway.pay', bound: '5s' },
        { ...edge, from: 'gateway.pay', to: 'checkout.pay', bound: '4s' },
        { ...edge, from: 'checkout.pay', to: 'payments.charge', bound: '4.6s', attempts: 2 },
      ],
      leftOut: 0,
    },
  }
}
