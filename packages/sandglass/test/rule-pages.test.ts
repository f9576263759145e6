import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../src/model/diagnostic.js'
import { readChainText } from '../src/model/read-chain.js'
import { viewOf } from '../src/model/view.js'
import { allRules } from '../src/rules/all-rules.js'

const folder = fileURLToPath(new URL('../../../docs/rules/', import.meta.url))

interface Page {
  readonly id: string
  readonly reported: string
  readonly finding: string
  readonly notReported: string
}

/** The first block of a language below a heading. */
function block(text: string, heading: string, language: string): string | undefined {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0]
  return section?.split(`\`\`\`${language}\n`)[1]?.split('```')[0]
}

/** Pages that show a chain with its finding, and one without. */
function pages(): Page[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return names.flatMap((name) => {
    const text = readFileSync(folder + name, 'utf8')
    const reported = block(text, 'Reported', 'yaml')
    const finding = block(text, 'Reported', 'text')
    const notReported = block(text, 'Not reported', 'yaml')
    return reported && finding && notReported ? [{ id: name.slice(0, -3), reported, finding, notReported }] : []
  })
}

function found(id: string, text: string): Diagnostic[] {
  const { chain, problems } = readChainText(text)
  expect(problems.map(({ message }) => message)).toEqual([])
  return [...(allRules.find((rule) => rule.id === id)?.check(viewOf(chain)) ?? [])]
}

function printed({ severity, rule, message, arithmetic, suggestion }: Diagnostic): string {
  const lines = [`${severity} ${rule}  ${message}`, arithmetic && `  ${arithmetic}`, suggestion && `  fix: ${suggestion.text}`]
  return `${lines.filter(Boolean).join('\n')}\n`
}

describe('the examples of the rule pages', () => {
  test.each(pages())('$id reports the first chain as the page says, and not the second', ({ id, reported, finding, notReported }) => {
    expect(found(id, reported).map(printed)).toEqual([finding])
    expect(found(id, notReported)).toEqual([])
  })

  test('are there for the rules about retries, breakers, pools and names', () => {
    expect(pages().length).toBeGreaterThanOrEqual(20)
  })
})
