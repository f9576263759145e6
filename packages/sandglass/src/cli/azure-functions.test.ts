import { expect, test } from 'vitest'
import { azureFunctions } from './azure-functions.js'
import { memorySystem } from './memory-system.fixture.js'

test('the nearest host.json above a file says when Azure ends its function', () => {
  const { folders } = memorySystem({
    'a/host.json': '{ "version": "2.0", "functionTimeout": "00:10:05" }',
    'a/pay/function.json': '{ "bindings": [{ "type": "timerTrigger" }] }',
    'b/host.json': '{ "version": "2.0" }',
    'c/host.json': '{ "version": "2.0", "functionTimeout": "-1" }',
    'd/host.json': '{ "version": "2.0", "functionTimeout": "1.00:00:00" }',
    'e/host.json': '{ "hosts": [] }',
    'f/host.json': '{',
    'g/host.json': '{ "version": "2.0", "functionTimeout": null }',
  })
  const { endMsOf, mostMsOf } = azureFunctions(folders)
  expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((each) => mostMsOf(`${each}/src/load.ts`))).toEqual([
    605_000,
    1_800_000,
    null,
    86_400_000,
    null,
    null,
    null,
  ])
  expect(['a/pay/index.js', 'a/load.js', 'b/pay/index.js'].map(endMsOf)).toEqual([605_000, null, null])
})
