import { expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import type { Rule } from '../model/rule.js'
import { viewOf } from '../model/view.js'
import { exampleFinding } from './report.fixture.js'
import { runRules } from './run-rules.js'

it('reports a cause once, whatever a rule yields', () => {
  const { chain } = readChainText('sandglass: 1\nservices: { a: { operations: { x: { does: read } } } }\n')
  const finding = exampleFinding()
  const other = exampleFinding({ severity: 'warning' })
  const rule: Rule = { id: 'inverted', severity: 'error', summary: '', check: () => [finding, finding, other] }
  expect(runRules(viewOf(chain), [rule])).toEqual([finding, other])
})
