import { expect, test } from 'vitest'
import { isMinified } from './is-minified.js'

const PART = `const a = () => fetch('http://a');`
const DATA = `const logo = 'data:image/png;base64,${'iVBORw0KGgo/9j+4'.repeat(500)}'`

test.each([
  ['what a bundler wrote', 'bundle.cjs', PART.repeat(1000), true],
  ['a few lines of a small bundle', 'widget.js', `/* widget */\n\n${PART.repeat(200)}\n\n${PART.repeat(200)}\n`, true],
  ['a long text with lines', 'long.js', `${PART}\n`.repeat(1000), false],
  ['a short one without', 'short.js', PART, false],
  ['a picture among the lines of people', 'logo.js', `${DATA}\n${PART}\n`, false],
  ['another language', 'data.ts', PART.repeat(1000), false],
])('%s', (_, file, text, expected) => {
  expect(isMinified({ file, text })).toBe(expected)
})
