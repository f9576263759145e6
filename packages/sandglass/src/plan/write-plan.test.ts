import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { EXACT_CHAIN } from './exact-chain.fixture.js'
import { planChain } from './plan.js'
import { writePlan } from './write-plan.js'

function rewritten(text: string): string {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  const [written] = writePlan(planChain(chain, { gridMs: 10 }))
  return written?.text ?? ''
}

test('a plan is written beside what stands there, comments and order kept', () => {
  const text = rewritten(
    EXACT_CHAIN.replace(
      '- { to: pay.charge }',
      '- to: pay.charge   # the channel\n            # its tail is long\n            attempts: 3\n            timeout: 30s',
    ),
  )
  expect(text).toContain('{ to: auth.check, timeout: 80ms, floor: 19ms, basis: "sandglass plan:')
  expect(text).toContain('- to: pay.charge   # the channel\n            floor: ')
  expect(text).toContain('# its tail is long\n            attempts: 1\n            timeout: 280ms')
  const again = readChainText(text)
  expect(again.problems).toEqual([])
  expect(again.chain.calls.map((call) => call.timeoutMs?.value)).toEqual([80, 200, 200, 280])
})
