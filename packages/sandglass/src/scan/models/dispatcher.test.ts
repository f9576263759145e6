import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const UNDICI = `import { fetch, Agent, RetryAgent, ProxyAgent, EnvHttpProxyAgent, Pool, getGlobalDispatcher, interceptors } from 'undici'\n`
const LIMITS = '{ headersTimeout: 100, bodyTimeout: 200, connectTimeout: 50 }'

function lineOf(text: string): string {
  return callLines(scanTexts(UNDICI + text)).join()
}

test.each([
  `fetch(url, { dispatcher: new RetryAgent(new Agent(${LIMITS}), { maxRetries: 2 }) })`,
  `fetch(url, { dispatcher: new Agent(${LIMITS}).compose(interceptors.retry({ maxRetries: 2 }), interceptors.dns()) })`,
  `fetch(url, { dispatcher: new Agent(${LIMITS}).compose([interceptors.redirect()]) })`,
  `fetch(url, { dispatcher: isProxied ? new ProxyAgent({ uri, ...${LIMITS} }) : new Agent(${LIMITS}) })`,
  `fetch(url, { dispatcher: new ProxyAgent(Object.assign({}, ${LIMITS}, { uri })) })`,
  `fetch(url, { dispatcher: new EnvHttpProxyAgent(${LIMITS}) })`,
  `fetch(url, { dispatcher: new Pool(origin, ${LIMITS}) })`,
  `fetch(url, { dispatcher: agent() }); function agent() { return new Agent(${LIMITS}) }`,
  `fetch(url, { dispatcher: agents.own }); const agents = { own: null }; agents.own = new Agent(${LIMITS})`,
  `fetch(url, { dispatcher: agents.own }); const agents = { own: new Agent(${LIMITS}) }; function again() { agents.own = new Agent(${LIMITS}) }`,
  `fetch(url, { dispatcher: agents.retry }); const agents = { own: new Agent(${LIMITS}), retry: null }; agents.retry = new RetryAgent(agents.own)`,
  `agents.retry = new RetryAgent(agents.own); const agents = { own: new Agent(${LIMITS}), retry: null }; function again(is) { agents.own = is ? new ProxyAgent({ uri, ...${LIMITS} }) : new Agent(${LIMITS}) } fetch(url, { dispatcher: agents.retry })`,
  `fetch(url, { dispatcher: new Agent(Object.assign({}, ${LIMITS}, { connect: async (to) => socks(to, { timeout: 50 }) })) })`,
])('the limits of a dispatcher hold wherever it is made: %s', (text) => {
  expect(lineOf(text)).toBe('2 undici bounded 200 silence')
})

test.each([
  'fetch(url, { dispatcher: agentOf(url) })',
  'fetch(url, { dispatcher: this.agent })',
  'fetch(url, { dispatcher })',
  'fetch(url, { dispatcher: new RetryAgent(agentOf(url)) })',
  'fetch(url, { dispatcher: new Agent().compose(limited) })',
  'fetch(url, { dispatcher: new Agent({ factory: (origin) => own(origin) }) })',
  'fetch(url, { dispatcher: new Agent({ connect: (options, done) => own(options, done) }) })',
  `fetch(url, { dispatcher: new Agent({ ...${LIMITS}, connect: (options, done) => own(options, done) }) })`,
  'fetch(url, { dispatcher: new Agent({ bodyTimeout: 200, connect: (to) => socks(to, { timeout: 50 }) }) })',
  `fetch(url, { dispatcher: agents.own }); const agents = { own: new Agent(${LIMITS}) }; agents.own = limited(agents.own)`,
  'fetch(url, { dispatcher: new Agent({ ...limits }) })',
  `fetch(url, { dispatcher: isSlow ? new Agent() : new Agent(${LIMITS}) })`,
  'class Own extends Agent {}; fetch(url, { dispatcher: new Own() })',
  'const agents = { fetch: new Agent(), retry: null }; agents.retry = new RetryAgent(agents.fetch); fetch(url, { dispatcher: agents.other() })',
])('what cannot be followed says nothing: %s', (text) => {
  expect(lineOf(text)).toBe('2 undici unknown')
})

test.each([
  'fetch(url, { dispatcher: new Agent({ keepAliveTimeout: 10 }) })',
  'fetch(url, { dispatcher: new ProxyAgent(process.env.HTTPS_PROXY) })',
  'export const a = (proxyUrl) => fetch(url, { dispatcher: new ProxyAgent(proxyUrl) })',
  'fetch(url, { dispatcher: new ProxyAgent(new URL(address)) })',
  'fetch(url, { dispatcher: proxyUrl ? new ProxyAgent({ uri: proxyUrl }) : undefined })',
  'fetch(url, { dispatcher: getGlobalDispatcher() })',
  'fetch(url, { dispatcher: new EnvHttpProxyAgent() })',
])('a dispatcher without limits leaves the default: %s', (text) => {
  expect(lineOf(text)).toBe('2 undici bounded 300000 silence')
})

test('a global dispatcher that cannot be followed says nothing of the calls of its package, and nothing of others', () => {
  const scanned = scanTexts({
    files: {
      'a/package.json': '{}',
      'a/set.ts': `import { setGlobalDispatcher } from 'undici'\nsetGlobalDispatcher(agentOf())`,
      'a/call.ts': 'export const a = () => fetch(url)',
      'b/package.json': '{}',
      'b/call.ts': 'export const b = () => fetch(url)',
    },
  })
  expect(callLines(scanned)).toEqual(['1 fetch unknown', '1 fetch bounded 300000 silence'])
})

test('the global dispatcher has the limits of what it wraps', () => {
  const scanned = scanTexts(`import { Agent, RetryAgent, setGlobalDispatcher } from 'undici'
setGlobalDispatcher(new RetryAgent(new Agent(${LIMITS})))
export const a = () => fetch(url)`)
  expect(callLines(scanned)).toEqual(['3 fetch bounded 200 silence'])
})
