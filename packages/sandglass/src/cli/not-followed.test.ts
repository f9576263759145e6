import { expect, test } from 'vitest'
import { notFollowed } from './not-followed.js'

const packageOf = (file: string) => /^((?:\.\.\/)*(?:services|packages)\/\w+)\//.exec(file)?.[1] ?? ''
const files = (outside: readonly string[], scanned: readonly string[] = ['services/shop/src/main.ts']) =>
  notFollowed(
    new Set(outside),
    scanned.map((file) => ({ file })),
    packageOf,
  ).map(({ file }) => file)

test('one file of each package that is imported and not scanned is told', () => {
  expect(files(['packages/http/src/index.ts', 'packages/http/src/retry.ts', '../packages/db/index.js'])).toEqual([
    '../packages/db/index.js',
    'packages/http/src/index.ts',
  ])
})

test.each([
  ['of the same package', 'services/shop/lib/pool.ts'],
  ['of what is built', 'packages/http/dist/index.js'],
  ['of tests', 'packages/http/test/server.ts'],
])('nothing is told %s', (_, file) => expect(files([file])).toEqual([]))

test('many packages are ten lines and a number', () => {
  const many = Array.from({ length: 13 }, (_, index) => `packages/p${index}/index.ts`)
  const told = files(many)
  expect([told.length, told.at(-1)]).toEqual([11, 'and 3 more'])
})
