import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const service = `import { HttpService } from '@nestjs/axios'
import { Injectable } from '@nestjs/common'
import { firstValueFrom, timeout } from 'rxjs'
@Injectable()
export class Prices {
  constructor(private readonly http: HttpService) {}
  all() { return firstValueFrom(this.http.get('https://a')) }
  one() { return this.http.axiosRef.post('https://a', { id: 1 }, { timeout: 500 }) }
  other() { return this.http.put('https://a', { id: 1 }) }
  quick() { return firstValueFrom(this.http.get('https://a').pipe(timeout(800))) }
}`

test('the HttpService of Nest has no timeout unless a call or a module gives it one', () => {
  const scanned = scanTexts({ files: { 'prices.ts': service } })
  expect(callLines(scanned)).toEqual([
    '7 nestjs-axios unbounded',
    '8 nestjs-axios bounded 500 silence',
    '9 nestjs-axios unbounded',
    '10 nestjs-axios bounded 800 total',
  ])
  expect(findingLines(scanned)).toEqual(['prices.ts:6 unbounded-call'])
})

test('a module with a timeout, or one that a factory gives, may be that of the service', () => {
  const module = (options: string) => `import { HttpModule } from '@nestjs/axios'
import { load } from './elsewhere'
export const imports = [HttpModule.${options}]`
  const first = (options: string) => callLines(scanTexts({ files: { 'prices.ts': service, 'prices.module.ts': module(options) } }))[0]
  expect(first('register({ timeout: 2000 })')).toBe('7 nestjs-axios unknown')
  expect(first('register({ maxRedirects: 2 })')).toBe('7 nestjs-axios unbounded')
  expect(first('registerAsync({ useFactory: () => ({ timeout: 2000 }) })')).toBe('7 nestjs-axios unknown')
  expect(first('registerAsync({ useFactory: load })')).toBe('7 nestjs-axios unknown')
  expect(first('registerAsync({ useFactory: () => ({ baseURL: "https://a" }) })')).toBe('7 nestjs-axios unbounded')
})

test('a timeout that is set on the instance later counts', () => {
  const later = `export const set = (http) => { http.axiosRef.defaults.timeout = 500 }`
  expect(callLines(scanTexts({ files: { 'prices.ts': service, 'later.ts': later } }))[0]).toBe('7 nestjs-axios unknown')
})

test('the module that provides a service is the one whose timeout it has', () => {
  const service = (name: string) => `import { HttpService } from '@nestjs/axios'
export class ${name} {
  constructor(private readonly http: HttpService) {}
  load() { return this.http.get('http://a') }
}`
  const module = (name: string, imports: string, more = '') => `import { HttpModule } from '@nestjs/axios'
import { Module } from '@nestjs/common'
import { ${name} } from './${name}'
@Module({ imports: [${imports}], providers: [${name}]${more} })
export class ${name}Module {}`
  const files = (more = '') => ({
    'Plain.ts': service('Plain'),
    'plain.module.ts': module('Plain', 'HttpModule'),
    'Quick.ts': service('Quick'),
    'quick.module.ts': module('Quick', 'HttpModule.register({ timeout: 500 })', more),
  })
  expect(callLines(scanTexts({ files: files() }))).toEqual(['4 nestjs-axios unbounded', '4 nestjs-axios unknown'])
  expect(callLines(scanTexts({ files: files(', exports: [HttpModule]') }))).toEqual(['4 nestjs-axios unknown', '4 nestjs-axios unknown'])
})
