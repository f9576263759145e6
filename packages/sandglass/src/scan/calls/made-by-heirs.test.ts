import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const BASE = `import axios, { AxiosInstance } from 'axios'
export class Api {
  protected http: AxiosInstance
  constructor(base: string, options: { timeout?: number } = {}) {
    this.http = axios.create({ baseURL: base, timeout: options.timeout })
  }
  load() { return this.http.get('/a') }
}`

test('what a class gives to super is what the constructor above it is given', () => {
  const films = `import { Api } from './api'
export class Films extends Api {
  constructor(options: { timeout?: number } = {}) { super('https://films', { timeout: options.timeout }) }
  films() { return this.http.get('/films') }
}
class Own extends Films {}
`
  const of = (making: string) => scanTexts({ files: { 'api.ts': BASE, 'films.ts': `${films}${making}` } })
  expect(callLines(of('new Films({ timeout: 500 })'))).toEqual(['4 axios bounded 500 silence', '7 axios bounded 500 silence'])
  expect(callLines(of('new Films()'))).toEqual(['4 axios unbounded', '7 axios unbounded'])
  expect(findingLines(of('new Films()'))).toEqual(['api.ts:5 unbounded-call'])
  expect(callLines(of('new Own({ timeout: 700 })'))).toEqual(['4 axios bounded 700 silence', '7 axios bounded 700 silence'])
})

test('a class is not judged by what its siblings give', () => {
  const files = {
    'api.ts': BASE,
    'films.ts': `import { Api } from './api'
export class Films extends Api {
  constructor() { super('https://films', { timeout: 500 }) }
  films() { return this.http.get('/films') }
}`,
    'books.ts': `import { Api } from './api'
export class Books extends Api {
  constructor() { super('https://books') }
  books() { return this.http.get('/books') }
}`,
  }
  expect(callLines(scanTexts({ files }))).toEqual(['4 axios bounded 500 silence', '4 axios unbounded', '7 axios unbounded'])
})
