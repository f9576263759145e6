import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test.each([
  ['under a condition', `let o: any = { a: 1 }\nif (p) o = { ...o, headers: p }\naxios.get(u, o)`, 'unbounded'],
  ['with a limit at first', `let o: any = { timeout: 500 }\nif (p) { o = { ...o, a: 1 } }\naxios.get(u, o)`, 'bounded 500 silence'],
  ['with a limit later', `let o: any = { a: 1 }\no = { ...o, timeout: 500 }\no = { b: 2, ...o }\naxios.get(u, o)`, 'bounded 500 silence'],
  ['with a limit that a condition decides', `let o: any = {}\nif (p) o = { ...o, timeout: 500 }\naxios.get(u, o)`, 'unknown'],
  ['with what is not known', `let o: any = {}\nif (p) o = { ...o, ...p }\naxios.get(u, o)`, 'unknown'],
  ['with something else', `let o: any = {}\nif (p) o = { ...o, a: 1 }\nif (p) o = p\naxios.get(u, o)`, 'unknown'],
])('options that are extended later, %s', (_, text, said) => {
  const [line] = callLines(scanTexts(`import axios from 'axios'\nexport function load(u: string, p: any) {\n${text}\n}`))
  expect(line).toMatch(new RegExp(`axios ${said}`))
})
