import { describe, expect, test } from 'vitest'
import { readChainText } from '../../model/read-chain.js'
import { insertField } from './insert-field.js'

/** The text with `timeout: 1s` added to its first call. */
function added(text: string): string {
  const [call] = readChainText(text).chain.calls
  const edits = call ? insertField(call, 'timeout', '1s') : []
  return edits.reduce((now, { spot, text: put }) => now.slice(0, spot.start) + put + now.slice(spot.end), text)
}

const flow = (to: string): string => `sandglass: 1\nservices: { a: { operations: { x: { calls: [{ to: ${to}, attempts: 2 }] } } } }\n`

describe('adding a field to a call', () => {
  test('puts it behind the name, in brackets or on a line of its own', () => {
    expect(added(flow('b.y'))).toBe(flow('b.y, timeout: 1s'))
    const block = 'sandglass: 1\nservices:\n  a:\n    operations:\n      x:\n        calls:\n          - to: b.y\n            attempts: 2\n'
    expect(added(block)).toBe(block.replace('b.y\n', 'b.y\n            timeout: 1s\n'))
  })

  test('puts it behind the quotes of a name in quotes', () => {
    expect(added(flow('"b.y"'))).toBe(flow('"b.y", timeout: 1s'))
    expect(added(flow("'b.y'"))).toBe(flow("'b.y', timeout: 1s"))
  })

  test('leaves a text that can be read, with the field in it', () => {
    for (const text of [flow('b.y'), flow('"b.y"')]) expect(readChainText(added(text)).chain.calls[0]?.timeoutMs?.value).toBe(1000)
  })
})
