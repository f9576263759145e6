import { expect, test } from 'vitest'
import { newestNode } from './newest-node.js'

test('the newest Node of a range that has an end', () => {
  expect(['^16.13.0', '16.x', '14 || ^16', '>=14 <17', '>= 14.0.0 < 17.0.0', '14 - 16', '<=16'].map(newestNode)).toEqual(
    Array.from({ length: 7 }, () => '16'),
  )
  expect(['~16.13.1', '16.13.2', '<16.14', 'v16.13', '16.13.x'].map(newestNode)).toEqual(['16.13', '16.13.2', '16.13', '16.13', '16.13'])
})

test('a range that newer ones fit into has none', () => {
  expect(['>=14', '*', '', '14 || >=16', 'lts', '^16 || *'].map(newestNode)).toEqual([null, null, null, null, null, null])
})
