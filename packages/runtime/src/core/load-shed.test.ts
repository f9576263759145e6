import { expect, test } from 'vitest'
import { createLoadShed, shouldShed } from './load-shed.js'

function shedOver(
  waitMs: (nowAt: number) => number,
  delayMs: (nowAt: number) => number,
  observeOnly = false,
): [refused: number, counted: number] {
  const shed = createLoadShed({ observeOnly })
  let refused = 0
  for (let nowAt = 0; nowAt < 1_000; nowAt += 10) if (shouldShed(shed, waitMs(nowAt), delayMs(nowAt), nowAt)) refused += 1
  return [refused, shed.shed]
}

test('a standing queue sheds once it has stood for an interval', () => {
  expect(
    shedOver(
      () => 20,
      () => 0,
    ),
  ).toEqual([90, 90])
})

test('an event loop that is late all the time sheds, one that is late now and then does not', () => {
  expect(
    shedOver(
      () => 0,
      () => 50,
    )[0],
  ).toBe(90)
  expect(
    shedOver(
      () => 0,
      (nowAt) => (nowAt % 50 === 0 ? 1 : 200),
    )[0],
  ).toBe(0)
})

test('waits below twice the target are never refused, however long they last', () => {
  expect(
    shedOver(
      () => 10,
      () => 40,
    ),
  ).toEqual([0, 0])
})

test('observe-only counts and refuses nothing', () => {
  expect(
    shedOver(
      () => 20,
      () => 0,
      true,
    ),
  ).toEqual([0, 90])
})
