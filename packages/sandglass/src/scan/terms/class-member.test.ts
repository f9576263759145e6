import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const asking = (inside: string) => `import type { Got } from 'got'
export class Api {
  constructor(private http: Got, isShort: boolean) {
    ${inside}
  }
  load() { return this.http('http://a') }
}`
const said = (inside: string) => callLines(scanTexts({ files: { 'code.ts': asking(inside) }, versions: { got: '14.4.7' } }))

test('what a constructor sets for certain holds, whatever it is given for that field', () => {
  expect(said('this.http = http.extend({ timeout: { request: 3000 }, retry: { limit: 0 } })')).toEqual(['6 got bounded 3000 total'])
})

test.each([
  'if (isShort) this.http = http.extend({ timeout: { request: 3000 } })',
  "process.on('SIGHUP', () => (this.http = http.extend({ timeout: { request: 3000 } })))",
])('what it may set says nothing against what it is given: %s', (inside) => {
  expect(said(inside)).toEqual(['6 got unknown'])
})

test('a field that a constructor only empties is what is assigned to it elsewhere', () => {
  const text = `import { createClient } from 'redis'
export class Cache {
  constructor() { this.client = null }
  open() { this.client = createClient() }
  load() { return this.client.get('a') }
}`
  expect(callLines(scanTexts({ files: { 'code.js': text }, versions: { redis: '3.1.2' } }))).toEqual(['5 redis unbounded'])
})
