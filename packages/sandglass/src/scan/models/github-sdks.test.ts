import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const files = {
  'code.ts': `import { Octokit } from '@octokit/rest'
import { load, retry } from './elsewhere'
const octokit = new Octokit({ auth: 'k' })
const Retrying = Octokit.plugin(retry)
const other = new Retrying({ request: { timeout: 500 } })
await octokit.rest.repos.get({ owner: 'a', repo: 'b' })
await octokit.paginate(octokit.rest.issues.list, { per_page: 100 })
await octokit.request('GET /user', { request: { signal: AbortSignal.timeout(800) } })
await other.issues.get({ issue_number: 1 })
await new Octokit({ request: { fetch: load } }).graphql('{ a }')
octokit.hook.before('request', () => {})
octokit.rest.repos.get.endpoint({ owner: 'a' })`,
}
const at = (version?: string) => {
  const versions: Record<string, string> = version === undefined ? {} : { '@octokit/rest': version }
  return callLines(scanTexts({ files, versions })).map((line) => line.replace('octokit-rest ', ''))
}

test('Octokit asks by the fetch of Node from 20 on, and by node-fetch with its timeout before', () => {
  expect(at('22.0.1')).toEqual([
    '6 bounded 300000 silence',
    '7 bounded 300000 silence',
    '8 bounded 800 total',
    '9 bounded 300000 silence',
    '10 unknown',
  ])
  expect(at('18.12.0')).toEqual(['6 unbounded', '7 unbounded', '8 bounded 800 total', '9 bounded 500 total', '10 unknown'])
  expect(at('19.0.0')[0]).toBe('6 unknown')
  expect(at()).toEqual(['6 unknown', '7 unknown', '8 bounded 800 total', '9 unknown', '10 unknown'])
})

test('the client of Octokit is the one cause of its calls', () => {
  const scanned = scanTexts({ files, versions: { '@octokit/rest': '18.12.0' } })
  expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call'])
  expect(findingLines(scanTexts({ files, versions: { '@octokit/rest': '22.0.1' } }))).toEqual([
    'code.ts:3 default-bound',
    'code.ts:5 default-bound',
    'code.ts:5 ignored-option',
  ])
})

test('an app gives clients that try four times, as those of the package octokit do', () => {
  const code = `import { App, Octokit } from 'octokit'
const app = new App({ appId: 1, privateKey: 'k' })
const octokit = await app.getInstallationOctokit(2)
await octokit.rest.pulls.list({})
await app.octokit.request('GET /app')
await new Octokit({ retry: { retries: 0 } }).request('GET /user')
app.webhooks.on('push', () => {})`
  const scanned = scanTexts({ files: { 'code.ts': code }, versions: { octokit: '5.0.5' } })
  expect(callLines(scanned)).toEqual([
    '4 octokit bounded 300000 silence',
    '5 octokit bounded 300000 silence',
    '6 octokit bounded 300000 silence',
  ])
  expect(scanned.calls.map(({ worstMs }) => worstMs)).toEqual([1_214_000, 1_214_000, 300_000])
})

test('requests and queries without an instance', () => {
  const code = `import { request } from '@octokit/request'
import { graphql } from '@octokit/graphql'
const asked = graphql.defaults({ headers: {} })
await request('GET /user')
await asked('{ a }', { request: { signal: AbortSignal.timeout(500) } })
await graphql('{ a }')`
  const versions = { '@octokit/request': '10.0.16', '@octokit/graphql': '4.8.0' }
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions }))).toEqual([
    '4 octokit-request bounded 300000 silence',
    '5 octokit-graphql bounded 500 total',
    '6 octokit-graphql unbounded',
  ])
})
