import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { allModels } from '../src/scan/models/all-models.js'

const guide = readFileSync(fileURLToPath(new URL('../../../docs/guide/scan.md', import.meta.url)), 'utf8')
const libraries = guide.slice(guide.indexOf('## Libraries'), guide.indexOf('## Which files'))
const named = new Set([...libraries.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? ''))

/** The package a user installs: no path within it. */
const installed = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

it.each(allModels.map((model) => [model.id, model.packages] as const))('the guide names the packages of %s', (id, packages) => {
  const missing = packages.map((name) => (name === 'global' ? id : installed(name))).filter((name) => !named.has(name))
  expect(missing, 'name them in docs/guide/scan.md, in the table of libraries').toEqual([])
})

it('the guide names no package that no model reads', () => {
  const known = new Set(allModels.flatMap(({ id, packages }) => packages.map((name) => (name === 'global' ? id : installed(name)))))
  expect([...named].filter((name) => !known.has(name))).toEqual([])
})
