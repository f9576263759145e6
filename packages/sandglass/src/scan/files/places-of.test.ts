import { expect, test } from 'vitest'
import { isNamedIn, placesOf } from './places-of.js'

const TEXT = 'ask(1)\n// ask\nasked(ask)\nconst $ask = ask$\nfragé(frag)\n'
const NAMES = ['ask', '$ask', 'ask$', 'asked', 'fragé', 'none']

const found = (text: string) => {
  const source = { file: 'a.ts', text }
  const all = () => NAMES.map((name) => [name, isNamedIn(name, source) && placesOf(name, source)])
  const one = all()
  for (let k = 0; k < 100; k++) placesOf(`other${k}`, source)
  return { one, many: all() }
}

test('names stand where they are whole words outside comments, whether few or many are looked for', () => {
  const { one, many } = found(TEXT)
  expect(one).toEqual([
    ['ask', [0, 20]],
    ['$ask', [31]],
    ['ask$', [38]],
    ['asked', [14]],
    ['fragé', [43]],
    ['none', false],
  ])
  expect(many).toEqual(one)
})
