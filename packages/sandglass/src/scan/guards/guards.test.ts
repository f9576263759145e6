import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callLines, scanTexts, type TestProject } from '../scan.fixture.js'

function worst(project: TestProject | string): (string | null)[] {
  return scanTexts(project).calls.map(({ outcome, worstMs }) =>
    outcome.state === 'bounded' ? `${outcome.ms} ${outcome.kind} worst ${worstMs}` : outcome.state,
  )
}

describe('what ends the wait for a call from outside', () => {
  test.each([
    ['taken apart', '({ promise, timeout })', 'promise.finally(() => clearTimeout(timer))', 'timeout'],
    ['as one', '(given)', 'given.promise', 'given.timeout'],
  ])('work that is handed to a function in an object ends with its timer: %s', (_, params, work, ms) => {
    const files = {
      'race.ts': `export function race${params} {
  let timer = null
  return Promise.race([new Promise((_, no) => { timer = setTimeout(() => no(new Error()), ${ms}) }), ${work}])
}
export const begun = ({ begin, ms }) => Promise.race([begin(), new Promise((_, no) => setTimeout(no, ms))])`,
      'code.ts': `import { race, begun } from './race'
class Sender {
  private TIMEOUT = 400
  async send() { const res = await race({ promise: fetch(u), error: new Error(), timeout: this.TIMEOUT }); return res }
  async again() { return await begun({ begin: () => fetch(u), ms: 300 }) }
}
export const other = () => own({ promise: fetch(u) })`,
    }
    expect(callLines(scanTexts({ files }))).toEqual([
      '4 fetch bounded 400 total',
      '5 fetch bounded 300 total',
      '7 fetch bounded 300000 silence',
    ])
  })

  test('C013: a race with a timer and p-timeout bound the caller', () => {
    const scanned = scanTexts(`export async function q() {
  return Promise.race([
    fetch("http://slow.internal"),
    new Promise((_, no) => setTimeout(() => no(new Error("late")), 200)),
  ]);
}
import pTimeout from "p-timeout";
export const q2 = () => pTimeout(fetch("http://slow.internal"), { milliseconds: 200 });`)
    expect(callLines(scanned)).toEqual(['3 fetch bounded 200 total', '8 fetch bounded 200 total'])
  })

  test.each([
    ['a variable', 'const work = fetch(u); const late = new Promise((_, no) => setTimeout(no, 200)); return Promise.race([work, late])'],
    ['a chain of then', 'return Promise.race([fetch(u).then((r) => r.json()), new Promise((_, no) => setTimeout(no, 200))])'],
    [
      'an async function in place',
      'return Promise.race([(async () => { const r = await fetch(u); return r.json() })(), new Promise((_, no) => setTimeout(no, 200))])',
    ],
    ['timers/promises', "return Promise.race([fetch(u), sleep(200).then(() => { throw new Error('late') })])"],
    ['a helper of the project', 'return Promise.race([fetch(u), late(200)])'],
    ['an async helper of the project', 'return Promise.race([fetch(u), lateToo(200)])'],
    ['withTimeout', 'return withTimeout(fetch(u), 200)'],
    ['withTimeout with options', 'return withLimit(() => fetch(u), { ms: 200 })'],
    ['withTimeout by hand', 'return byHand(fetch(u), 200)'],
    ['all of several', 'return Promise.race([Promise.all([fetch(u), 1]), late(200)])'],
    ['map', 'return Promise.race([Promise.all([1, 2].map((n) => fetch(u + n))), late(200)])'],
    [
      'resolvers',
      'const { promise, reject } = Promise.withResolvers(); setTimeout(() => reject(new Error()), 200); return Promise.race([fetch(u), promise])',
    ],
    ['Bluebird', 'return Bluebird.resolve(fetch(u)).timeout(200)'],
    ['promise-timeout', 'return timeout(fetch(u), 200)'],
    ['p-timeout 4', 'return pTimeout(fetch(u), 200)'],
    ['opossum', 'return new CircuitBreaker(() => fetch(u), { timeout: 200 }).fire()'],
    ['cockatiel', 'return aggressive.execute(() => fetch(u))'],
    ['the runtime', "return call('stock', { does: 'read', timeoutMs: 200 }, () => fetch(u))()"],
    ['a deadline', 'return withDeadline({ budgetMs: 200 }, () => fetch(u))'],
    ['rxjs', 'return lastValueFrom(from(fetch(u)).pipe(rxTimeout(200)))'],
    [
      'a signal that rejects',
      'const signal = AbortSignal.timeout(200); return Promise.race([fetch(u), new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason)))])',
    ],
    ['a helper that a signal rejects', 'return Promise.race([fetch(u), rejected(AbortSignal.timeout(200))])'],
    ['a helper that hands a signal to the work', 'return signalled((signal) => fetch(u, { signal }), 200)'],
    ['a helper that hands a timed signal in an object to the work', 'return inObject(({ signal }) => fetch(u, { signal }), 200)'],
    ['a handed over function', 'const load = async () => fetch(u); return new CircuitBreaker(load, { timeout: 200 }).fire()'],
    [
      'a bound method',
      'class Api { async load() { return fetch(u) } }; return new CircuitBreaker(new Api().load.bind(null), { timeout: 200 }).fire()',
    ],
    ['a function that is raced', 'return Promise.race([load(), late(200)]); function load() { return fetch(u) }'],
  ])('%s', (_, body) => {
    const text = `import pTimeout from 'p-timeout'
import Bluebird from 'bluebird'
import CircuitBreaker from 'opossum'
import { timeout } from 'promise-timeout'
import { call, withDeadline } from '@sandglass/runtime'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeout as cockatielTimeout, TimeoutStrategy } from 'cockatiel'
import { from, lastValueFrom, timeout as rxTimeout } from 'rxjs'
const aggressive = cockatielTimeout(200, TimeoutStrategy.Aggressive)
function late(ms: number): Promise<never> { return new Promise((_, no) => setTimeout(() => no(new Error('late')), ms)) }
async function lateToo(ms: number) { await sleep(ms); throw new Error('late') }
const rejected = (signal: AbortSignal) => new Promise<never>((_, no) => { signal.addEventListener('abort', () => no(signal.reason), { once: true }) })
async function signalled<T>(work: (signal: AbortSignal) => Promise<T>, ms: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  try { return await work(controller.signal) } finally { clearTimeout(timer) }
}
const inObject = <T>(work: (given: { signal: AbortSignal }) => Promise<T>, ms: number) => work({ signal: AbortSignal.timeout(ms) })
async function withTimeout<T>(work: Promise<T>, ms: number) {
  let timer
  const end = new Promise((_, no) => { timer = setTimeout(() => no(new Error('late')), ms) })
  try { return await Promise.race([work, end]) } finally { clearTimeout(timer) }
}
const withLimit = async <T>(work: () => Promise<T>, { ms = 1000 } = {}) => Promise.race([work(), late(ms)])
function byHand<T>(work: Promise<T>, ms: number) {
  return new Promise((yes, no) => {
    const timer = setTimeout(() => no(new Error('late')), ms)
    work.then((value) => { clearTimeout(timer); yes(value) }, (error) => { clearTimeout(timer); no(error) })
  })
}
export async function main(u: string) { ${body} }`
    expect(worst(text)).toEqual(['200 total worst 200'])
  })
})

