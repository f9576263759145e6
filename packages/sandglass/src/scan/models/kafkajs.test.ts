import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

describe('kafkajs', () => {
  test('C009: the timeout of send is the broker’s; the caller may wait >= 15 000 ms and the waits between', () => {
    const scanned = scanTexts(`import { Kafka } from "kafkajs";
const k = new Kafka({ brokers: ["k:9092"], connectionTimeout: 3000, requestTimeout: 5000 });
const p = k.producer({ retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 } });
await p.send({ topic: "t", messages: [], timeout: 300 });`)
    expect(findingLines(scanned)).toEqual(['code.ts:4 mistaken-limit'])
    const [finding] = scanned.diagnostics
    expect(finding?.severity).toBe('warning')
    expect(finding?.message).toBe(
      'this timeout is what the broker waits for its followers, no limit of the caller: it may wait >= 15 000 ms',
    )
    expect(finding?.arithmetic).toBe('3 attempts x 5 000 ms = 15 000 ms, plus back-off 208 to 408 ms')
    expect(`${finding?.message} ${finding?.arithmetic}`).not.toMatch(/\b300\b/)
    expect(scanned.calls).toMatchObject([{ outcome: { state: 'bounded', ms: 5000, kind: 'attempt' }, worstMs: 15_408 }])
  })

  test('by default a request has 30 s and is tried six times, in a class as Nest has it', () => {
    const scanned = scanTexts(`import { Kafka, Producer } from 'kafkajs'
export class Events { private readonly kafka = new Kafka({ brokers: ['k:9092'] }); private producer: Producer
  constructor() { this.producer = this.kafka.producer() }
  emit(message) { return this.producer.send({ topic: 't', messages: [message] }) } }`)
    expect(callLines(scanned)).toEqual(['4 kafkajs bounded 30000 attempt'])
    expect(scanned.calls[0]?.worstMs).toBeGreaterThan(6 * 30_000)
    expect(findingLines(scanned)).toEqual(['code.ts:2 default-bound'])
  })

  test('what is made of one client is one cause, where its limit would stand', () => {
    const scanned = scanTexts(`import { Kafka } from 'kafkajs'
const kafka = new Kafka({ brokers: ['k:9092'] })
export const admin = kafka.admin().listTopics()
export const producer = kafka.producer().send({ topic: 't', messages: [] })`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 default-bound'])
  })

  test('retries of the whole client hold for its producers, a wait is at most maxRetryTime', () => {
    const worst = (kafka: string, producer = '') =>
      scanTexts(`import { Kafka } from 'kafkajs'
new Kafka({ requestTimeout: 1000, ${kafka} }).producer(${producer}).sendBatch({ topicMessages: [] })`).calls[0]?.worstMs
    expect(worst('retry: { retries: 0 }')).toBe(1000)
    expect(worst('retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 150 }')).toBe(4000 + 120 + 150 + 150)
    expect(worst('retry: { retries: 3 }', '{ retry: { retries: 0 } }')).toBe(1000)
    expect(worst('retry: { retries: 3, ...more }')).toBe(null)
    expect(worst('enforceRequestTimeout: false')).toBe(null)
  })

  test('a producer that is handed in is nobody’s fault', () => {
    const scanned = scanTexts(`import type { Producer } from 'kafkajs'
export const emit = (producer: Producer) => producer.send({ topic: 't', messages: [] })`)
    expect(callLines(scanned)).toEqual(['2 kafkajs unknown'])
    expect(scanned.diagnostics).toEqual([])
  })
})
