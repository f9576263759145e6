import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const load = { 'code.ts': 'export const load = (u: string) => fetch(u)' }

describe('default-bound', () => {
  test('the default of the installed version is told as a number', () => {
    const [now] = scanTexts({ files: load, versions: { node: '20.20.2' } }).diagnostics
    expect([now?.rule, now?.severity, now?.values.ms]).toEqual(['default-bound', 'warning', 300_000])
    expect(now?.message).toContain('300 s for the headers')
    const [before] = scanTexts({ files: load, versions: { node: '18.14.1' } }).diagnostics
    expect(before?.message).toContain('30 s for the headers')
  })

  test.each([
    ['a default shorter than 15 s', "import ky from 'ky'\nexport const f = (u: string) => ky(u)"],
    ['a limit that is written', 'export const f = (u: string) => fetch(u, { signal: AbortSignal.timeout(500) })'],
    [
      'a limit around the call',
      "import pTimeout from 'p-timeout'\nexport const f = (u: string) => pTimeout(fetch(u), { milliseconds: 500 })",
    ],
  ])('%s is not reported', (_, text) => {
    expect(findingLines(scanTexts(text)).filter((line) => line.endsWith('default-bound'))).toEqual([])
  })

  test('signals that are gathered in a list may well have a limit among them', () => {
    const combine = `const combine = (signals: AbortSignal[]) => {
  if (signals.length === 0) return undefined
  if (signals.length === 1) return signals[0]
  return AbortSignal.any(signals)
}`
    const gathering = (gather: string) => `${combine}
export const load = (u: string, options: { signal?: AbortSignal; timeout?: number }) => {
  const signals: AbortSignal[] = []
  ${gather}
  return fetch(u, { signal: combine(signals) })
}`
    const withTimer = `if (options.timeout) {
    const limit = new AbortController()
    setTimeout(() => limit.abort(), options.timeout)
    signals.push(limit.signal)
  }`
    expect(findingLines(scanTexts(gathering(withTimer)))).toEqual([])
    expect(findingLines(scanTexts(gathering('')))).toEqual(['code.ts:9 default-bound'])
  })

  test('a limit that is written into a list holds whatever else is put in', () => {
    const { calls } = scanTexts(`export const load = (u: string, parent?: AbortSignal) => {
  const signals = [AbortSignal.timeout(500)]
  if (parent) signals.push(parent)
  return fetch(u, { signal: AbortSignal.any(signals) })
}`)
    expect(calls.map(({ outcome }) => outcome)).toEqual([{ state: 'bounded', ms: 500, kind: 'total' }])
  })

  test('what is tried again is told for each attempt, and a limit of the fetch of Node as its own', () => {
    const message = (text: string, versions: Record<string, string> = {}) =>
      scanTexts({ files: { 'code.ts': text }, versions }).diagnostics.find(({ rule }) => rule === 'default-bound')?.message
    const openai = `import OpenAI from 'openai'
const ai = new OpenAI(__)
export const ask = () => ai.responses.create({ model: 'm', input: 'a' })`
    expect(message(openai.replace('__', ''), { openai: '6.27.0' })).toBe(
      'nothing but the fetch of Node ends this call of openai 6.27.0: 300 s for the answer, in each of 3 attempts',
    )
    expect(message(openai.replace('__', '{ maxRetries: 0 }'), { openai: '6.27.0', node: '22.12.0' })).toBe(
      'nothing but the fetch of Node 22.12.0 ends this call of openai 6.27.0: 300 s for the answer',
    )
    expect(message(openai.replace('__', ''), { openai: '4.28.0' })).toBe(
      'nothing but the default of openai 4.28.0 ends this call: 600 s for the answer, in each of 3 attempts',
    )
  })

  test('a signal that only cancels is kept: the limit that is advised stands beside it', () => {
    const fix = (call: string, head = '') => {
      const text = `${head}
export async function load(leaving: EventTarget) {
  const controller = new AbortController()
  leaving.addEventListener('close', () => controller.abort())
  return ${call}
}`
      const [found] = scanTexts({ files: { 'code.ts': text }, versions: { '@octokit/rest': '21.1.1' } }).diagnostics
      return [found?.rule, found?.message, found?.suggestion?.text]
    }
    const [rule, message, text] = fix("fetch('http://a', { signal: controller.signal })")
    expect(rule).toBe('default-bound')
    expect(message).toMatch(/^this signal can only cancel: nothing but the default of fetch ends this call: 10 s for /)
    expect(text).toMatch(/^put a limit beside it: AbortSignal.any\(\[signal, limit.signal\]\)/)
    const octokit = fix(
      'new Octokit().rest.issues.list({ request: { signal: controller.signal } })',
      "import { Octokit } from '@octokit/rest'",
    )
    expect(octokit[2]).toBe(text)
    const nodeFetch = fix("ask('http://a', { signal: controller.signal })", "import ask from 'node-fetch'")
    expect([nodeFetch[0], nodeFetch[2]]).toEqual(['unbounded-call', text])
    const openai = fix('new OpenAI().models.list({ signal: controller.signal })', "import OpenAI from 'openai'")
    expect(openai[2]).toBe('set a limit: timeout: … (ms) and maxRetries: …')
  })
})

test('a client whose calls are seen is told of where those are not ended otherwise', () => {
  const lines = (call: string) =>
    findingLines(
      scanTexts(`import nodemailer from 'nodemailer'
let transport
switch (kind) {
  case 'a': transport = nodemailer.createTransport({ host: 'a' }); break
  default: transport = nodemailer.createTransport({ host: 'b' })
}
const late = new Promise((_, no) => setTimeout(no, 500))
await ${call}`),
    ).filter((line) => line.endsWith('default-bound'))
  expect(lines('transport.sendMail(mail)')).not.toEqual([])
  expect(lines('Promise.race([transport.sendMail(mail), late])')).toEqual([])
  expect(lines('Promise.race([transport.sendMail(mail), given])')).not.toEqual([])
})

test('parts of one client that a helper is handed are told once, where the helper asks them', () => {
  const code = (uses: string) => `import { PubSub, type Topic } from '@google-cloud/pubsub'
const pubsub = new PubSub()
const orders = pubsub.topic('orders')
const mails = pubsub.topic('mails')
const publish = async (topic: Topic, json: unknown) => {
  await topic.publishMessage({ json })
}
${uses}`
  const told = (uses: string) => scanTexts({ files: { 'code.ts': code(uses) }, versions: { '@google-cloud/pubsub': '5.2.0' } })
  const all = told("await publish(orders, {})\nawait publish(mails, {})\nawait publish(pubsub.topic('bills'), {})")
  expect(findingLines(all)).toEqual(['code.ts:6 default-bound'])
  expect(all.diagnostics[0]?.message).toBe(
    'nothing but the default of @google-cloud/pubsub 5.2.0 ends this call: 60 s for the answer; 3 clients are asked here',
  )
  expect(all.diagnostics[0]?.related.map(({ label }) => label)).toEqual(['is asked here', 'is asked here', 'is asked here'])
  expect(findingLines(told('await publish(orders, {})'))).toEqual(['code.ts:3 default-bound'])
})
