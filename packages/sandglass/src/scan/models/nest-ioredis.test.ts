import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const found = (call: string, from = '@nestjs-labs/nestjs-ioredis') =>
  findingLines(
    scanTexts(`import { RedisModule } from '${from}'
class Settings {
  createRedisOptions() {
    const place = placeOf(this.config.get('redis'))
    return { readyLog: true, config: { host: place.host, port: place.port } }
  }
}
@Module({ imports: [RedisModule.${call}] })
export class AppModule {}`),
  )

test.each([
  ['by a function', "forRootAsync({ useFactory: () => ({ config: { host: 'a' } }) })"],
  ['written', "forRoot({ config: { url: 'redis://a' } })"],
  ['of which one has none', "forRoot({ config: [{ namespace: 'a', commandTimeout: 500 }, { namespace: 'b' }] })"],
])('clients of ioredis that Nest makes wait without a limit where their options have none: %s', (_, call) => {
  expect(found(call)).toEqual(['code.ts:8 unbounded-call'])
})

test('options that a class gives to two modules are one cause, told where they are', () => {
  expect(found('forRootAsync({ useClass: Settings }), RedisModule.forRootAsync({ useClass: Settings })')).toEqual([
    'code.ts:5 unbounded-call',
  ])
})

test.each([
  ['in the options', "forRoot({ config: { host: 'a', commandTimeout: 500 } })"],
  ['for all of them', "forRoot({ commonOptions: { commandTimeout: 500 }, config: [{ namespace: 'a' }] })"],
  ['in the address', "forRoot({ config: { url: 'redis://a?commandTimeout=500' } })"],
  ['perhaps', 'forRoot({ config: { ...options } })'],
  ['perhaps, by a function of others', 'forRootAsync({ useFactory: load })'],
  ['perhaps, as nobody knows more', 'forRoot(options)'],
])('nothing is said where a limit is there %s', (_, call) => {
  expect(found(call)).toEqual([])
})

test('another module has its options beside the address', () => {
  const of = (options: string) => found(`forRoot({ type: 'single', url: settings.redisUrl${options} })`, '@nestjs-modules/ioredis')
  expect(of('')).toEqual(['code.ts:8 unbounded-call'])
  expect(of(', options: { keyPrefix: "a" }')).toEqual(['code.ts:8 unbounded-call'])
  expect(of(', options: { commandTimeout: 500 }')).toEqual([])
  expect(found("forRoot({ type: 'cluster', nodes: [] })", '@nestjs-modules/ioredis')).toEqual([])
})

test('a class of an older module gives the options by another name', () => {
  const texts = {
    'settings.ts': `export class Settings { createRedisModuleOptions() { return { config: { host: 'a' } } } }`,
    'app.ts': `import { RedisModule } from '@svtslv/nestjs-ioredis'
import { Settings } from './settings'
export const imports = [RedisModule.forRootAsync({ useClass: Settings })]`,
  }
  expect(findingLines(scanTexts({ files: texts }))).toEqual(['settings.ts:1 unbounded-call'])
})
