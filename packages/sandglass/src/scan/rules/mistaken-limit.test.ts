import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'
import { mistakenLimit } from './mistaken-limit.js'

const found = (options: string) =>
  scanTexts(`import { createClient } from 'redis'
const client = createClient(${options})
export const load = (key: string) => client.get(key)`).diagnostics.filter(({ rule }) => rule === mistakenLimit.id)

describe('mistaken-limit', () => {
  test('what a model says of a setting that limits something else is passed on', () => {
    expect(found('{ commandOptions: { timeout: 300 } }').map(({ severity, values }) => [severity, values.commandTimeoutMs])).toEqual([
      ['warning', 300],
    ])
  })

  test('nothing is said where the setting is not there', () => {
    expect(found('{ socket: { socketTimeout: 300 } }')).toEqual([])
  })
})