describe('a call that is waited for further out', () => {
  const inCallbacks = (timer: string, done: string) => `import { connect } from './socket'
export const main = (u: string) => new Promise((yes, no) => {
  ${timer}
  connect().then(() => {
    fetch(u).then(${done})
  })
})`

  test('the timer of the promise that it settles ends it', () => {
    expect(worst(inCallbacks("setTimeout(() => no(new Error('late')), 200)", 'yes, no'))).toEqual(['200 total worst 200'])
  })

  test.each([
    ['it settles nothing', "setTimeout(() => no(new Error('late')), 200)", '() => {}'],
    ['the timer settles nothing', 'setTimeout(() => {}, 200)', 'yes, no'],
  ])('it is not where %s', (_, timer, done) => {
    expect(worst(inCallbacks(timer, done))).toEqual(['300000 silence worst 610000'])
  })

  test('a timer does not end what it starts', () => {
    const text = 'export const main = (u: string) => new Promise((yes) => { setTimeout(() => { fetch(u).then(yes) }, 200) })'
    expect(worst(text)).toEqual(['300000 silence worst 610000'])
  })
})

describe('what does not end the wait', () => {
  test.each([
    ['a race whose item was awaited before', 'return Promise.race([await fetch(u), late(200)])'],
    ['a race of another call', 'const r = await fetch(u); await Promise.race([r.json(), late(200)])'],
    ['a race nobody links it to', 'fetch(u); return Promise.race([other(), late(200)])'],
    ['a helper whose signal is not taken', 'return signalled(() => fetch(u), 200)'],
    ['a cooperative timeout whose signal is not taken', 'return cooperative.execute(() => fetch(u))'],
    ['a breaker without a timeout', 'return new CircuitBreaker(() => fetch(u), { timeout: false }).fire()'],
    [
      'a function that one caller races and another does not',
      'await load(); return Promise.race([load(), late(200)]); function load() { return fetch(u) }',
    ],
    ['work that a timer starts', 'return new Promise((yes) => setTimeout(() => yes(fetch(u)), 200))'],
    ['a wait for a timer somewhere else', 'await late(200); return fetch(u)'],
  ])('%s', (_, body) => {
    const text = `import CircuitBreaker from 'opossum'
import { timeout, TimeoutStrategy } from 'cockatiel'
const cooperative = timeout(200, TimeoutStrategy.Cooperative)
function late(ms: number): Promise<never> { return new Promise((_, no) => setTimeout(() => no(new Error('late')), ms)) }
async function other() { return 1 }
const signalled = <T>(work: (signal: AbortSignal) => Promise<T>, ms: number) => work(AbortSignal.timeout(ms))
export async function main(u: string) { ${body} }`
    expect(worst(text)).toEqual(['300000 silence worst 610000'])
  })

  test('a race against something that could not be followed leaves the call unknown, never unbounded', () => {
    const text = `import axios from 'axios'; import { late } from 'elsewhere'
export const load = (closed: Promise<void>) => Promise.race([axios.get('/'), closed])
export const load2 = () => Promise.race([axios.get('/'), late(200)])`
    expect(worst(text)).toEqual(['unknown', 'unknown'])
  })

  test('a helper from elsewhere that is called after a timeout leaves it unknown too', () => {
    const text = `import axios from 'axios'; import { withTimeout, trace } from '@acme/tools'
export const load = () => withTimeout(axios.get('/'), 200)
export const load2 = () => withTimeout(() => fetch('http://a'), 200)
export const load3 = () => trace(() => axios.get('/'), 200)`
    expect(worst(text)).toEqual(['unknown', 'unknown', 'unbounded'])
  })
})

