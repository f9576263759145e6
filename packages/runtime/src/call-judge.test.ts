import { expect, test, vi } from 'vitest'
import { call, explain, type Verdict } from './index.js'

const broken = new Error('broken')
const options = { does: 'write', timeoutMs: Infinity } as const

test('a judge that throws fails the attempt with what it threw, and a write may have happened', async () => {
  const judge = (): never => {
    throw broken
  }
  const error: unknown = await call('a.b', { ...options, judge }, async () => ({ done: true }))().catch((thrown: unknown) => thrown)
  expect(error).toBe(broken)
  expect(explain(error)).toMatchObject({ outcome: 'unknown', attempts: 1 })
})

test('an answer that cannot be looked into is an answer, also where its signal was asked for', async () => {
  const guarded = async ({ signal }: { signal: AbortSignal }): Promise<{ aborted: boolean }> => {
    return Object.defineProperty({ aborted: signal.aborted }, 'body', {
      get() {
        throw broken
      },
    })
  }
  expect((await call('a.b', { does: 'read', timeoutMs: 1000 }, guarded)()).value.aborted).toBe(false)
})

test('a classify that throws or says nothing leaves the callee its own error and the call its end', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const classifies = [
    () => {
      throw broken
    },
    () => undefined as unknown as Verdict,
  ]
  for (const classify of classifies) {
    const error: unknown = await call('a.b', { ...options, classify }, () => Promise.reject(refused))().catch((thrown: unknown) => thrown)
    expect(error).toBe(refused)
    expect(explain(error)).toMatchObject({ outcome: 'not-sent' })
  }
  expect(warn.mock.calls).toEqual([['a.b: classify threw Error: broken'], ['a.b: classify said nothing about an error']])
  warn.mockRestore()
})
