import { expect, test } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { namedOutside } from './named-outside.js'

test.each([
  ['a script of a manifest', 'package.json', '{"scripts":{"fill":"node src/find/tracks.js"}}'],
  ['a configuration that names a function of it', 'deploy/app.yml', 'handler: src/find/tracks.find'],
  ['a file of an image', 'Dockerfile', 'CMD ["node", "tracks.js"]'],
  ['a hidden workflow', '.github/workflows/run.yml', 'run: node src/find/tracks.js'],
])('a file is named by %s', (_, file, text) => {
  expect(namedOutside(memorySystem({ [file]: text }).folders)('src/find/tracks.ts')).toBe(true)
})

test.each([
  ['its name as a word', 'package.json', '{"description":"finds tracks"}'],
  ['another file of the name', 'package.json', '{"main":"lib/tracks/index.js"}'],
  ['a built file', 'dist/app.json', '{"load":"src/find/tracks.js"}'],
  ['a source', 'src/main.ts', `import './find/tracks.js'`],
])('a file is not named by %s', (_, file, text) => {
  expect(namedOutside(memorySystem({ [file]: text }).folders)('src/find/tracks.ts')).toBe(false)
})

test('of more files than are read nobody can tell, so a file may be named', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, k) => [`data/${k}.json`, '{}']))
  expect(namedOutside(memorySystem(many(20)).folders)('src/find/tracks.ts')).toBe(false)
  expect(namedOutside(memorySystem(many(5001)).folders)('src/find/tracks.ts')).toBe(true)
})
