import { expect, it } from 'vitest'
import { fuzzOnce } from './fuzz-once.js'
import { mutated, randomFrom } from './mutate.js'
import { seedTexts } from './seeds.js'
import { varied } from './varied.js'

const LONGEST_MS = 3000
const ENOUGH = 20

it('no mutation of a chain file makes reading, checking or any report throw', () => {
  const seeds = seedTexts()
  const random = randomFrom(20_261_129)
  const outcomes = { refused: 0, checked: 0 }
  const endAt = performance.now() + LONGEST_MS
  // On a busy machine few texts fit into the time; enough of them are tried all the same.
  const isEnough = () => outcomes.checked > ENOUGH && outcomes.refused > ENOUGH
  for (let i = 0; i < 3000 && (performance.now() < endAt || !isEnough()); i++) {
    const seed = seeds[i % seeds.length] ?? ''
    const text = i % 2 === 0 ? mutated(seed, random) : varied(seed, random)
    try {
      outcomes[fuzzOnce(text)]++
    } catch (error) {
      throw new Error(`mutation ${i} throws; the text is\n${text}`, { cause: error })
    }
  }
  // If all were refused, nothing but the reader would have been tried.
  expect(outcomes.checked).toBeGreaterThan(ENOUGH)
  expect(outcomes.refused).toBeGreaterThan(ENOUGH)
})
