import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

function scan(code: string, version: string | null = '6.3.1') {
  return scanTexts({
    files: { 'code.ts': `import { createClient } from 'redis'\n${code}` },
    versions: version === null ? {} : { redis: version },
  })
}
const lines = (code: string, version?: string | null) => callLines(scan(code, version))

describe('redis', () => {
  test('a client without socketTimeout waits without a limit, in every version; before 6 for a connection too', () => {
    const code = `const client = await createClient({ url: process.env.REDIS_URL }).on('error', log).connect()
await client.get('a')
await client.hSet('h', 'k', 'v')`
    expect(lines(code)).toEqual(['3 redis unbounded', '4 redis unbounded'])
    expect(findingLines(scan(code))).toEqual(['code.ts:2 unbounded-call'])
    expect(scan(code).diagnostics[0]?.message).toBe(
      'redis 6.3.1 waits without a limit for the answer of a command; at least 2 calls use it',
    )
    expect(scan(code, '4.7.1').diagnostics[0]?.message).toBe(
      'redis 4.7.1 waits without a limit for the answer of a command and a connection, in the offline queue; at least 2 calls use it',
    )
    expect(lines(code, null)).toEqual(['3 redis unbounded', '4 redis unbounded'])
  })

  test('before 4 the attempts to connect again are over after an hour, and with them the wait in the queue', () => {
    const message = (options: string, version: string) =>
      scan(`createClient(${options}).get('a')`, version).diagnostics.map((each) => each.message)
    const alone = (version: string) => [`redis ${version} waits without a limit for the answer of a command`]
    expect(message('', '3.1.2')).toEqual(alone('3.1.2'))
    expect(message('{ connect_timeout: 5000 }', '2.8.0')).toEqual(alone('2.8.0'))
    expect(message('{ enable_offline_queue: false }', '3.1.2')).toEqual(alone('3.1.2'))
    expect(message('{ retry_strategy: () => 100 }', '3.1.2')).toEqual(alone('3.1.2'))
  })

  test('socketTimeout bounds the silence, and the wait in the queue is bounded by default since 6', () => {
    const code = `const client = createClient({ socket: { socketTimeout: 800 } })
await client.connect()
await client.get('a')`
    expect(scan(code).calls).toMatchObject([{ outcome: { state: 'bounded', ms: 800, kind: 'silence' }, worstMs: 5800 }])
    expect(lines(code, '5.12.1')).toEqual(['4 redis bounded 800 silence'])
    expect(lines(code, null)).toEqual(['4 redis unknown'])
    expect(lines(code.replace('{ socket', '{ disableOfflineQueue: true, socket'), '5.12.1')).toEqual(['4 redis bounded 800 silence'])
    expect(lines(code.replace('{ socket', '{ commandOptions: { timeout: 500 }, socket'), '5.12.1')).toEqual(['4 redis bounded 800 silence'])
  })

  test('version 4 ignores socketTimeout', () => {
    const code = `createClient({ socket: { socketTimeout: 800 } }).get('a')`
    expect(lines(code, '4.7.1')).toEqual(['2 redis unbounded'])
    expect(findingLines(scan(code, '4.7.1'))).toEqual(['code.ts:2 ignored-option', 'code.ts:2 unbounded-call'])
  })

  test('the timeout of commandOptions ends nothing that was written', () => {
    const code = `const client = createClient({ url: 'redis://cache' })
client.withCommandOptions({ timeout: 300 }).get('a')`
    expect(lines(code)).toEqual(['3 redis unbounded'])
    expect(findingLines(scan(code))).toEqual(['code.ts:2 unbounded-call', 'code.ts:3 mistaken-limit'])
  })

  test('a signal ends a command in version 4, and blocking commands wait by their nature', () => {
    const code = `import { commandOptions } from 'redis'
const c = createClient()
c.get(commandOptions({ signal: AbortSignal.timeout(300) }), 'a'); c.blPop('jobs', 0)`
    expect(lines(code, '4.7.1')).toEqual(['4 redis bounded 300 total', '4 redis unknown'])
    expect(lines(code, '5.12.1')).toEqual(['4 redis unbounded', '4 redis unknown'])
  })

  test('transactions, modules of the server and upper case are commands; a subscriber has no limit on purpose', () => {
    expect(
      lines(`const c = createClient({ socket: { socketTimeout: 9000 } })
c.multi().set('a', 1).exec(); c.json.get('j'); c.HGETALL('h'); c.on('error', log); c.quit()`),
    ).toEqual(['3 redis bounded 9000 silence', '3 redis bounded 9000 silence', '3 redis bounded 9000 silence'])
    expect(
      findingLines(scan(`const sub = createClient(); sub.on('error', log); await sub.connect(); await sub.subscribe('news', log)`)),
    ).toEqual([])
  })

  test('a cluster has the options of its connections under defaults', () => {
    const cluster = (defaults: string) =>
      callLines(
        scan(`import { createCluster } from 'redis'\nconst c = createCluster({ rootNodes: [], defaults: { ${defaults} } })\nc.get('a')`),
      )
    expect(cluster('')).toEqual(['4 redis unbounded'])
    expect(cluster('socket: { socketTimeout: 400 }')).toEqual(['4 redis bounded 400 silence'])
  })

  test('a client that is handed in is nobody’s fault', () => {
    const scanned = scan(`import type { RedisClientType } from 'redis'\nexport const load = (c: RedisClientType) => c.get('a')`)
    expect(callLines(scanned)).toEqual(['3 redis unknown'])
    expect(scanned.diagnostics).toEqual([])
  })

  test('what to write is what the version knows, without what is there', () => {
    const fix = (options: string, version: string | null) =>
      scan(`createClient(${options}).get('a')`, version).diagnostics.find(({ rule }) => rule === 'unbounded-call')?.suggestion?.text
    const byRace = 'set a limit: a race with a timer: socketTimeout came with redis 5.1'
    for (const version of ['3.1.2', '4.7.1', '5.0.1']) expect(fix('', version)).toBe(byRace)
    expect(fix('{ disableOfflineQueue: true }', '4.0.6')).toBe(byRace)
    expect(fix('', '5.12.1')).toBe(
      'set a limit: socket: { socketTimeout: …, reconnectStrategy: … } with a shorter pingInterval: … (ms) and disableOfflineQueue: true; silence ends an idle connection too, and by default none follows it',
    )
    expect(fix('{ disableOfflineQueue: true }', '5.12.1')).toBe(
      'set a limit: socket: { socketTimeout: …, reconnectStrategy: … } with a shorter pingInterval: … (ms); silence ends an idle connection too, and by default none follows it',
    )
    expect(fix('', '6.3.1')).toBe(
      'set a limit: socket: { socketTimeout: …, reconnectStrategy: … } with a shorter pingInterval: … (ms); silence ends an idle connection too, and by default none follows it',
    )
    expect(fix('', null)).toBe(
      'set a limit: socket: { socketTimeout: …, reconnectStrategy: … } with a shorter pingInterval: … (ms), from redis 5.1 on; silence ends an idle connection too, and by default none follows it',
    )
  })

  test('a cluster takes them for its connections', () => {
    const cluster = scanTexts({
      files: { 'code.ts': `import { createCluster } from 'redis'\nawait createCluster({ rootNodes: [], defaults: {} }).get('a')` },
      versions: { redis: '5.12.1' },
    }).diagnostics
    expect(cluster.map(({ suggestion }) => suggestion?.text.slice(0, 50))).toEqual(['set a limit: in defaults: socket: { socketTimeout:'])
  })

  test('socketTimeout came with 5.1', () => {
    const code = `createClient({ socket: { socketTimeout: 800 } }).get('a')`
    expect(lines(code, '5.0.1')).toEqual(['2 redis unbounded'])
    expect(lines(code, '5.1.0')).toEqual(['2 redis bounded 800 silence'])
  })
})