describe('what makes a call again', () => {
  const call = 'fetch(u, { signal: AbortSignal.timeout(300) })'
  test.each<[string, string, string]>([
    ['C015: p-retry', `return pRetry(() => ${call}, { retries: 3, minTimeout: 100, factor: 1 })`, '1500'],
    ['p-retry with its defaults', `return pRetry(() => ${call})`, String(11 * 300 + 1000 * (2 ** 10 - 1))],
    ['p-retry without an end', `return pRetry(() => ${call}, { retries: Infinity })`, 'null'],
    [
      'async-retry, whose waits are up to twice as long',
      `return asyncRetry(async () => ${call}, { retries: 2, minTimeout: 100, factor: 1 })`,
      '1300',
    ],
    [
      'promise-retry',
      `return promiseRetry((again) => ${call}.catch(again), { retries: 2, minTimeout: 100, factor: 1, maxTimeout: 100 })`,
      '1100',
    ],
    ['exponential-backoff', `return backOff(() => ${call}, { numOfAttempts: 3 })`, '1200'],
    ['es-toolkit', `return esRetry(() => ${call}, 2)`, '900'],
    ['cockatiel', `return handled.execute(() => ${call})`, '1400'],
    ['cockatiel around a timeout', `return wrapped.execute(() => fetch(u))`, '1400'],
    ['rxjs', `return lastValueFrom(defer(() => ${call}).pipe(rxRetry(2)))`, '900'],
    ['a loop that counts', `for (let i = 0; i < 3; i++) { try { return await ${call} } catch {} } throw new Error()`, '900'],
    [
      'a loop that counts to a constant',
      `for (let i = 1; i <= ATTEMPTS; i++) { try { return await ${call} } catch (e) { if (i === ATTEMPTS) throw e; await pause(100) } }`,
      '1100',
    ],
    [
      'a loop that waits longer each time',
      `for (let i = 0; ; i++) { try { return await ${call} } catch (e) { if (i >= 2) throw e; await pause(100 * 2 ** i) } }`,
      '1200',
    ],
    [
      'a loop with chance in its waits',
      `for (let i = 0; i < 2; i++) { try { return await ${call} } catch (e) { await pause(100 + Math.random() * 50) } }`,
      '900',
    ],
    ['while with a counter', `let left = 3; while (left > 0) { try { return await ${call} } catch { left-- } }`, '900'],
    [
      'while with a counter in its test',
      `let tries = 0; while (tries++ < 3) { try { return await ${call} } catch { await pause(10) } }`,
      '930',
    ],
    [
      'while true with a counter',
      `let tries = 0; while (true) { try { return await ${call} } catch (e) { if (++tries >= 3) throw e } }`,
      '900',
    ],
    ['do while', `let tries = 0; do { try { return await ${call} } catch { tries += 1 } } while (tries < 3)`, '900'],
    [
      'a flag',
      `let done = false; let tries = 0; while (!done && tries < 3) { try { const r = await ${call}; done = true; return r } catch { tries++ } }`,
      '900',
    ],
    [
      'an error that is thrown on where it is final',
      `for (let i = 0; i < 3; i++) { try { return await ${call} } catch (e) { if (!isTransient(e)) throw e } }`,
      '900',
    ],
    ['a list of waits', `for (const wait of [100, 200]) { try { return await ${call} } catch { await pause(wait) } }`, '900'],
    ['catch in a chain', `for (let i = 0; i < 3; i++) { const r = await ${call}.catch(() => null); if (r) return r }`, '900'],
    [
      'a function that calls itself',
      `return again(2); async function again(left: number): Promise<unknown> { try { return await ${call} } catch (e) { if (left === 0) throw e; await pause(50); return again(left - 1) } }`,
      '1000',
    ],
    ['a retry of the project', `return retry(() => ${call}, 3, 100)`, '1100'],
    ['a retry of the project with options', `return retryWith(() => ${call}, { attempts: 3 })`, '920'],
    ['a retry of the project that keeps the last error', `return retryUntil(() => ${call}, { maxRetries: 2 })`, '900'],
    ['a retry of the project that another one calls', `return retryTransient(() => ${call})`, '1200'],
    ['a retry whose number is kept in a closure', `return retryMore({ maxRetries: 2 })(() => ${call})`, 'null'],
    [
      'a wait that cannot be looked into',
      `for (let i = 0; i < 3; i++) { try { return await ${call} } catch { await delay(100) } }`,
      'null',
    ],
    ['a retry of the project that calls itself', `return retrySelf(() => ${call}, 2)`, '900'],
    ['a retry of the project in a function that is returned', `return retrying(() => ${call}, 3)()`, '900'],
    ['a loop without an end', `while (true) { try { return await ${call} } catch { await pause(1000) } }`, 'null'],
    [
      'a limit around a retry',
      `return pTimeout(pRetry(() => ${call}, { retries: 3, minTimeout: 100, factor: 1 }), { milliseconds: 1000 })`,
      '1000',
    ],
    [
      'one signal for all attempts',
      `const signal = AbortSignal.timeout(300); return pRetry(() => fetch(u, { signal }), { retries: 3, minTimeout: 100 })`,
      '300',
    ],
    [
      'one signal for all rounds of a loop',
      `const signal = AbortSignal.timeout(300); for (let i = 0; i < 3; i++) { try { return await fetch(u, { signal }) } catch {} }`,
      '300',
    ],
    [
      'a signal made in a function that is called for each attempt',
      `return pRetry(() => fresh(u), { retries: 1, minTimeout: 100 }); async function fresh(u: string) { const signal = AbortSignal.timeout(300); return fetch(u, { signal }) }`,
      '700',
    ],
  ])('%s', (_, body, ms) => {
    const text = `import pRetry from 'p-retry'
import pTimeout from 'p-timeout'
import asyncRetry from 'async-retry'
import promiseRetry from 'promise-retry'
import { backOff } from 'exponential-backoff'
import { retry as esRetry } from 'es-toolkit'
import { ConstantBackoff, handleAll, retry as policy, timeout, TimeoutStrategy, wrap } from 'cockatiel'
import { defer, lastValueFrom, retry as rxRetry } from 'rxjs'
import { delay } from '../elsewhere.js'
const ATTEMPTS = 3
const handled = policy(handleAll, { maxAttempts: 3 - 1, backoff: new ConstantBackoff(250) })
const wrapped = wrap(handled, timeout(300, TimeoutStrategy.Aggressive))
const pause = (ms: number) => new Promise((yes) => setTimeout(yes, ms))
const isTransient = (e: unknown) => String(e).includes('reset')
async function retry<T>(work: () => Promise<T>, attempts: number, ms: number): Promise<T> {
  let last
  for (let i = 0; i < attempts; i++) {
    try { return await work() } catch (e) { last = e; if (i < attempts - 1) await pause(ms) }
  }
  throw last
}
async function retryWith<T>(work: () => Promise<T>, { attempts = 5, waitMs = 10 }: { attempts?: number; waitMs?: number } = {}) {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try { return await work() } catch (e) { if (attempt === attempts) throw e }
    await pause(waitMs)
  }
}
async function retryUntil<T>(work: () => Promise<T>, opts: { maxRetries?: number; retryable?: (e: unknown) => boolean } = {}): Promise<T> {
  const { maxRetries = 3, retryable = () => true } = opts
  let retries = 0
  let doneError: unknown
  while (!doneError) {
    try { return await work() } catch (err) {
      const willRetry = retries < maxRetries && retryable(err)
      if (willRetry) { retries += 1 } else { doneError = err }
    }
  }
  throw doneError
}
const retryTransient = <T>(work: () => Promise<T>, given?: { maxRetries?: number }) => retryUntil(work, { ...given, retryable: isTransient })
const retryMore = (given: { maxRetries?: number }) => <T>(work: () => Promise<T>) => retryUntil(work, { ...given, retryable: isTransient })
async function retrySelf<T>(work: () => Promise<T>, left = 5): Promise<T> {
  try { return await work() } catch (e) { if (left <= 0) throw e; return retrySelf(work, left - 1) }
}
const retrying = <T>(work: () => Promise<T>, attempts: number) => async () => {
  for (let i = 0; i < attempts; i++) { try { return await work() } catch {} }
}
export async function main(u: string) { ${body} }`
    expect(worst(text).map((line) => line?.split('worst ')[1])).toEqual([ms])
  })
})

