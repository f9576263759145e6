import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const source = "import axios from 'axios'\nexport const load = () => axios.get('http://orders/')"
const compiled = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.load = void 0;
const axios_1 = require("axios");
const load = () => axios_1.default.get('http://orders/');
exports.load = load;
`
const places = (files: Record<string, string>) => scanTexts({ files }).diagnostics.map(({ spot }) => spot.source.file)

describe('what a compiler wrote', () => {
  test.each([
    ['by its mark of a module', compiled],
    ['by its map', `${compiled.replace(/.*__esModule.*\n/, '')}//# sourceMappingURL=load.js.map\n`],
  ])('is not judged beside its source: known %s', (_, text) => {
    expect(places({ 'src/orders/load.ts': source, 'main/default/orders/load.js': text })).toEqual(['src/orders/load.ts'])
  })

  test('is not judged where most of its folder is written from another one, without a mark', () => {
    const names = ['load', 'save', 'find']
    const files = (ending: string, folder: string) =>
      Object.fromEntries(names.map((name) => [`${folder}/orders/${name}.${ending}`, source]))
    expect(places({ ...files('ts', 'server'), ...files('js', 'backend') })).toEqual(names.map((name) => `server/orders/${name}.ts`))
    const more = { 'backend/orders/own.js': source, 'backend/orders/new.js': source, 'backend/orders/last.js': source }
    expect(places({ ...files('ts', 'server'), ...files('js', 'backend'), ...more })).toHaveLength(9)
    const apart = { 'backend/package.json': '{"name":"backend"}' }
    expect(places({ ...files('ts', 'server'), ...files('js', 'backend'), ...apart })).toHaveLength(6)
  })

  test.each([
    ['its source is not there', { 'main/orders/load.js': compiled }, ['main/orders/load.js']],
    [
      'a file of that name stands elsewhere',
      { 'src/users/load.ts': source, 'main/orders/load.js': compiled },
      ['main/orders/load.js', 'src/users/load.ts'],
    ],
    [
      'only types are there',
      { 'main/orders/load.d.ts': 'export declare const load: () => void', 'main/orders/load.js': compiled },
      ['main/orders/load.js'],
    ],
    ['a person wrote both', { 'src/orders/load.ts': source, 'src/orders/load.js': source }, ['src/orders/load.js', 'src/orders/load.ts']],
  ])('is judged where %s', (_, files, expected) => {
    expect(places(files).sort()).toEqual(expected)
  })
})
