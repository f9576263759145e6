import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('what waits for Sentry has the time that it is given', () => {
  const scanned = scanTexts(`import * as Sentry from '@sentry/node'
await Sentry.flush()
await Sentry.flush(500)
await Sentry.close(time)`)
  expect(callLines(scanned)).toEqual(['2 sentry unbounded', '3 sentry bounded 500 total', '4 sentry unknown'])
})
