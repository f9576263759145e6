import { expect, test } from 'vitest'
import { isMinified } from './is-minified.js'

const PART = `const a = () => fetch('http://a');`

test.each([
  ['what a bundler wrote', 'bundle.cjs', PART.repeat(1000), true],
  ['a long text with lines', 'long.js', `${PART}\n`.repeat(1000), false],
  ['a short one without', 'short.js', PART, false],
  ['another language', 'data.ts', PART.repeat(1000), false],
])('%s', (_, file, text, expected) => {
  expect(isMinified({ file, text })).toBe(expected)
})