test('the sum of a loop is that of its attempts and waits, whatever the numbers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), fc.nat({ max: 500 }), fc.integer({ min: 1, max: 900 }), (attempts, waitMs, ms) => {
      const text = `const pause = (ms: number) => new Promise((yes) => setTimeout(yes, ms))
export async function load(u: string) {
  for (let left = ${attempts}; left > 0; left--) {
    try { return await fetch(u, { signal: AbortSignal.timeout(${ms}) }) } catch (e) { if (left === 1) throw e; await pause(${waitMs}) }
  }
}`
      expect(worst(text)).toEqual([`${ms} total worst ${attempts * ms + (attempts - 1) * waitMs}`])
    }),
    { numRuns: 40 },
  )
})

test('whatever stands around a call, a scan ends without an error', () => {
  const statement = fc.letrec<{ code: string }>((tie) => ({
    code: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        'await fetch(u)',
        'return fetch(u)',
        'i++',
        'if (i > 3) break',
        'continue',
        'throw e',
        'await wait(i * 2 ** i)',
        'return main(u)',
      ),
      tie('code').map((code) => `for (let i = 0; i < 5; i++) { ${code} }`),
      tie('code').map((code) => `while (i) { ${code}; i -= 1 }`),
      tie('code').map((code) => `try { ${code} } catch (e) { ${code} } finally { i = e }`),
      tie('code').map((code) => `await Promise.race([(async () => { ${code} })(), wait(i)])`),
      tie('code').map((code) => `await wrap(async () => { ${code} }, i)`),
      tie('code').map((code) => `if (i < u) { ${code} } else { ${code} }`),
    ),
  })).code
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 4 }), (code) => {
      const text = `const wait = (ms) => new Promise((r) => setTimeout(r, ms))
async function wrap(f, n) { for (;;) { try { return await f() } catch (e) { if (n-- < 0) throw e; await wrap(f, n) } } }
export async function main(u, i = 3, e) { for (;;) { ${code.join('; ')}; return 1 } }`
      expect(scanTexts(text).unparsed).toEqual([])
    }),
    { numRuns: 60 },
  )
})
