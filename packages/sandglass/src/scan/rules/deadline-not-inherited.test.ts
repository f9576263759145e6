import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'
import { deadlineNotInherited } from './deadline-not-inherited.js'

describe('deadline-not-inherited', () => {
  test('C011: a deadline of its own in a handler is a warning, one with the incoming call as its parent is clean', () => {
    const { diagnostics } = scanTexts(`const stale = { deadline: Date.now() + 2000 };
export function handler(call: any, cb: any) {
  client.getC(req, { deadline: Date.now() + 2000 }, cb);
  client.getD(req, { deadline: Date.now() + 2000, parent: call }, cb);
}`)
    expect(
      diagnostics.map(({ rule, severity, values, spot }) => [
        rule,
        severity,
        values.ms,
        spot.source.text.slice(0, spot.start).split('\n').length,
      ]),
    ).toEqual([[deadlineNotInherited.id, 'warning', 2000, 3]])
  })
})
